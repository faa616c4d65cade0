"""What strong play knows: tips with evidence, decisions and played games taken apart; `explore.py` is its command."""
