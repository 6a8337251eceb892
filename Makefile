# rocite: make help tells what can be made. Works with GNU make 3.81 and later.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := all
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules -j2

VENV ?= .venv
TORCH ?= torch==2.13.0
PY := $(VENV)/bin/python
export PYTHONPATH := $(CURDIR)/src
export PYTHONDONTWRITEBYTECODE := 1

# One argument for the shell, whatever is in it.
quote = '$(subst ','\'',$(1))'
ARGUMENTS = --run=$(call quote,$(RUN)) --set=$(call quote,$(SET)) --embedder=$(call quote,$(EMBEDDER)) \
	--generator=$(call quote,$(GENERATOR)) --corpus=$(call quote,$(CORPUS)) --questions=$(call quote,$(QUESTIONS)) \
	--squad=$(call quote,$(SQUAD)) --rosts=$(call quote,$(ROSTS))

.PHONY: all env figures notebooks numbers writeup test lint lab plan verify baseline release-check tune boundary boundary-check compare sweep record publish clean clean-all help FORCE

# --- which Python, which run, what is stale: found while this file is read, by the standard library alone ------
IDLE := help clean clean-all
ifneq ($(filter-out $(IDLE),$(or $(MAKECMDGOALS),all)),)
  # The environment's own Python where there is one; else the first of these that rocite can use.
  FITS := -c 'import sys; sys.exit(not (3,11) <= sys.version_info[:2] <= (3,13))'
  PYTHON ?= $(or $(shell for p in python3 python3.13 python3.12 python3.11; do "$$p" $(FITS) 2>/dev/null && echo "$$p" && break; done),python3)
  BOOT := $(if $(wildcard $(PY)),$(PY),$(PYTHON))
  PLAN := $(shell PYTHONPATH=$(call quote,$(CURDIR)/src) PYTHONDONTWRITEBYTECODE=1 $(BOOT) -m rocite.workflow.resolve $(ARGUMENTS))
  ifneq ($(firstword $(PLAN)),ok)
    $(error nothing was run; the reason stands above)
  endif
  NAME := $(patsubst run:%,%,$(filter run:%,$(PLAN)))
  STAMP := $(VENV)/.rocite-$(patsubst env:%,%,$(filter env:%,$(PLAN)))
  NOTEBOOKS := $(patsubst nb:%,%,$(filter nb:%,$(PLAN)))
  BUILD := build/$(NAME)
  EXECUTED := $(NOTEBOOKS:%=$(BUILD)/notebooks/%.ipynb)
  STALE := $(patsubst stale:%,$(BUILD)/notebooks/%.ipynb,$(filter stale:%,$(PLAN)))
endif

all: writeup  ## everything of the run: environment, notebooks, tables, figures, numbers, write-up
figures: numbers  ## the run's notebooks and figures, as far as something they depend on changed
notebooks: $(EXECUTED)
numbers: $(BUILD)/numbers.json

# --- the environment, once: the stamp's name is a hash of what it was made from --------------------------------
env: $(STAMP)  ## set up the environment in VENV (default .venv)

$(STAMP):
	@test -x $(PY) || $(PYTHON) -m venv $(call quote,$(VENV))
	@echo "setting up $(VENV): up to 1 GB to fetch with a CPU build of torch, 2.4 GB on disk" >&2
	$(PY) -m pip install --quiet --disable-pip-version-check $(call quote,$(TORCH))
	$(PY) -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(PY) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	@rm -f $(VENV)/.rocite-*
	@touch $@

# --- notebooks: stale ones are named by the plan, by content; times of files play no part ----------------------
$(STALE): FORCE

$(EXECUTED): $(BUILD)/notebooks/%.ipynb: | $(STAMP)
	@ROCITE_PYTHON=$(call quote,$(abspath $(PY))) $(PY) -m rocite.workflow.execute $* $(ARGUMENTS)

# Two notebooks run side by side, but the one that asks the model runs alone: on two cores it and another would wait for each other.
ifneq ($(filter 03_eori,$(NOTEBOOKS)),)
$(filter %/03_eori.ipynb,$(EXECUTED)): | $(filter-out %/03_eori.ipynb,$(EXECUTED))
endif

$(BUILD)/numbers.json: $(EXECUTED)
	@$(PY) -m rocite.workflow.collect $(ARGUMENTS)
	@echo "$(BUILD): numbers.json, tables/, figures/, notebooks/" >&2

writeup: $(BUILD)/site/index.html  ## the run's write-up, a site that opens from disk and requests nothing

