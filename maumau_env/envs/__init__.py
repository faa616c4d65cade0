"""One adapter for each API: PettingZoo (`aec`), Gymnasium (`solo`), stable-baselines3 (`vec`)."""
