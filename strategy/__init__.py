"""What is to be learned from strong bots: about a single decision, about a played game, about the game itself."""
