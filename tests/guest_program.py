"""A guest that plays the first legal action, and at one card does something else: python guest_program.py WHAT."""

import json
import os
import signal
import sys
import time

CARD = "QH"


def speak(text: str) -> None:
    sys.stdout.write(text)
    sys.stdout.flush()


def misbehave(what: str) -> None:
    says = {
        "error": '{"error": "I do not\\nlike it"}\n',
        "garbage": "thinking ...\n",
        "unknown": '{"action": "7Z"}\n',
        "illegal": '{"action": "mau"}\n',
        "two lines": '{"action": "draw"}\n{"action": "draw"}\n',
        "huge line": '{"action": "' + "x" * 100_000 + '"}\n',
        "endless line": "x" * 100_000,
    }
    match what:
        case "raises":
            raise RuntimeError("no idea")
        case "exits":
            os._exit(3)
        case "is killed":
            os.kill(os.getpid(), signal.SIGKILL)
        case "closes its output":
            os.close(1)
            time.sleep(60)
        case "hangs":
            time.sleep(60)
        case "not utf-8":
            os.write(1, b'{"action": "\xff\xfe"}\n')
        case _:
            speak(says[what])
    if what == "endless line":
        time.sleep(60)


def main(what: str) -> None:
    for line in sys.stdin:
        asked = json.loads(line)
        if what == "loud":
            sys.stderr.write("x" * 200_000 + "\n")
        if what not in ("honest", "loud") and asked["view"]["top"] == CARD:
            misbehave(what)
            continue
        speak(json.dumps({"action": asked["legal"][0]}) + "\n")


main(sys.argv[1])
