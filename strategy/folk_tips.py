"""The tips that people give, all of them; where each was read stands with it."""

from strategy.folk.draws import DRAW_TIPS
from strategy.folk.jacks import JACK_TIPS, WISH_TIPS
from strategy.folk.leads import LEAD_TIPS
from strategy.folk.sevens import SEVEN_TIPS
from strategy.folk.turns import TURN_TIPS

TIPS = (*JACK_TIPS, *WISH_TIPS, *LEAD_TIPS, *SEVEN_TIPS, *TURN_TIPS, *DRAW_TIPS)
