# The things one does with a checkout. `make check` is what CI runs.

GOFUMPT = mvdan.cc/gofumpt@v0.12.0
GOLANGCI_LINT = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
ACTIONLINT = github.com/rhysd/actionlint/cmd/actionlint@v1.7.12

.PHONY: build test race lint check site dist

build: ## npdb in this folder
	CGO_ENABLED=0 go build -trimpath -o npdb ./cmd/npdb

test: ## the tests: two minutes
	go test ./...

race: ## the tests under the race detector
	CGO_ENABLED=1 go test -race -timeout 40m ./...

lint: ## format and lint, the workflows too
	@test -z "$$(go run $(GOFUMPT) -l . | tee /dev/stderr)"
	go vet ./...
	go run $(GOLANGCI_LINT) run ./...
	go run $(ACTIONLINT)

check: ## all that CI checks, on Debian
	.ci/run

site: ## the documentation as pages for a browser, in ./site
	go run ./internal/site -o site

dist: ## all files of a release, in ./dist: make dist VERSION=v1.2.3
	rm -rf dist
	go run ./internal/release -version '$(VERSION)'
