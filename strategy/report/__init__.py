"""The page of `explore.py tips --report`: each tip as a card, in words for players, with the figures folded away."""
