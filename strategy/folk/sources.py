"""Where the tips were read; the sentences are ours."""

RULES = "the tips at the end of the rules"
PALACE_FIRST = "mau-mau-palast.de, lesson 1: what to play first"
PALACE_EYES = "mau-mau-palast.de, lesson 2: keep an eye on the cards"
PALACE_LAST = "mau-mau-palast.de, lesson 4: the best cards to finish with"
CRAZY = "greatmathgame.com and tamogames.com on Crazy Eights"
VOID = "eatsip365.com on Crazy Eights"
TABLE = "said at the table"