$(BUILD)/site/index.html: $(BUILD)/numbers.json $(wildcard notebooks/site/* notebooks/site/static/*) src/rocite/workflow/site.py
	@$(PY) -m rocite.workflow.site $(ARGUMENTS)

plan:  ## what would run, and which changed input makes it
	@$(BOOT) -m rocite.workflow.resolve --explain $(ARGUMENTS)

record: $(STAMP)  ## record the cases anew (15 minutes); ASK=questions, gold, retrieval or judgements something else; MODEL=gguf:PATH RECORDING=name ABOUT=words another model
	@$(if $(filter judgements,$(ASK)),$(PY) -m rocite.workflow.judgements,$(if $(filter retrieval,$(ASK)),$(PY) -m rocite.workflow.retrieval $(foreach f,$(SQUADS),--squad=$(call quote,$(f))),$(PY) -m rocite.workflow.record $(if $(filter questions,$(ASK)),--questions,$(if $(filter gold,$(ASK)),--gold $(or $(N),10),$(if $(MODEL),--orders 1))) --model=$(call quote,$(MODEL)) --name=$(call quote,$(if $(MODEL),$(RECORDING))) --about=$(call quote,$(ABOUT))))

verify: numbers  ## the default run's headline numbers: OK, close or FAIL, each with its tolerance and reason
	@$(PY) -m rocite.workflow.verify

baseline: $(STAMP)  ## retrieval's figures beside the accepted ones; REASON="why" accepts the new ones
	@$(PY) -m rocite.workflow.baseline --reason=$(call quote,$(REASON))

release-check: $(STAMP)  ## whether the signed wrong-answer budget (data/budget.toml) is shown on the untouched families
	@$(PY) -m rocite.workflow.release

tune: $(STAMP)  ## choose the threshold of refusal under the budget anew, on the tuning families
	@$(PY) -m rocite.workflow.release --tune

boundary: $(STAMP)  ## fit the answer boundary on its tuning parts, freeze it as a bundle, and record cases, stress, security and times
	@$(PY) -m rocite.workflow.boundary fit
	@$(PY) -m rocite.workflow.boundary record

boundary-check: $(STAMP)  ## the release checklist of the answer boundary, point by point
	@$(PY) -m rocite.workflow.boundary check

compare: $(STAMP)  ## two runs side by side: make compare RUNS="default demanding"
	@$(PY) -m rocite.workflow.compare $(RUNS)

sweep: $(STAMP)  ## what each value costs and buys: make sweep PARAM=min_ground VALUES="0.3 0.5 0.7"
	@$(PY) -m rocite.workflow.sweep $(call quote,$(PARAM)) $(VALUES)

publish: numbers  ## write the default run's numbers into the README
	@$(PY) -m rocite.workflow.publish

# --- the rest --------------------------------------------------------------------------------------------------
test: $(STAMP)  ## the tests; first says which rocite they test
	@$(PY) -c "import rocite, pathlib; print('testing', pathlib.Path(rocite.__file__).parent)"
	$(PY) -m pytest $(PYTEST)

lint: $(STAMP)  ## ruff, and notebooks without outputs
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m nbstripout --verify --keep-id notebooks/*.ipynb

lab: $(STAMP)  ## open the notebooks in JupyterLab, with this environment's kernel
	JUPYTER_PREFER_ENV_PATH=1 $(PY) -m jupyter lab notebooks

clean:  ## delete what was built and is easily built again; models' answers and vectors stay in build/cache
	@find build -mindepth 1 -maxdepth 1 ! -name cache -exec rm -rf {} + 2>/dev/null || true

clean-all: clean  ## delete the cache of answers and vectors and the environment .venv too
	@rm -rf build .venv

help:  ## this text
	@echo "make [TARGET] [VARIABLE=value ...]"
	@sed -n 's/^\([a-z][a-z-]*\):.*  ## \(.*\)/  make \1|\2/p' $(firstword $(MAKEFILE_LIST)) | awk -F'|' '{printf "%-18s %s\n", $$1, $$2}'
	@echo
	@echo "variables"
	@echo '  SET="name=value ..."  other parameters for one run, in a folder of its own (rocite params lists them)'
	@echo "  RUN=name              the parameters of notebooks/params/name.toml; without that file, the name of the run"
	@echo "  EMBEDDER= GENERATOR=  other models by name     CORPUS= QUESTIONS=  your own documents and questions"
	@echo "  SQUAD=file            also measure the separation on a SQuAD 1.1 file"
	@echo "  ROSTS=file            also confirm the prefix length on a RO-STS file"
	@echo '  SQUADS="ro=file en=file"  larger sets for make record ASK=retrieval     N=items of each stratum for ASK=gold'
	@echo '  REASON="why"          accept the figures that make baseline shows, and keep the old ones beside them'
	@echo "  VENV=folder           an environment that exists     TORCH=requirement-or-wheel   PYTHON=python3.12"
