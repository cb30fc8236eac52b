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

evaluate-eyes: $(READY) ## how well cards, chips and dice are read (REAL=folder of real photographs, if you have one)
	$(BIN)/python -m models.evaluate $(if $(REAL),--real $(REAL))

bench: $(READY) ## speed and memory
	$(BIN)/python -m datasets.bench

test-train: $(READY) ## install the extra for training (torch) and train for a minute, end to end
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dev,simulate,train]'
	$(BIN)/fairdeal train finder --minutes 0.5 --out build/training
	$(BIN)/fairdeal train reader --minutes 0.5 --out build/training

docs: $(READY) ## write the generated pages in docs/ and the demo's logs anew
	$(BIN)/python -m datasets.demo
	$(BIN)/python -m auditor.docs

clean: ## remove the virtual environment and caches
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache .hypothesis

.PHONY: help demo test evaluate evaluate-eyes bench test-train docs clean
