# Every verb works on a fresh machine: it first makes what it needs, once.
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.PHONY: run test check format bench sanitize docs clean help

BIN := .venv/bin
PIP := $(BIN)/python -m pip install -q --no-build-isolation
NATIVE := CMakeLists.txt $(wildcard cpp/*.cpp cpp/*.h)
CPP := $(wildcard cpp/*.cpp cpp/*.h cpp/tests/*.cpp cpp/tests/*.h)
STUB := src/taquin/_native.pyi
STUBGEN := $(BIN)/python -m nanobind.stubgen -q -m taquin._native

export PIP_DISABLE_PIP_VERSION_CHECK := 1

# Or else each command that a test starts would compile all modules anew.
unexport PYTHONDONTWRITEBYTECODE

# The browser is fetched while the native part is built.
MAKEFLAGS += --jobs=2

## run       serve the page, or run taquin with your arguments: make run ARGS="--help"
run: .venv/.runtime
ifdef ARGS
	@$(BIN)/taquin $(ARGS)
else
	@$(BIN)/taquin serve
endif

# Three at a time, as many of them wait for something: two would leave two cores idle.
## test      all tests, and the examples in the docstrings
test: .venv/.runtime .venv/.dev .venv/.browser
	@$(BIN)/python -m pytest -n 3

## check     formatting, lint, types, the documentation, and that the native stub is up to date
check: .venv/.runtime .venv/.dev docs
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/clang-format --dry-run -Werror $(CPP)
	@mkdir -p build && $(STUBGEN) -o build/_native.pyi
	@diff -u $(STUB) build/_native.pyi || { echo "$(STUB) is out of date: make format"; exit 1; }

## format    apply the formatting, sort imports, and write the native stub anew
format: .venv/.runtime .venv/.dev
	@$(BIN)/ruff check -q --select I --fix-only .
	@$(BIN)/ruff format -q .
	@$(BIN)/clang-format -i $(CPP)
	@$(STUBGEN) -o $(STUB)

## bench     measure everything, or some of it: make bench ARGS="textbook korf"
bench: .venv/.runtime .venv/.dev build/bench/.ready
	@$(BIN)/python benchmarks/run.py $(ARGS)

## sanitize  the C++ tests under the address, undefined-behaviour and thread sanitizers
sanitize: .venv/.runtime .venv/.dev
	@$(MAKE) --no-print-directory --jobs=1 sanitize-address,undefined sanitize-thread

sanitize-%: .venv/.dev
	@$(BIN)/cmake -S . -B build/sanitize-$* -DTAQUIN_PYTHON=OFF -DTAQUIN_TESTS=ON \
	    -DTAQUIN_SANITIZE=$* -DCMAKE_BUILD_TYPE=RelWithDebInfo > /dev/null
	@$(BIN)/cmake --build build/sanitize-$* --parallel 2 > /dev/null
	@$(BIN)/ctest --test-dir build/sanitize-$* --output-on-failure

## docs      the documentation as HTML in build/docs
docs: .venv/.runtime .venv/.dev
	@$(BIN)/sphinx-build -q -W docs build/docs

## clean     remove everything that was made
clean:
	@rm -rf .venv build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	@find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} + 2>/dev/null || true

help:
	@sed -n 's/^## /make /p' Makefile

.venv/.created: tools/bootstrap.sh
	@tools/bootstrap.sh
	@$(PIP) --upgrade pip
	@touch $@

# Editable: Python sources are used in place, only the native part is built.
.venv/.runtime: .venv/.created pyproject.toml $(NATIVE)
	@$(PIP) "scikit-build-core>=1.1" "nanobind>=3.1" cmake ninja
	@$(PIP) -e .
	@touch $@

# The extra by itself: asking for it together with taquin would build the native part again.
.venv/.dev: pyproject.toml | .venv/.runtime
	@mkdir -p build
	@$(BIN)/python -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb")) \
		["project"]["optional-dependencies"]["dev"], sep="\n")' >build/dev.txt
	@$(PIP) -r build/dev.txt
	@touch $@

.venv/.browser: tools/browser.sh | .venv/.created
	@tools/browser.sh
	@touch $@

# What taquin is measured against wants an old NumPy, so it lives apart.
build/bench/.ready: | .venv/.runtime
	@$(BIN)/python -m venv build/bench
	@build/bench/bin/python -m pip install -q slidingpuzzle==0.1.5
	@touch $@
