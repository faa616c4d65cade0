"""The one door to pygame-ce: everything that draws imports `pygame` from here."""

import os

os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # else it greets on the user's standard output

try:
    import pygame
except ImportError as error:
    raise ImportError('pictures and windows need pygame-ce: pip install "maumau-env[render]"') from error

__all__ = ["pygame"]
