# Everything that dragoman's developers and its CI run. `make help` lists it.

export CGO_ENABLED = 0

BUILD    := build
DRAGOMAN := $(BUILD)/dragoman
# The development runtime lives in the checkout, not in the user's data folder.
DATA     := $(CURDIR)/$(BUILD)/data
RUNTIME  := $(DATA)/runtime/current
# Python with transformers, for the tests that compare with it.
REFERENCE := $(BUILD)/reference/venv
TARGETS  := linux/amd64 linux/arm64 windows/amd64 windows/arm64
VERSION  ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo development)
LDFLAGS  := -s -w -buildid= -X main.version=$(VERSION)

# Settings of whoever builds must not change a release: neither git's, which Go writes into
# programs unless a machine's settings say not to, nor what processor they are for.
RELEASE_ENV := GOFLAGS=-buildvcs=false GOAMD64=v1 GOARM64=v8.0 GOEXPERIMENT=

.DEFAULT_GOAL := help
.PHONY: help run test test-long test-desktop bench bench-all bench-check quality lint build dist parts reproduce man clean runtime $(DRAGOMAN)

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: $(DRAGOMAN) runtime ## set everything up, translate a sentence and a drop folder
	@DRAGOMAN_DATA=$(DATA) DRAGOMAN_CACHE=$(CURDIR)/$(BUILD)/cache sh cmd/dragoman/demo.sh $(DRAGOMAN)

test: runtime ## set everything up and pass the tests
	@if sh .ci/packages; then export DRAGOMAN_TEST_DESKTOP=1; fi; echo go test -short -timeout 20m ./...; go test -short -timeout 20m ./...

test-long: runtime $(REFERENCE)/bin/python ## the tests that take long: 418M shape, kills, race detector
	@if sh .ci/packages long; then export DRAGOMAN_TEST_DESKTOP=1; fi; set -ex; \
		go test -tags long -timeout 60m ./...; \
		CGO_ENABLED=1 go test -short -race ./...

test-desktop: runtime ## dragoman-tray in real panels, with screenshots; installs them by apt
	go build -o $(BUILD)/desktop/ ./cmd/...
	DRAGOMAN_DATA=$(DATA) DRAGOMAN_CACHE=$(CURDIR)/$(BUILD)/cache bash cmd/dragoman-tray/desktop/run.sh $(BUILD)/desktop assets/starter $(BUILD)/screenshots

bench: runtime $(DRAGOMAN) ## compare speed and memory with CTranslate2, and measure the service
	go run ./inference/bench
	go run ./daemon/bench -idle 30s

bench-all: runtime $(DRAGOMAN) ## all figures of docs/performance.md, also beside optimum-intel and transformers: 6 GB of Python, a quarter of an hour
	go run ./inference/bench -rounds 5 -peers -plot docs/performance.svg

bench-check: runtime ## compare the starter's speed against CTranslate2's with the recorded ratios
	go run ./inference/bench -check -quick -rounds 5 -lines 200 -parts sentence,batch,folder

quality: runtime ## compare the quality of int8 with f32, and of translations with all rules and with none
	go run ./inference/quality
	@for v in plain spans wrapped title capitals; do echo; echo $$v; go run ./inference/quality/rules -english -variant $$v -sentences 25 || exit; done

lint: $(BUILD)/tools/staticcheck ## gofmt, vet, staticcheck and, where its database can be reached, govulncheck
	@test -z "$$(gofmt -l .)" || { echo "gofmt is needed on:"; gofmt -l .; exit 1; }
	go mod tidy -diff
	@set -e; for t in $(TARGETS); do echo "vet $$t"; GOOS=$${t%/*} GOARCH=$${t#*/} go vet ./...; done
	@set -e; for os in linux windows; do echo "staticcheck $$os"; GOOS=$$os $(BUILD)/tools/staticcheck -tags long ./...; done
	@sh .ci/vulnerabilities

build: $(BUILD)/tools/go-winres ## cross-compile for linux and windows on amd64 and arm64
	WINRES=$(CURDIR)/$(BUILD)/tools/go-winres sh installer/packages/windows/resources.sh '$(VERSION)' '$(FILE_VERSION)' $(CURDIR)/$(BUILD)/resources
	@set -e; for t in $(TARGETS); do dir=$(BUILD)/release/$${t%/*}-$${t#*/}; mkdir -p $$dir; echo $$dir; \
		export GOOS=$${t%/*} GOARCH=$${t#*/} $(RELEASE_ENV); \
		go build -trimpath -ldflags '$(LDFLAGS)' -o $$dir/ ./cmd/dragoman ./cmd/dragomand; \
		if [ $$GOOS = windows ]; then gui='-H windowsgui'; else gui=; fi; \
		go build -trimpath -ldflags "$(LDFLAGS) $$gui" -o $$dir/ ./cmd/dragoman-tray; done

