"""The game itself: cards, actions, rules, play, records. It knows nothing of seats, interfaces or agents."""
