"""The tips that people give, by what they are about; `folk_tips.py` is the list of them all."""
