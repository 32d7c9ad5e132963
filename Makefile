# make demo · make check · make test · make lint · make docs · make bench · make stress · make clean        (PYTHON=python3.12 make demo: another Python)
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install -q --disable-pip-version-check -c constraints.txt
# the packages of a dependency group, one a line (pip itself reads groups from 25.1 on)
GROUP := $(BIN)/python -c 'import sys, tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"][sys.argv[1]], sep="\n")'

# kernels that check their indices; their machine code is kept apart from the others'
BOUNDS := NUMBA_BOUNDSCHECK=1 NUMBA_CACHE_DIR=$(CURDIR)/.venv/bounds

# bytecode is kept: a command that a test starts as a process of its own loads it instead of compiling every module
unexport PYTHONDONTWRITEBYTECODE

# tests that are fast with the compiler off
FAST := tests/unit tests/conformance/test_requirements.py tests/conformance/test_runs.py
# tests of compiled code that run once more with the compiler off; most others run small problems, interpreted anyway
KERNELS := $(wildcard $(patsubst %,tests/conformance/test_%.py,routes requirements) \
  $(patsubst %,tests/unit/test_%.py,exact_sign files))
ONE := $(BIN)/python -m pytest
PYTEST := $(ONE) -n 2 --dist worksteal

.PHONY: demo check test browser test-off test-bounds lint docs bench stress clean
.DEFAULT_GOAL := demo

$(BIN)/pip:
	$(PYTHON) -m venv .venv

.venv/plain.stamp: pyproject.toml constraints.txt | $(BIN)/pip
	@echo "setting up .venv (once) ..."
	$(PIP) -e .
	@touch $@

.venv/dev.stamp: .venv/plain.stamp
	@echo "setting up the development tools (once) ..."
	@$(GROUP) dev > .venv/dev.txt
	$(PIP) -r .venv/dev.txt
	@touch $@

.venv/docs.stamp: .venv/dev.stamp
	@echo "setting up the tools of the documentation (once) ..."
	@$(GROUP) docs > .venv/docs.txt
	$(PIP) -r .venv/docs.txt
	@touch $@

demo: .venv/plain.stamp
	@mkdir -p build; printf 'a,b,label\n0,0,no\n1,0,yes\n0,1,yes\n1,1,no\n' > build/xor.csv
	@echo; echo "== Malignant or benign: real data, every fourth patient kept out for the test. (A first run compiles for a few seconds.)"
	$(BIN)/novikoff fit --example breast-cancer --scale --holdout 0.25
	@echo; echo "== The same with a soft margin, which allows errors; C is chosen on held-out points."
	$(BIN)/novikoff fit --example breast-cancer --scale --holdout 0.25 --soft hinge --C auto
	@echo; echo "== XOR: no plane separates these four points, and here is the proof. (Exit code 1 says no.)"
	$(BIN)/novikoff certify build/xor.csv -o build/proof.json; test $$? -eq 1
	@echo; echo "== Anyone can check the proof; the checker is one short program."
	$(BIN)/novikoff verify build/proof.json build/xor.csv
	@echo; echo "== The lecture: every update of the slide's example, in exact fractions; build/run.html steps through them."
	$(BIN)/novikoff trace --example cornwell --html build/run.html
	@echo; echo "== One page about a data set, with proof, margin, learners and their errors: open build/report.html."
	$(BIN)/novikoff report --example digits --classes 3,8 -o build/report.html

check: lint
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not compiled and not slow" $(FAST)

# every test in two processes; then two shorter runs at a time in one process each
test: .venv/dev.stamp browser
	$(PYTEST) tests
	$(MAKE) --no-print-directory -j2 test-off test-bounds

# Debian's chromium, for the tests of the pages; without it they are skipped, or fail if CI is set
browser:
	@command -v "$${CHROMIUM:-chromium}" > /dev/null || { test "$$(id -u)" = 0 && command -v apt-get > /dev/null \
	  && echo "installing chromium (once) ..." && apt-get update -qq \
	  && apt-get install -y -qq --no-install-recommends chromium > /dev/null; } \
	  || echo "chromium is not installed: the tests of the pages in a browser are skipped (in CI they fail)"

test-off: .venv/dev.stamp
	NUMBA_DISABLE_JIT=1 $(ONE) -m "not compiled and not slow" $(KERNELS)

test-bounds: .venv/dev.stamp
	$(BOUNDS) $(ONE) -m bounds $$(grep -rl mark.bounds tests --include='test_*.py')

lint: .venv/dev.stamp
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/codespell

# the site, with every example of the gallery run: open build/docs/index.html
docs: .venv/docs.stamp
	rm -rf docs/_gallery docs/reference/generated
	$(BIN)/python -m sphinx -q -W --keep-going -b html -d build/doctrees docs build/docs

bench: .venv/dev.stamp
	$(BIN)/python -m benchmarks

stress: .venv/dev.stamp
	STRESS=1 $(BIN)/python -m pytest tests/stress tests/property
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m "not compiled" tests/unit tests/conformance
	NUMBA_CPU_NAME=generic $(PYTEST) -m "twins and not compiled" tests
	$(BOUNDS) $(PYTEST) -m "not twins" tests/unit tests/conformance tests/e2e

clean:
	rm -rf .venv build dist docs/_gallery docs/reference/generated .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis .coverage htmlcov
	find src tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +
