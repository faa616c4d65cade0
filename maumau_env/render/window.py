"""A window that shows the table, for `render_mode="human"`."""

import math
import os
import time
from typing import TYPE_CHECKING

from maumau_env.render.scene import Scene

if TYPE_CHECKING:
    import pygame

NO_DISPLAY = (
    'no window can be opened for render_mode="human" ({reason}); '
    'render_mode="rgb_array" (pictures) and render_mode="ansi" (text) need no display'
)
PATIENCE = 0.02  # seconds between two looks at the window's events while a picture stands


class Window:
    """Shows scenes in a window, which opens at the first `show`.

    Once the user has closed the window, further scenes are passed over at once and the program goes on.
    """

    def __init__(self, title: str = "Mau-Mau") -> None:
        self._title = title
        self._open = False
        self._dismissed = False  # closed by the user
        self._shown_at = -math.inf  # seconds of time.monotonic

    def show(self, scene: Scene, fps: float) -> None:
        """Draws the scene, not before the one ahead of it has stood for 1 / fps seconds.

        Raises ValueError unless fps is above 0, RuntimeError without a display, and ImportError without
        pygame-ce.
        """
        if not fps > 0:
            raise ValueError(f"fps must be above 0, got {fps!r}")
        if self._dismissed:
            return
        screen = _screen(self._title)
        self._open = True
        self._wait_until(self._shown_at + 1 / fps)
        if self._open:
            _blit(scene, screen)
            self._shown_at = time.monotonic()
            self._look_at_events()

    def close(self) -> None:
        """Closes the window, if there is one. A later `show` opens it again."""
        if self._open:
            self._quit()
        self._dismissed = False

    def _wait_until(self, moment: float) -> None:
        self._look_at_events()
        while self._open and (left := moment - time.monotonic()) > 0:
            time.sleep(min(left, PATIENCE))
            self._look_at_events()

    def _look_at_events(self) -> None:
        """Keeps the window alive, and lets the user close it."""
        from maumau_env.render.pygame_ce import pygame

        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self._dismissed = True
            self._quit()

    def _quit(self) -> None:
        from maumau_env.render.pygame_ce import pygame

        pygame.display.quit()
        self._open = False
        self._shown_at = -math.inf


def _screen(title: str) -> "pygame.Surface":
    """The open window, or a new one where there is none yet or other code has closed it."""
    from maumau_env.render.pygame_ce import pygame
    from maumau_env.render.table import SIZE

    screen = pygame.display.get_surface() if pygame.display.get_init() else None
    if screen is not None and screen.get_size() == SIZE:
        return screen
    try:
        pygame.display.init()
        # Without a display SDL takes an invisible driver in silence: the user would wait for a window.
        if pygame.display.get_driver() == "offscreen" and not os.environ.get("SDL_VIDEODRIVER"):
            pygame.display.quit()
            raise pygame.error("no display found")
        screen = pygame.display.set_mode(SIZE)
    except pygame.error as error:
        raise RuntimeError(NO_DISPLAY.format(reason=error)) from error
    pygame.display.set_caption(title)
    return screen


def _blit(scene: Scene, screen: "pygame.Surface") -> None:
    from maumau_env.render.pygame_ce import pygame
    from maumau_env.render.table import SIZE, paint

    screen.blit(pygame.image.frombuffer(paint(scene).tobytes(), SIZE, "RGB"), (0, 0))
    pygame.display.flip()
