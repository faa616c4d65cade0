"""The subcommands of `explore.py`: each module adds its options and runs what was asked."""
