# The things one does with a checkout. `make check` is what CI runs.

GOFUMPT = mvdan.cc/gofumpt@v0.12.0
GOLANGCI_LINT = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
VERSION ?= devel
TARGETS = linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64
LDFLAGS = -s -w -X github.com/npdb/npdb/cmd/npdb/cli.release=$(VERSION)

.PHONY: build test race lint check site dist

build: ## npdb in this folder
	CGO_ENABLED=0 go build -trimpath -o npdb ./cmd/npdb

test: ## the tests: two minutes
	go test ./...

race: ## the tests under the race detector
	CGO_ENABLED=1 go test -race -timeout 40m ./...

lint: ## format and lint
	@test -z "$$(go run $(GOFUMPT) -l . | tee /dev/stderr)"
	go vet ./...
	go run $(GOLANGCI_LINT) run ./...

check: ## all that CI checks, on Debian
	.ci/run

site: ## the documentation as pages for a browser, in ./site
	go run ./internal/site -o site

dist: ## binaries of a release, with checksums: make dist VERSION=v1.2.3
	rm -rf dist
	mkdir dist
	for target in $(TARGETS); do \
		system=$${target%/*} machine=$${target#*/} suffix=; \
		if [ $$system = windows ]; then suffix=.exe; fi; \
		CGO_ENABLED=0 GOOS=$$system GOARCH=$$machine go build -trimpath -ldflags '$(LDFLAGS)' \
			-o dist/npdb-$(VERSION)-$$system-$$machine$$suffix ./cmd/npdb || exit 1; \
	done
	cd dist && sha256sum npdb-* > SHA256SUMS