# A version that packages can compare: of a commit after a release, its date.
PACKAGE_VERSION ?= $(or $(patsubst v%,%,$(shell git describe --tags --exact-match 2>/dev/null)),0.1.0~git$(shell git log -1 --format=%cd.%h --date=format:%Y%m%d%H%M))
# The four numbers of Windows' resources: those of the last release.
FILE_VERSION ?= $(or $(shell git describe --tags --abbrev=0 2>/dev/null | sed -n 's/^v\([0-9]*\.[0-9]*\.[0-9]*\).*/\1.0/p'),0.1.0.0)
# A folder that `make parts` has filled, to build without a network.
PARTS ?=
ifeq ($(filter parts,$(MAKECMDGOALS)),)
ifneq ($(and $(PARTS),$(wildcard $(PARTS)/modules/cache/download)),)
export GOPROXY := file://$(abspath $(PARTS))/modules/cache/download
export GOSUMDB := off
endif
endif
WINDOWS_RUNTIME := $(BUILD)/windows-amd64/runtime/current

dist: build runtime $(WINDOWS_RUNTIME) $(DRAGOMAN) $(BUILD)/tools/nfpm $(BUILD)/tools/cyclonedx-gomod ## make packages, installers, bills of materials and checksums in build/dist
	export NFPM=$(CURDIR)/$(BUILD)/tools/nfpm SBOM=$(CURDIR)/$(BUILD)/tools/cyclonedx-gomod HOST_DRAGOMAN=$(CURDIR)/$(DRAGOMAN) FILE_VERSION='$(FILE_VERSION)'; \
		sh installer/packages/dist.sh '$(PACKAGE_VERSION)' $(CURDIR)/$(BUILD)/dist

parts: ## fetch what dist needs from elsewhere into the folder PARTS, for dist PARTS=FOLDER without a network
	@test -n "$(PARTS)" || { echo "name the folder: make parts PARTS=FOLDER"; exit 2; }
	sh installer/packages/parts.sh $(abspath $(PARTS)) $(WINRES_MODULE) $(NFPM_MODULE) $(SBOM_MODULE)

reproduce: ## build this commit again in another folder and compare it with build/dist
	sh installer/packages/reproduce.sh $(CURDIR)/$(BUILD)

man: $(DRAGOMAN) ## write the manual pages into build/man
	$(DRAGOMAN) man $(BUILD)/man

runtime: $(RUNTIME) ## install the OpenVINO runtime that tests and make run use

clean: ## remove what the other targets made
	rm -rf $(BUILD)

$(DRAGOMAN):
	@go build -o $@ ./cmd/dragoman

# Where DRAGOMAN_OPENVINO names a runtime nothing is fetched.
$(RUNTIME): | $(DRAGOMAN)
	@test -n "$$DRAGOMAN_OPENVINO" || DRAGOMAN_DATA=$(DATA) $(DRAGOMAN) runtime install $(if $(PARTS),--from $(wildcard $(PARTS)/openvino-*manylinux*_$(shell uname -m).whl))

$(WINDOWS_RUNTIME): | $(DRAGOMAN)
	DRAGOMAN_DATA=$(CURDIR)/$(BUILD)/windows-amd64 $(DRAGOMAN) runtime install --for windows/amd64 $(if $(PARTS),--from $(wildcard $(PARTS)/openvino-*win_amd64.whl))

# An environment that was not finished is removed again.
$(REFERENCE)/bin/python: inference/m2m100/testdata/requirements.txt
	rm -rf $(REFERENCE)
	python3 -m venv $(REFERENCE)
	$(REFERENCE)/bin/python -m pip install --quiet -r $< || { rm -rf $(REFERENCE); exit 1; }
	touch $@

$(BUILD)/tools/staticcheck: go.mod
	go build -o $@ honnef.co/go/tools/cmd/staticcheck

# Later versions need a module that not every proxy has.
NFPM_MODULE   := github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0
WINRES_MODULE := github.com/tc-hib/go-winres@v0.3.3
SBOM_MODULE   := github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.9.0

$(BUILD)/tools/nfpm:
	GOBIN=$(CURDIR)/$(BUILD)/tools go install $(NFPM_MODULE)

$(BUILD)/tools/go-winres:
	GOBIN=$(CURDIR)/$(BUILD)/tools go install $(WINRES_MODULE)

$(BUILD)/tools/cyclonedx-gomod:
	GOBIN=$(CURDIR)/$(BUILD)/tools go install $(SBOM_MODULE)
