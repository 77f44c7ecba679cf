# Everything from a machine that has Python (with venv and headers), a C++ compiler and make:
#   make demo          train a small no-limit bot, measure it by Local Best Response, report its leaks
#   make test          lint, types and tests, against the built wheel
#   make test-extras   tests that need torch or ray
#   make bench         ratios against other libraries, in an environment of its own
#   make docs          rewrite the generated pages
PYTHON ?= python3
ifeq ($(origin CXX),default)  # make's own default is g++, which a machine with clang only does not have
CXX := c++
endif
SOURCES := $(shell find native src CMakeLists.txt pyproject.toml constraints.txt README.md -type f \
             -not -name '*.so' -not -path '*/__pycache__/*')
PIP = -m pip --quiet --disable-pip-version-check

.PHONY: demo test test-extras bench docs lint tools clean
.DELETE_ON_ERROR:

demo: .venv/installed
	.venv/bin/nashgap demo

test: .venv/tests-installed lint
	.venv/bin/python -m pytest -m "not extras"

lint: .venv/tests-installed
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/python docs/generate.py --check

test-extras: .venv/tests-installed
	@if grep -rqs "mark.extras" tests; then \
	  .venv/bin/python $(PIP) install --constraint constraints.txt --requirement tests/requirements-extras.txt \
	    && .venv/bin/python -m pytest -m extras; \
	else echo "no test needs torch or ray yet"; fi

bench: .venv-bench/installed
	.venv-bench/bin/python benchmarks/run.py

docs: .venv/installed
	.venv/bin/python docs/generate.py

# One wheel serves both environments; --force-reinstall because the version number stays while the code changes.
build/wheel/built: $(SOURCES) | tools
	@mkdir -p build/wheel && rm -f build/wheel/*.whl
	$(PYTHON) -m venv build/wheel/venv
	build/wheel/venv/bin/python $(PIP) wheel --no-deps --wheel-dir build/wheel .
	@touch $@

.venv/installed: build/wheel/built constraints.txt
	$(PYTHON) -m venv .venv
	.venv/bin/python $(PIP) install --force-reinstall --no-deps build/wheel/*.whl
	.venv/bin/python $(PIP) install --constraint constraints.txt nashgap
	@touch $@

.venv/tests-installed: .venv/installed
	.venv/bin/python $(PIP) install --constraint constraints.txt "nashgap[test]"
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
	rm -rf .venv .venv-bench build
