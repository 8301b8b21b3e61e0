# Every target does its own set-up; nothing needs to be installed but Python 3.11 or newer (or uv).

PY := .venv/bin/python
ENVIRONMENT := sh reviewapp/runtime/environment.sh
# Extra words for pytest: make test ARGS="-k supervisor"
ARGS ?=
# Half of what the tests of pages, workers and races do is waiting, so there are more of them than cores.
WORKERS ?= 4

# Where it is set, every process that a test starts would compile the whole project again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help up test test-rules check format messages screenshots bench lock clean base backends dev

help: ## Say what there is
	@grep -E '^[a-z-]+:.*## ' Makefile | sed 's/:.*## /\t/' | expand -t 14

base:
	@$(ENVIRONMENT) base

backends: ## Install what the memory backends vector and hindsight need
	@$(ENVIRONMENT) backends

dev:
	@$(ENVIRONMENT) dev

up: base ## Start the whole desk and print its address; Ctrl-C stops it
	@exec $(PY) manage.py up

test: dev ## All tests: on SQLite, and beside it races and vendor tests on PostgreSQL
	@$(PY) -m tests.everything -n $(WORKERS) $(ARGS)

test-rules: dev ## The rules alone, in seconds
	$(PY) -m pytest tests/rules $(ARGS)

check: dev ## Style, types, import contracts, templates, settings, migrations
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	.venv/bin/lint-imports --no-logo
	find templates -name '*.html' -exec .venv/bin/djade --check --target-version 5.2 {} +
	$(PY) -m tests.checked_settings

format: dev ## Put the code into its shape
	$(PY) -m ruff check --fix .
	$(PY) -m ruff format .
	find templates -name '*.html' -exec .venv/bin/djade --target-version 5.2 {} +

# Needs gettext (xgettext, msgmerge, msgfmt). The compiled catalogue is committed: nobody else needs it.
messages: dev ## Gather the words for translation into locale/ and compile what is translated
	.venv/bin/django-admin makemessages --locale de --no-wrap --no-obsolete --no-location \
		--ignore .venv --ignore var --ignore tests --ignore bench
	.venv/bin/django-admin compilemessages --locale de --ignore .venv

screenshots: dev ## Photograph all pages into docs/img/ (needs Chromium); docs/screens.md shows them
	$(PY) -m tests.screenshots $(ARGS)

bench: dev ## Measure what the design promises (bench/)
	$(PY) -m bench $(ARGS)

lock: ## Resolve the dependencies anew into requirements/
	@$(ENVIRONMENT) lock

clean: ## Remove the environment, caches and the data of `make up`
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache test-results
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
	@[ ! -d var ] || echo "var/ holds the desk's data and was kept; remove it yourself."
