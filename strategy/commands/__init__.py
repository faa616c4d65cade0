"""The subcommands of `explore.py`: each module has `add_parser(subparsers)` and `run(arguments)`."""
