"""Bots that are guests: each plays in a process of its own and sees the view of its seat, line by line (JSON)."""
