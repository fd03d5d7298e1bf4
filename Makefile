# Two commands do everything on a machine with Python 3.11 or newer:
#   make demo   install, simulate a four-bar, write an animated page, a plot and a result file
#   make test   install, run all checks and tests; every run repeats the same examples
# more for those who work on it:
#   make package  build a wheel and an sdist, and try both in bare environments of the oldest and the newest Python here
#   make bench    Linkwork beside every other program that pip installs: two minutes, a table and bench.html; WHOLE=1 takes all
#   make quick    what tells most in little time: the small rooms, and every pair of choices in some run (tests/quick.txt)
#   make explore  a search for faults: new examples for all tests of properties, and every cell of the matrix of choices
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CORE := $(VENV)/.core
MARK := $(VENV)/.complete
TIMES ?= 1
# tests start programs, which would translate the package again each time
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test quick explore cross mistakes checks lint types layers unit docs pages bench benchmarks package clean

demo: $(CORE)
	$(BIN)/linkwork demo --out demo --force

# the other checks use one core only: they run beside the tests
# the examples run among the tests: pages are built without running them again
test: $(MARK)
	$(MAKE) --no-print-directory --jobs=2 unit checks

checks: lint types layers pages

quick: $(MARK)
	MPLBACKEND=Agg $(BIN)/pytest -n auto @tests/quick.txt

# models with plausible mistakes through every verb: make mistakes COUNT=5000 SEED=1; FURTHER=1 asks what else there is, STOPPED=1 adds stops and friction
COUNT ?= 500
mistakes: $(MARK)
	MPLBACKEND=Agg $(BIN)/python tests/properties/mutated_models.py --count $(COUNT) --seed $(or $(SEED),0)$(if $(FURTHER), --further)$(if $(STOPPED), --stopped)

explore: $(MARK)
	MPLBACKEND=Agg HYPOTHESIS_PROFILE=explore EXPLORE_TIMES=$(TIMES) $(BIN)/pytest -n auto -m "hypothesis or matrix" $(if $(SEED),--hypothesis-seed=$(SEED))

# mechanisms of the library with additions, in random combinations of methods: make cross CELLS=5000 SEED=0 PROCESSES=2
# REPORT=crossings.jsonl writes a line for every cell as it goes, and goes on where the file ends
cross: $(MARK)
	MPLBACKEND=Agg $(BIN)/python benchmarks/crossings.py --cells $(or $(CELLS),5000) --seed $(or $(SEED),0) --processes $(or $(PROCESSES),1) $(if $(REPORT),--report $(REPORT))

lint: $(MARK)
	$(BIN)/ruff check src tests examples benchmarks docs
	$(BIN)/ruff format --check src tests examples benchmarks docs

types: $(MARK)
	$(BIN)/mypy

layers: $(MARK)
	$(BIN)/lint-imports

unit: $(MARK)
	MPLBACKEND=Agg $(BIN)/pytest -n auto

docs: $(MARK)
	MPLBACKEND=Agg $(BIN)/sphinx-build -W -q -b html docs docs/_build/html

pages: $(MARK)
	MPLBACKEND=Agg $(BIN)/sphinx-build -W -q -b html -D plot_gallery=0 docs docs/_build/pages

# the other programs go into the same environment; one that cannot be installed is left out, and named in the table
bench: $(CORE)
	$(BIN)/python -c "import tomllib, subprocess, sys; [subprocess.run([sys.executable, '-m', 'pip', 'install', '--quiet', name]) for name in tomllib.load(open('pyproject.toml', 'rb'))['project']['optional-dependencies']['bench']]"
	$(BIN)/linkwork bench $(if $(WHOLE),,--quick) --html bench.html --force

benchmarks: $(MARK)
	$(BIN)/python benchmarks/run.py

package: $(CORE)
	rm -rf dist
	$(BIN)/python -m pip install --quiet "build>=1.2"
	$(BIN)/python -m build --outdir dist .
	$(BIN)/python tests/bare_install.py dist $(PYTHONS)

$(CORE): pyproject.toml
	@$(PYTHON) -c "import sys; sys.exit('Linkwork needs Python 3.11 or newer, this is ' + sys.version.split()[0] + '; try make PYTHON=python3.11' if sys.version_info < (3, 11) else 0)"
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e .
	touch $(CORE)

$(MARK): $(CORE)
	$(BIN)/python -m pip install --quiet -e ".[test,docs]"
	touch $(MARK)

clean:
	rm -rf $(VENV) demo docs/_build docs/gallery docs/api/generated build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
