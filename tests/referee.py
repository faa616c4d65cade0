"""A slow referee of one round of Mau-Mau, to be checked by reading it beside the rules.

It knows nothing of the package under test: cards are texts, hands and piles are lists, and every step names
the rule (C1-C18) it comes from. `deal` builds a random round; the constructor takes any position, partial
decks included.
"""

import random
from collections import Counter

SUITS = ["C", "D", "H", "S"]
RANKS = ["2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A"]
POINTS = {"A": 11, "10": 10, "K": 4, "Q": 3, "J": 2,
          "9": 9, "8": 8, "7": 7, "6": 6, "5": 5, "4": 4, "3": 3, "2": 2}  # fmt: skip
SPECIAL_AT_START = ["7", "8", "9", "J", "A"]

PRESETS = {
    "classic": {
        "deck": 32,
        "hand_size": 5,
        "cover_special_start": False,
        "must_play": True,
        "play_drawn": True,
        "ace": "plain",
        "draw_then_play": False,
        "jack_on_jack": True,
        "win_with_jack": True,
        "nine_skips_with_two": True,
        "mau": "auto",
        "final_seven_draws": False,
        "max_turns": 500,
    },
    "match": {
        "deck": 104,
        "hand_size": 7,
        "cover_special_start": True,
        "must_play": False,
        "play_drawn": False,
        "ace": "again",
        "draw_then_play": False,
        "jack_on_jack": True,
        "win_with_jack": True,
        "nine_skips_with_two": False,
        "mau": "call",
        "final_seven_draws": True,
        "max_turns": 1000,
    },
}


def rank_of(card: str) -> str:
    return card[:-1]


def suit_of(card: str) -> str:
    return card[-1]


def points_of(hand: list[str]) -> int:
    return sum(POINTS[rank_of(card)] for card in hand)


def full_deck(size: int) -> list[str]:
    """C1: the 32 cards from 7 to A once, the 52 cards from 2 to A twice, or one of the small decks."""
    small = {6: ("7JA", "CD"), 8: ("78JA", "CD"), 12: ("78JA", "CDH"), 16: ("78JA", "CDHS")}
    if size in small:
        ranks, suits = small[size]
        return [rank + suit for rank in ranks for suit in suits]
    if size == 32:
        return [rank + suit for rank in RANKS[RANKS.index("7") :] for suit in SUITS]
    if size == 104:
        return [rank + suit for rank in RANKS for suit in SUITS] * 2
    raise ValueError(f"no deck of {size} cards: 6, 8, 12, 16, 32 or 104")


