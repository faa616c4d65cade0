"""The window of `render_mode="human"`: it opens late, closes at any moment, or says why it cannot open."""

from dataclasses import replace

import pytest
from scenes import MIDGAME

from maumau_env.render import Window, picture


@pytest.fixture
def no_screen(monkeypatch):
    import pygame

    pygame.display.quit()
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    yield pygame
    pygame.display.quit()


def test_window_opens_at_the_first_show_and_shows_the_picture(no_screen):
    window = Window()
    assert not no_screen.display.get_init()
    for scene in (MIDGAME, replace(MIDGAME, turn=13)):
        window.show(scene, fps=1000)
        seen = no_screen.surfarray.array3d(no_screen.display.get_surface()).transpose(1, 0, 2)
        assert (seen == picture(scene)).all()
    window.close()
    assert not no_screen.display.get_init()
    window.close()


def test_window_closed_by_the_user_stays_closed_and_the_program_goes_on(no_screen):
    window = Window()
    window.show(MIDGAME, fps=1000)
    no_screen.event.post(no_screen.event.Event(no_screen.QUIT))
    window.show(MIDGAME, fps=1000)
    window.show(MIDGAME, fps=0.001)  # passed over at once: nobody waits a thousand seconds
    assert not no_screen.display.get_init()
    window.close()
    window.show(MIDGAME, fps=1000)
    assert no_screen.display.get_init()


def test_window_closed_while_a_picture_stands_ends_the_wait(no_screen):
    window = Window()
    window.show(MIDGAME, fps=1000)
    no_screen.time.set_timer(no_screen.QUIT, 50, loops=1)
    window.show(MIDGAME, fps=0.001)
    assert not no_screen.display.get_init()


def test_two_windows_in_one_program_do_not_hurt_each_other(no_screen):
    first, second = Window("first"), Window("second")
    first.show(MIDGAME, fps=1000)
    second.show(MIDGAME, fps=1000)
    first.close()
    second.show(MIDGAME, fps=1000)
    second.close()
    first.close()


def test_window_without_a_display_names_the_other_render_modes(no_screen, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "no such driver")
    with pytest.raises(RuntimeError, match=r'"human".*"rgb_array".*"ansi"'):
        Window().show(MIDGAME, fps=1000)


def test_window_that_nobody_could_see_is_an_error(no_screen, monkeypatch):
    monkeypatch.setenv("SDL_VIDEODRIVER", "offscreen")
    no_screen.display.init()
    monkeypatch.delenv("SDL_VIDEODRIVER")  # now it is SDL's own choice, as on a machine without a display
    with pytest.raises(RuntimeError, match="no display found"):
        Window().show(MIDGAME, fps=1000)


@pytest.mark.parametrize("fps", [0, -1, float("nan")])
def test_window_refuses_an_impossible_fps(fps):
    with pytest.raises(ValueError, match="fps must be above 0"):
        Window().show(MIDGAME, fps=fps)
