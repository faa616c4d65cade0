"""What does each part of the training pay? Paired runs of several configs, and a table of the differences.

    python -m tools.ablations [configs/ablations] [--seeds 1 2 3] [--runs runs/ablations] [--out table.md]

Every config of the folder is run once with each seed and measured against the heuristic on the same deals, as train.py
does at the end. The difference to `base` is taken seed by seed; its interval is Student's over the seeds, so with three
of them it is wide. Runs that are there already are not repeated, those that were interrupted go on.
"""

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import tyro
from scipy import stats

from agents.checkpoint import CHECKPOINT
from agents.config import read_config

BASE = "base"
TRAIN = Path(__file__).resolve().parents[1] / "train.py"


@dataclass(frozen=True)
class Options:
    """The command line."""

    configs: tyro.conf.Positional[Path] = Path("configs/ablations")
    """Folder of configs, one of them base.yaml."""
    seeds: tuple[int, ...] = (1, 2, 3)
    """Seeds with which each of them is run."""
    runs: Path = Path("runs/ablations")
    """Where the runs are kept."""
    out: Path | None = None
    """File for the table, in Markdown."""


def main(options: Options) -> None:
    """Run what has not been run yet, and print the table."""
    names = sorted(path.stem for path in options.configs.glob("*.yaml"))
    names.sort(key=lambda name: name != BASE)
    if not names or names[0] != BASE:
        sys.exit(f"tools.ablations: error: {options.configs} has no {BASE}.yaml to compare with")
    rates: dict[str, list[float]] = {name: [] for name in names}
    for seed in options.seeds:
        for name in names:
            rates[name].append(win_rate(options.configs / f"{name}.yaml", seed, options.runs / f"seed_{seed}"))
    text = table(rates)
    print(text)
    if options.out is not None:
        options.out.write_text(text + "\n", encoding="utf-8")


def win_rate(config: Path, seed: int, runs: Path) -> float:
    """How often the bot of a run wins against the heuristic, 0 to 1; a run that is not there yet is made or resumed."""
    folder = run_of(config, seed, runs)
    if folder is None or not is_done(folder):
        again = folder is not None and (folder / CHECKPOINT).exists()
        new = ["--config", str(config), "--seed", str(seed), "--runs", str(runs)]
        command = [sys.executable, str(TRAIN), *(["--resume", str(folder)] if again else new)]
        code = subprocess.run(command, check=False, stdout=sys.stderr).returncode
        folder = run_of(config, seed, runs)
        if folder is None or not is_done(folder):
            sys.exit(f"tools.ablations: the run of {config} with seed {seed} came to no end (exit code {code})")
    result = json.loads((folder / "result.json").read_text(encoding="utf-8"))
    (found,) = (each for each in result["strength"] if each["bots"][1]["name"] == "heuristic")
    return found["bots"][0]["win_rate"]


def run_of(config: Path, seed: int, runs: Path) -> Path | None:
    """The last run with exactly this config and seed."""
    wanted = read_config(config).model_copy(update={"seed": seed, "runs": runs})
    folders = (path.parent for path in sorted(runs.glob("*/config.yaml")))
    return next((folder for folder in reversed([*folders]) if read_config(folder / "config.yaml") == wanted), None)


def is_done(folder: Path) -> bool:
    """Whether a run has been measured at its end."""
    result = folder / "result.json"
    return result.exists() and "strength" in json.loads(result.read_text(encoding="utf-8"))


def table(rates: dict[str, list[float]]) -> str:
    """Win rates by seed, and the mean difference to the base with its 95 % interval, in percentage points."""
    lines = ["| config | win rate by seed, % | difference to base |", "|---|---|---|"]
    for name, found in rates.items():
        by_seed = " ".join(f"{100 * rate:.1f}" for rate in found)
        lines.append(f"| {name} | {by_seed} | {difference(found, rates[BASE]) if name != BASE else ''} |")
    return "\n".join(lines)


def difference(found: list[float], base: list[float]) -> str:
    """Mean of the paired differences, and where it lies with 95 % confidence."""
    each = 100 * (np.array(found) - np.array(base))
    if len(each) < 2:
        return f"{each[0]:+.1f}"
    reach = stats.t.ppf(0.975, len(each) - 1) * each.std(ddof=1) / np.sqrt(len(each))
    return f"{each.mean():+.1f} ({each.mean() - reach:+.1f} to {each.mean() + reach:+.1f})"


if __name__ == "__main__":
    main(tyro.cli(Options))
