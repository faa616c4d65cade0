# Everything runs inside .venv, which the first command makes. A newer Python: make PYTHON=python3.12 train
PYTHON ?= python3
VENV   ?= .venv
CONFIG ?= configs/classic_2p.yaml
# Further arguments: make train ARGS="--seed 7", make bench ARGS="--json figures.json"
ARGS   ?=
# The tests run side by side in as many processes as there are cores, four at most: each compiles on its own.
PYTEST_ARGS ?= -n auto --maxprocesses 4 --dist worksteal

BIN         := $(VENV)/bin
PIP_INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt
INPUTS      := pyproject.toml constraints.txt

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help train test lint bench clean

help:
	@echo "make train   install into $(VENV), train a two-player bot, measure it and say how to play it"
	@echo "make test    install the rest, check style and types, run all tests"
	@echo "make lint    style and types only"
	@echo "make bench   decisions per second, beside OpenSpiel and RLCard"
	@echo "make clean   remove $(VENV) and all caches; runs/ stays"

train: $(VENV)/.installed-train
	$(BIN)/python train.py --config $(CONFIG) $(ARGS)

test: lint
	$(BIN)/python -m pytest $(PYTEST_ARGS) $(ARGS)

lint: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/ty check --python $(VENV)

bench: $(VENV)/.installed-bench
	$(BIN)/python benchmarks/throughput.py $(ARGS)

clean:
	rm -rf $(VENV) .pytest_cache .ruff_cache .hypothesis dist
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

$(VENV)/.installed-train: EXTRAS := train
$(VENV)/.installed-test:  EXTRAS := train,dev
$(VENV)/.installed-bench: EXTRAS := train,benchmark

# One stamp for each set of extras: pip runs again only when the packaging files have changed.
$(VENV)/.installed-%: $(INPUTS) | $(BIN)/pip
	@echo "Installing .[$(EXTRAS)] into $(VENV); the first time this takes a few minutes ..."
	@$(PIP_INSTALL) -e ".[$(EXTRAS)]"
	@touch $@

$(BIN)/pip:
	@command -v $(PYTHON) >/dev/null || { echo "$(PYTHON) is not here: install Python 3.11 or newer, or name yours with make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "$$($(PYTHON) --version) is too old: Python 3.11 or newer is needed; name yours with make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { echo "$(PYTHON) cannot make virtual environments: install its venv package (on Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV)
