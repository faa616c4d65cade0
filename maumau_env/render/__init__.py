"""Draws a table of Mau-Mau: as text, as a picture, in a window.

The renderer knows nothing of the game. It draws a `Scene`, a small record of what is seen from outside or
from one seat. Text needs nothing but Python; pictures and windows need pygame-ce, which is imported when they
are first asked for.
"""

from typing import TYPE_CHECKING

from maumau_env.render.scene import Scene
from maumau_env.render.text import ansi
from maumau_env.render.window import Window

if TYPE_CHECKING:
    import numpy as np

__all__ = ["Scene", "Window", "ansi", "picture"]


def picture(scene: Scene) -> "np.ndarray":
    """The table as an RGB picture, uint8 of shape (640, 960, 3); the same scene gives the same bytes.

    Needs pygame-ce but no display; raises ImportError with the command to install it.
    """
    from maumau_env.render.table import paint

    return paint(scene)
