# A Python of 3.11 or newer that can make virtual environments; `make venv PYTHON=...` picks another.
PYTHON ?= $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import ensurepip, sys, venv; sys.exit(sys.version_info < (3, 11))' 2>/dev/null \
	&& echo $$p && break; done)
JOBS ?= 2
SEED ?= $(shell date +%s)
SCOPE ?= tiny small

VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.made
PYTEST := $(BIN)/python -m pytest

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help venv test lint types tests interpreters conform conform-all explore soak bench docs docs-check clean

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' $(firstword $(MAKEFILE_LIST)) | expand -t 22

venv: $(STAMP) ## make .venv with the project and its tools; made again when pyproject.toml changes

# One that was not made here is filled, and nothing in it is cleared.
$(STAMP): pyproject.toml
	@test -n "$(PYTHON)" || { echo "fencepost needs Python 3.11 or newer with venv" >&2; exit 1; }
	$(PYTHON) -m venv $(if $(wildcard $(STAMP)),--clear )$(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@

test: lint types tests interpreters ## everything: lint, types, all tests, and the other interpreters

lint: $(STAMP) ## ruff, rules and format
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(STAMP) ## mypy and basedpyright, both strict
	$(BIN)/mypy
	$(BIN)/basedpyright

tests: $(STAMP) ## the tests, on the interpreter of .venv
	$(PYTEST) -n $(JOBS) --dist loadgroup

interpreters: $(STAMP) ## the quick tests on every other supported interpreter; names the missing ones
	@JOBS=$(JOBS) .ci/interpreters

conform: $(STAMP) ## check the bundled reference agent
	$(BIN)/fencepost check agent

conform-all: conform ## check everything that is bundled: agent, ledger, model, resources, controller
	$(BIN)/fencepost check ledger
	$(BIN)/fencepost check model
	$(BIN)/fencepost check resources
	$(BIN)/fencepost check controller

explore: $(STAMP) ## walk every trace of the tiny and small scopes; SCOPE="medium" names others (large: with a budget)
	$(BIN)/fencepost explore $(SCOPE)

soak: $(STAMP) ## the long runs; SEED=... repeats one
	@echo "soak: seed $(SEED); to repeat: make soak SEED=$(SEED)"
	$(PYTEST) -n $(JOBS) --dist loadgroup -m "soak or machine" --timeout 7200 \
		--hypothesis-profile=long --hypothesis-seed=$(SEED) model_tests \
	|| { echo "soak: failed with seed $(SEED); to repeat: make soak SEED=$(SEED)"; exit 1; }

bench: $(STAMP) ## the benchmarks, one after another, with their figures
	$(PYTEST) -n 0 -s -m bench --timeout 1200 model_tests/benchmarks

docs: $(STAMP) ## render the reference pages from the specification
	$(BIN)/python -m fencepost.report.render

docs-check: $(STAMP) ## fail when a rendered page is stale
	$(BIN)/python -m fencepost.report.render --check

clean: ## remove what the other targets made
	rm -rf $(VENV) .venv-3.* build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
	find spec reference model_tests -name __pycache__ -type d -prune -exec rm -rf {} +