class Referee:
    """One round: read its attributes, ask `legal()`, `play(action)` until `end` is not None."""

    def __init__(
        self,
        rules: dict,
        hands: list[list[str]],
        discard: list[str],
        pile: list[str],
        starter: int = 0,
        reshuffles: list[list[str]] | None = None,
        rng: random.Random | None = None,
    ):
        if set(rules) != set(PRESETS["classic"]):
            raise ValueError(f"options missing or unknown: {set(rules) ^ set(PRESETS['classic'])}")
        if not 2 <= len(hands) <= 5 or not discard:
            raise ValueError("a round needs 2 to 5 hands and an opening card")
        self.rules = dict(rules)
        self._suits = {suit_of(card) for card in full_deck(rules["deck"])}
        self.hands = [list(hand) for hand in hands]
        self.discards = list(discard)
        self.pile = list(pile)
        self.seat = starter  # C3
        self.direction = 1  # C3: clockwise
        self.wish = None  # C2: an opening Jack counts as its own suit
        self.owed = 0  # C2: an opening 7 costs nothing
        self.turns = 0
        self.phase = "normal"
        self.drawn = None
        self.mau_said = False
        self.end = None
        self.ranking = None
        self.reshuffled = []
        self._given_reshuffles = None if reshuffles is None else [list(cards) for cards in reshuffles]
        self._rng = rng
        self._end_if_stuck()

    @classmethod
    def deal(cls, rules: dict, players: int, rng: random.Random, starter: int = 0) -> "Referee":
        """Shuffle and deal a whole deck."""
        pile = full_deck(rules["deck"])
        rng.shuffle(pile)
        hands = []
        for _ in range(players):  # C1
            hands.append(pile[: rules["hand_size"]])
            pile = pile[rules["hand_size"] :]
        discard = [pile.pop(0)]
        if rules["cover_special_start"]:  # C2
            while rank_of(discard[-1]) in SPECIAL_AT_START and pile:
                discard.append(pile.pop(0))
        return cls(rules, hands, discard, pile, starter, rng=rng)

    # What a player sees and may do

    @property
    def top(self) -> str:
        return self.discards[-1]

    @property
    def suit(self) -> str:
        """The suit in force: the wish if there is one, else that of the top (C4, C10)."""
        return self.wish or suit_of(self.top)

    def legal(self) -> list[str]:
        """The sorted texts of all legal actions; none once the round has ended."""
        if self.end is not None:
            return []
        cards = self._playable_cards()
        actions = []
        for card in cards:
            if rank_of(card) == "J":
                actions += [f"{card}:{suit}" for suit in SUITS if suit in self._suits]  # C10
            else:
                actions.append(card)
        if self.phase == "drawn":
            actions.append("pass")  # C6
        elif self.owed > 0:
            actions.append("draw")  # C7: always, even with a 7 in hand and under must_play
        elif not cards or not self.rules["must_play"]:
            actions.append("draw")  # C5, and C11 for the second card after an ace
        if self._may_say_mau(cards):
            actions.append("mau")
        return sorted(set(actions))  # the double deck holds every card twice

    def play(self, action: str) -> None:
        """Carry out one action of the seat to move; an illegal one raises ValueError and changes nothing."""
        if action not in self.legal():
            raise ValueError(f"seat {self.seat} cannot {action!r}; legal: {', '.join(self.legal())}")
        if action == "mau":
            self.mau_said = True  # C15: free of cost, the same player goes on
        elif action == "pass":
            self._next_turn()  # C6
        elif action == "draw":
            self._draw()
        else:
            card, _, wish = action.partition(":")
            self._play_card(card, wish or None)
        self._end_if_stuck()
        self._end_if_too_long()

    def _fits(self, card: str) -> bool:
        """C4, for a moment when nothing is owed."""
        if rank_of(card) == "J":
            return rank_of(self.top) != "J" or self.rules["jack_on_jack"]
        return suit_of(card) == self.suit or rank_of(card) == rank_of(self.top)

    def _playable_cards(self) -> list[str]:
        if self.phase == "drawn":
            return [self.drawn]  # C6: only that one
        hand = self.hands[self.seat]
        if self.owed > 0:
            return [card for card in hand if rank_of(card) == "7"]  # C7
        return [card for card in hand if self._fits(card)]

    def _may_say_mau(self, playable: list[str]) -> bool:
        """C15: with exactly two cards, one of which may be played now, once a turn."""
        two_cards = len(self.hands[self.seat]) == 2
        return self.rules["mau"] == "call" and two_cards and bool(playable) and not self.mau_said

    # Drawing

    def _take(self, seat: int, count: int) -> list[str]:
        """Give a seat up to `count` cards, as many as there are, and return them."""
        taken = []
        while len(taken) < count:
            if not self.pile:
                self._reshuffle()
            if not self.pile:
                break  # C6, C7: nothing more can be drawn
            taken.append(self.pile.pop(0))
        self.hands[seat] += taken
        return taken

    def _reshuffle(self) -> None:
        """C12: the discards below the top become the new pile, at the moment when a card is missing."""
        below = self.discards[:-1]
        if not below:
            return
        if self._given_reshuffles is not None:
            if not self._given_reshuffles or Counter(self._given_reshuffles[0]) != Counter(below):
                raise ValueError(f"the new pile must be these cards: {below}")
            below = self._given_reshuffles.pop(0)
        elif self._rng is not None:
            self._rng.shuffle(below)
        else:
            raise ValueError("the discards must be shuffled: give reshuffles or rng")
        self.discards = [self.top]
        self.pile = below
        self.reshuffled.append(list(below))

    def _draw(self) -> None:
        if self.owed > 0:  # C7
            self._take(self.seat, self.owed)
            self.owed = 0
            if not self.rules["draw_then_play"]:
                self._next_turn()
            return
        taken = self._take(self.seat, 1)  # C6
        if taken and self.rules["play_drawn"] and self._fits(taken[0]):
            self.phase = "drawn"
            self.drawn = taken[0]
        else:
            self._next_turn()

    # Playing a card

    def _play_card(self, card: str, wish: str | None) -> None:
        hand = self.hands[self.seat]
        hand.remove(card)
        self.discards.append(card)
        self.wish = wish  # C10: the old wish goes with the card played on it
        self.phase = "normal"
        self.drawn = None
        if not hand:
            self._play_last_card(card)
            return
        if len(hand) == 1 and self.rules["mau"] == "call" and not self.mau_said:
            self._take(self.seat, 2)  # C15: at once, before the card's effect
        self._apply_effect(card)

    def _apply_effect(self, card: str) -> None:
        rank = rank_of(card)
        two_players = len(self.hands) == 2
        if rank == "7":
            self.owed += 2  # C7
            self._next_turn()
        elif rank == "8":
            self._next_turn(skipped=1)  # C8
        elif rank == "9":
            self.direction = -self.direction  # C9
            self._next_turn(skipped=1 if two_players and self.rules["nine_skips_with_two"] else 0)
        elif rank == "A" and self.rules["ace"] == "skip":
            self._next_turn(skipped=1)  # C11
        elif rank == "A" and self.rules["ace"] == "again":
            self.phase = "again"  # C11: the same turn goes on
        else:
            self._next_turn()

    def _play_last_card(self, card: str) -> None:
        if rank_of(card) == "J" and not self.rules["win_with_jack"]:
            self._take(self.seat, 1)  # C14
            self._next_turn()
            return
        if rank_of(card) == "7" and self.rules["final_seven_draws"]:
            self._take(self._seat_after(1), self.owed + 2)  # C13
        self.owed, self.wish = 0, None  # C13: nothing of the last card's effect remains
        self._finish("emptied")

    # Turns and the end

    def _seat_after(self, steps: int) -> int:
        return (self.seat + steps * self.direction) % len(self.hands)

    def _next_turn(self, skipped: int = 0) -> None:
        self.seat = self._seat_after(1 + skipped)
        self.turns += 1
        self.phase = "normal"
        self.drawn = None
        self.mau_said = False  # C15: it held to the end of that turn

    def _end_if_stuck(self) -> None:
        """C17."""
        can_draw = bool(self.pile) or len(self.discards) > 1
        somebody_fits = any(self._fits(card) for hand in self.hands for card in hand)
        if self.end is None and self.owed == 0 and not can_draw and not somebody_fits:
            self._finish("stuck")

    def _end_if_too_long(self) -> None:
        """C18."""
        if self.end is None and self.turns >= self.rules["max_turns"]:
            self._finish("too long")

    def _finish(self, end: str) -> None:
        self.end = end
        results = [(len(hand), points_of(hand)) for hand in self.hands]  # C16
        self.ranking = [1 + sum(other < mine for other in results) for mine in results]
