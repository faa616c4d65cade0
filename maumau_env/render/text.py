"""The table as plain text. Needs no display and no library."""

import textwrap

from maumau_env.render.scene import SYMBOLS, Scene, end_sentence, last_move_sentence, ordinal, printable

WIDTH = 110


def ansi(scene: Scene) -> str:
    """The table as lines of text without colour codes, every seat's hand at most 110 characters wide.

    Cards are written in letters with the suit's symbol beside them ("7H♥"), so that they can be typed, and
    read where the symbols are missing. The player to move is marked with ">".
    """
    lines = [scene.heading] if scene.heading else []
    lines += [_state_line(scene), _middle_line(scene), *_seat_lines(scene)]
    if move := last_move_sentence(scene, _with_symbol):
        lines.append(f"Last move: {move}")
    if scene.to_move is not None:
        lines.append(f"To move: {printable(scene.players[scene.to_move])}")
    if end := end_sentence(scene):
        lines.append(end)
    return "\n".join(lines)


def _with_symbol(text: str) -> str:
    return text + SYMBOLS[text[-1]]


def _state_line(scene: Scene) -> str:
    direction = "clockwise" if scene.direction > 0 else "anticlockwise"
    return f"Turn {scene.turn} of {scene.max_turns}, {direction}"


def _middle_line(scene: Scene) -> str:
    wish = f"wish {_with_symbol(scene.wish)}" if scene.wish else "no wish"
    owed = f"owed +{scene.owed}" if scene.owed else "nothing owed"
    return f"Top {_with_symbol(scene.top)} | {wish} | {owed} | stock {scene.pile} | discards {scene.discards}"


def _seat_lines(scene: Scene) -> list[str]:
    names = [printable(name) for name in scene.players]
    width = max(map(len, names))
    lines = []
    for seat, name in enumerate(names):
        mark = ">" if seat == scene.to_move else " "
        rank = f"{ordinal(scene.ranking[seat])}  " if scene.ranking else ""
        head = f"{mark} {rank}{name:<{width}}  {scene.cards_of(seat):>2}  {scene.calls[seat]:<8}  "
        lines += textwrap.wrap(_hand(scene, seat), WIDTH, initial_indent=head, subsequent_indent=" " * len(head))
    return lines


def _hand(scene: Scene, seat: int) -> str:
    hand = scene.hands[seat]
    if isinstance(hand, int):
        return "(face down)" if hand else "-"
    return " ".join(map(_with_symbol, hand)) or "-"
