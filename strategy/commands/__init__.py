"""The subcommands of `explore.py`.

Each module has `add_parser(subparsers)` and `run(arguments)`, which returns the exit code: 0, or 130 when Ctrl-C cut it
short and what there was by then has been kept.
"""
