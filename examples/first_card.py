"""Plays the first card that it may: a whole bot of a few lines, in any language. docs/guests.md tells what it is asked.

python evaluate.py "process:python examples/first_card.py" random
"""

import json
import sys

for line in sys.stdin:
    asked = json.loads(line)
    print(json.dumps({"action": asked["legal"][0]}), flush=True)
