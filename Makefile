# Two commands do everything, set-up included: `make demo` and `make test`.
.DEFAULT_GOAL := help
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

help: ## show the commands
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed 's/:.*## /\t/' | expand -t 12

$(READY): pyproject.toml .ci/system-packages
	./.ci/system-packages
	@python3 -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "fairdeal needs python3 3.11 or newer"; exit 1; }
	python3 -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,simulate]'
	touch $@

demo: $(READY) ## audit the shipped table logs of every game, print what is wrong, serve the review site
	$(BIN)/fairdeal demo

test: $(READY) ## lint, types, tests
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/pytest -n 2

evaluate: $(READY) ## the long checks against independent oracles (minutes)
	$(BIN)/python -m datasets.evaluate

bench: $(READY) ## speed and memory
	$(BIN)/python -m datasets.bench

docs: $(READY) ## write the generated pages in docs/ and the demo's logs anew
	$(BIN)/python -m datasets.demo
	$(BIN)/python -m auditor.docs

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

.PHONY: help demo test evaluate bench docs clean
