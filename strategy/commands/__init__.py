"""The subcommands of `explore.py`.

Each module has `add_parser(subparsers)` and `run(arguments)`, which returns the exit code: 0; 130 when Ctrl-C cut it
short, or FAILED when a tip or the bot failed on the way, and what there was by then has been kept.
"""

FAILED = 1
"""The exit code when something of the user's failed, and the rest has been kept."""
