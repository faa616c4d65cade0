"""What one seat may know of a game, and how it is written down for a network."""
