# informerscope. "make" alone lists the targets.

PORT        ?= 8080
STATICCHECK  = v0.8.2
# The page's program may weigh this much, in bytes, as gzip -9 packs it, and the second one, which is fetched when it is
# needed. Each was 100 kB lighter when this was written: a feature that is worth more raises its limit by 100 kB at once.
WASM_LIMIT    = 3320000
CONVERT_LIMIT = 3260000
# What the page runs on: tested natively, and again as WebAssembly in Node. What is the page's own has the tag page there, with
# which the text of an error is its id: code that looks at it fails.
WASM_TESTED  = ./engine/... ./replay/trace/... ./replay/format/... ./replay/convert/... ./replay/redact/... ./replay/record/follow/...
PAGE_TESTED  = ./wasm/session/... ./wasm/link/... ./wasm/picture/... ./wasm/host/... ./wasm/view/...
# Has the go command compile for WebAssembly from here on, as the page's programs are compiled: so checks and tests share what
# is compiled with these, and test what is served.
AS_THE_PAGE  = settings=$$(go run ./web/build -settings); eval "$$settings"
# What has files that are compiled for WebAssembly only. All others are vetted natively.
WASM_ONLY    = ./wasm ./wasm/dom/... ./wasm/convert
GO_FILES     = $$(find engine replay wasm web -name '*.go')
# How the program is built for any machine, and without the paths of this one. Its packages and the standard library
# are compiled anew for that, so make test and make browser, which compile them for the tests, leave it out.
PORTABLE      = CGO_ENABLED=0 GOFLAGS=-trimpath
# Where the page lies for the program that carries it.
SITE          = replay/serve/page/site
ACTIONLINT         = v1.7.12
GORELEASER_VERSION = v2.15.2
GORELEASER_SUM     = h1:z1WmHen7msayUw6Cf4AxbLnZL2Z4cE0RN+1cKO1x3fM=
KREW               = v0.4.3
GORELEASER         = --config .github/release/goreleaser.yaml
SNAPSHOT_TOOLS     = $(addprefix build/release/bin/, goreleaser kubectl kubectl-krew)
# What archives carry beside the program.
MANUALS       = build/release/manuals
# Versions of client-go that the engine is compared with, each by a module in engine/conformance/live: all minor
# versions. make test compares with the first and the last.
VERSIONS      = v022 v023 v024 v025 v026 v027 v028 v029 v030 v031 v032 v033 v034 v035 v036 v037
# The pre-release that a profile stands for. It needs a newer Go, which is fetched, so make test leaves it out.
BETA          = v038
# The same for what stands after the informer: controller-runtime v0.25 and kube-controller-manager v1.37.
CONTROLLERS   = cr025 kcm137
# Older versions of controller-runtime, at both sides of each gate of engine/controller.
RUNTIMES      = cr015 cr018 cr019 cr020 cr021 cr022 cr023 cr024
# Those whose leader election is compared, too: the oldest, and both sides of each of its gates.
ELECTIONS     = v022 v025 v026 v027 v029 v030 v031 v032 v033 v034 v036 v037 v038
LIVE         ?= $(firstword $(VERSIONS)) $(lastword $(VERSIONS))
# How many random scripts of each kind they are compared on, and the first seed.
LIVE_SEEDS  ?= 8
LIVE_FROM   ?= 1
# Versions of client-go and controller-runtime within whose controllers replay/record is tested, and the modules that import
# controller-runtime.
CLIENTS      = v022 v026 v032 v034 v037 $(addprefix controllers/, v015 v019 v025) $(addprefix ../controllerruntime/, internal/managed beforev021 .)
# What is recorded and what is made of it at once: packages whose tests make clients runs with -race.
RACES        = ./replay/record ./replay/record/recordtest ./replay/record/whatif ./replay/triggers ./replay/informers ./replay/evidence ./replay/findings ./replay/report/controller ./replay/report/costs
# Versions of controller-runtime with which it is held what wakes a controller, by their files of modules: go is v0.25, which
# make test takes.
CAUSES       = v019 v020 v021 v022 v023 v024 go
# Modules in which replay/testserver stands under client-go and controllers.
SIMULATED    = clientgo controllers samplecontroller
# Versions of client-go whose informers make recordings records, by their files of modules (go is v0.37), those of them that
# are recorded with planted trouble, too, the first seed, and how many of each.
RECORDED     = v022 v026 v032 v034 go
PLANTED      = v022 v032 go
SEED        ?= $(shell date +%s)
SEEDS       ?= 6
# make bench-against: the other commit, the measures (none for the usual ones, or all), and the turns.
REF         ?=
MEASURES    ?=
TURNS       ?= 5
# How much JSON make bench-10g makes.
GIGABYTES   ?= 10
# What checks need. make test and make browser have it made before all of them.
NEEDS         = dist binary chromium firefox build/lint/installed build/page.test build/staticcheck-$(STATICCHECK)
PREPARED     ?= prepared
# What is compiled before the checkers are: at the same time, both would compile the standard library.
COMPILED     ?=
# The ways through the page that people go: the walk of a newcomer, the tasks, a lesson of each kind, saving, links, a
# large file, and all that Firefox does alone. make test goes them, and make browser has all other tests of the page.
JOURNEYS      = ^Test(ANewcomersWalk|Tasks|ALesson|ALessonByKeyboard|NextAtAQuestion|GoIsMendedByChoosingLines|AnExerciseTicksItsGoals|WritingALesson|PresentingALesson|SavesWhatWasWatched|SavesAFuture|ALinkOpensTheSameStage|ALinkOpensALessonAtAMoment|ALargeFileHasSeveralReaders|Firefox\w+|TheWatchers\w+)$$
# Two checks at a time, within those of a make that has called this one.
PARALLEL      = $(if $(findstring --jobserver,$(MAKEFLAGS)),,-j 2)
# What vets a module of client-go. It looks at each of its packages, which takes minutes where nothing is compiled, so
# make conformance does it, and make test does not.
VET         ?=
# More flags for every "go test", such as -v or -run.
TESTFLAGS   ?=

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help run dist site manuals binary test tested browser browsed prepared quick mutate lint format script native live causes factories elections changes candidate fresh clients simulated controlplane conformance recordings release-check snapshot release wasm size e2e journeys pages browser-all chromium firefox webkit bench bench-10g bench-against profile shop fmt clean build/page.test

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: binary ## build the page and serve it on http://127.0.0.1:8080/ (PORT=9090 for another port)
	@build/informerscope serve --port $(PORT)

dist: ## build the static site in dist/, for any static host under any path
	@go run ./web/build -out dist -release "$$(git describe --tags --always --abbrev=12 --dirty 2>/dev/null)"

# The program has the commit in it, whatever GOFLAGS says where it is built: two builds are equal.
binary: site ## build/informerscope, the command line with the page inside: one file that needs nothing else
	@$(PORTABLE) go build -buildvcs=auto -tags withpage -o build/informerscope ./replay/cmd/informerscope

# The originals of gzipped files stay out: the program unpacks them for whoever takes no gzip.
site: dist # the page where a program that carries it is built
	@rm -rf $(SITE) && cp -R dist $(SITE)
	@find $(SITE) -name '*.gz' -exec sh -c 'rm -f "$${1%.gz}"' - {} \;

manuals: # man pages, completions and licences, which archives and packages carry
	@rm -rf $(MANUALS) && mkdir -p $(MANUALS)/man $(MANUALS)/completions
	@go build -o build/release/manual ./replay/cmd/informerscope
	@build/release/manual man --dir $(MANUALS)/man
	@build/release/manual completion bash >$(MANUALS)/completions/informerscope.bash
	@build/release/manual completion zsh >$(MANUALS)/completions/informerscope.zsh
	@build/release/manual completion fish >$(MANUALS)/completions/informerscope.fish
	@build/release/manual completion powershell >$(MANUALS)/completions/informerscope.ps1
	@go run ./web/build -notices >$(MANUALS)/NOTICES.txt

# Much of a check waits: for a browser, or for an API server. So two run at a time, each with its output in one piece. What
# they need is made before them: a check that waited for something else would begin after all others, and two builds of the
# page would write the same files. "go vet" finds what tests import compiled, and so comes before the vetting of the main module.
CHECKS        = --no-print-directory --output-sync=target
test: ## install what is missing, and check the code natively, and the ways through the page that people go
	@go run ./web/project/timed "make test" $(MAKE) $(CHECKS) $(PARALLEL) tested PORTABLE= COMPILED=binary

browser: ## the rest: engine, replay and page in Node, all other tests in Chromium and Firefox, and a walk in WebKit
	@go run ./web/project/timed "make browser" $(MAKE) $(CHECKS) $(PARALLEL) browsed PORTABLE= COMPILED=binary

prepared: $(NEEDS)

tested: $(PREPARED)
	@$(MAKE) --no-print-directory journeys lint native live causes size NEEDS=

browsed: $(PREPARED) webkit
	@$(MAKE) --no-print-directory pages wasm NEEDS=

# A third of the work of tests is collecting garbage, which can wait where memory isn't measured.
prepared lint format native live causes wasm: export GOGC := 400

quick: ## in a minute and without a network: formatting, vet and tests of what differs from the main branch, nearest dependents first
	@go run ./web/project/quick

# "go vet" finds what "go test" would look for in each package again, so the tests run without it.
format: # formatting and vet, natively and for WebAssembly
	@echo "== formatting, vet"
	@bad=$$(gofmt -l $(GO_FILES)); \
	  if [ -n "$$bad" ]; then echo "not formatted (make fmt):"; echo "$$bad"; exit 1; fi
	@go vet -tags mutate,clients ./...
	@$(AS_THE_PAGE); go vet $(WASM_ONLY)

lint: format script $(filter build/%,$(NEEDS)) # the same, and staticcheck
	@echo "== staticcheck"
	@build/staticcheck-$(STATICCHECK) ./...
	@$(AS_THE_PAGE); build/staticcheck-$(STATICCHECK) $(WASM_ONLY)
	@cd web/test && go vet ./... && ../../build/staticcheck-$(STATICCHECK) ./...

script: $(filter build/lint/%,$(NEEDS)) # the page's JavaScript: types and a linter
	@echo "== types and linter of the JavaScript"
	@for part in page worker; do build/lint/node_modules/.bin/tsc -p web/lint/$$part.json; done
	@cd web && ../build/lint/node_modules/.bin/eslint -c ../build/lint/eslint.config.mjs .

native: # every test of the main module
	@echo "== tests"
	@go test -vet=off -timeout 30m $(TESTFLAGS) ./... 2>&1 | { grep -v 'no test files' || true; }

live: # the engine against real client-go, on a few random scripts
	@echo "== tests against real client-go"
	@failed=; for v in $(LIVE); do \
	  (cd engine/conformance/live/$$v && $(VET) go test -vet=off $(TESTFLAGS) . -seeds $(LIVE_SEEDS) -from $(LIVE_FROM)) || failed="$$failed $$v"; \
	done; [ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

causes: # what wakes controllers of controller-runtime, in recordings of programs that know it
	@echo "== causes in recordings of controller-runtime"
	@cd replay/record/clients/controllers/causes && go test -vet=off $(TESTFLAGS) -run 'Causes|Transparent|Starvation' .

conformance: LIVE = $(VERSIONS) $(BETA) $(CONTROLLERS) $(RUNTIMES)
conformance: LIVE_SEEDS = 300
conformance: VET = go vet ./... &&
conformance elections changes controlplane: export GOTOOLCHAIN = auto
conformance: TESTFLAGS += -count=1 -timeout 60m
conformance: LIVE_FROM := $(shell date +%s)
conformance: live factories elections clients simulated mutate ## the same with every version, on thousands of fresh ones (LIVE_SEEDS=1000 for more of them), and make mutate

# The factory needs the clientset, and so most packages of client-go, which take a minute and more where nothing is compiled.
factories: # what the factory of the first and of the last version does
	@failed=; for v in $(firstword $(VERSIONS)) $(lastword $(VERSIONS)); do \
	  (cd engine/conformance/live/$$v && go vet ./factory && go test -vet=off $(TESTFLAGS) ./factory) || failed="$$failed $$v"; \
	done; [ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

# Leader election needs the clientset, too. A seed is one script here, and not a script of each kind.
elections: # the leader election of client-go
	@failed=; for v in $(ELECTIONS); do \
	  (cd engine/conformance/live/$$v && go vet ./election && go test -vet=off $(TESTFLAGS) ./election -seeds $(LIVE_SEEDS) -from $(LIVE_FROM)) || failed="$$failed $$v"; \
	done; [ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

# So many seeds make 10 000 scripts of each pair of neighbours, which takes about an hour of a processor. Newer versions
# have more kinds of scripts.
changes: LIVE_SEEDS = $$(case $$v in v02[23]) echo 410;; v024) echo 340;; v02?|v03[0-3]) echo 260;; *) echo 120;; esac)
changes: LIVE_FROM := $(shell date +%s)
changes: export GOGC = 800
changes: ## play random scripts of each version of client-go to its neighbours, too: what differs must be known (LIVE_SEEDS=60 for fewer)
	@mkdir -p build/changes
	@failed=; for v in $(VERSIONS) $(BETA); do log=build/changes/$$v.log; \
	  (cd engine/conformance/live/$$v && go test -vet=off -count=1 -timeout 60m -v $(TESTFLAGS) -run 'TestRandom$$' . -neighbours -seeds $(LIVE_SEEDS) -from $(LIVE_FROM)) >$$log 2>&1 \
	    || { failed="$$failed $$v"; grep -vE '^(=== |--- PASS| *--- PASS)' $$log || true; }; \
	  sed -n 's/^ *neighbours.go:[0-9]*: //p' $$log; \
	done; \
	go test -vet=off -count=1 -run RandomScripts ./engine/changes -seeds $(LIVE_SEEDS) -from $(LIVE_FROM) || failed="$$failed scripts"; \
	[ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

fresh: SEEDS = 100
fresh: SEED := $(shell date +%s)
fresh: ## hold what the page says in random runs of fresh seeds, which a failure prints (SEED=1 SEEDS=100)
	@go test -vet=off -count=1 -timeout 120m $(TESTFLAGS) -run '^Test(Laws|Rivals|Causes|ChainsAreSaid|MetricsAreTheState)$$' \
	  ./wasm/picture/says ./wasm/picture/chains ./engine/cause ./engine/metrics -from $(SEED) -fresh $(SEEDS)

# A candidate is compared with what the engine knows as the last version. The module's own go.mod stays as it is, and a
# newer Go is fetched if the candidate needs one. If a candidate or what it requires can't be fetched, that is said, and the
# one before it is compared.
candidate: LIVE_SEEDS = 30
candidate: export GOTOOLCHAIN = auto
candidate: LIVE_FROM := $(shell date +%s)
candidate: ## compare the newest client-go and controller-runtime, candidates included, with the last versions that the engine knows
	@mkdir -p build/candidate
	@failed=; for of in $(lastword $(VERSIONS) $(BETA)):k8s.io/client-go $(firstword $(CONTROLLERS)):sigs.k8s.io/controller-runtime; do \
	  at=engine/conformance/live/$${of%:*}; library=$${of#*:}; mod=$(CURDIR)/build/candidate/$${of%:*}.mod; \
	  known=$$(cd $$at && go list -m -f '{{.Version}}' $$library); \
	  newer=$$(cd $$at && go list -m -versions $$library | tr ' ' '\n' | grep '^v0\.' | sed "1,/^$$known\$$/d" | tac); \
	  [ -n "$$newer" ] || echo "$$library $$known is the newest"; \
	  for candidate in $$newer; do \
	    echo "$$library $$candidate"; cp $$at/go.mod $$mod; cp $$at/go.sum $${mod%.mod}.sum; \
	    if ! (cd $$at && go get -modfile=$$mod $$library@$$candidate); then \
	      echo "$$library $$candidate can't be fetched"; [ $$candidate != $${newer##*[[:space:]]} ] || failed="$$failed $$library"; \
	      continue; \
	    fi; \
	    (cd $$at && go test -mod=mod -modfile=$$mod -vet=off -count=1 -timeout 60m $(TESTFLAGS) -run 'TestRandom$$' . $$([ ! -d election ] || echo ./election) -seeds $(LIVE_SEEDS) -from $(LIVE_FROM)) || failed="$$failed $$library@$$candidate"; \
	    break; \
	  done; \
	done; [ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

# Clients of other makers are what informerscope try is tried on. PYTHON is the one for which Debian's package is.
KUBERNETES_CLIENT = @kubernetes/client-node@1.4.0
PYTHON           ?= /usr/bin/python3
build/clients/installed: Makefile
	@mkdir -p build/clients
	@command -v kubectl >/dev/null || { echo "make clients tries kubectl, which isn't there: install it, or put it on the PATH"; exit 1; }
	@npm install --prefix build/clients --no-save --no-audit --no-fund $(KUBERNETES_CLIENT) >build/npm.log 2>&1 || { cat build/npm.log; \
	  echo "make clients tries the JavaScript client, which can't be had: npm install $(KUBERNETES_CLIENT) failed"; exit 1; }
	@$(PYTHON) -c 'import kubernetes' 2>/dev/null || { apt-get install -y python3-kubernetes && $(PYTHON) -c 'import kubernetes'; } >build/apt.log 2>&1 || { cat build/apt.log; \
	  echo "make clients tries the Python client, which can't be had: apt-get install python3-kubernetes failed (it needs root; PYTHON= names another interpreter that has it)"; exit 1; }
	@touch $@

clients: build/clients/installed # the recorder with -race, within real controllers, with versions of client-go and controller-runtime, and clients of others on a server that misbehaves
	@failed=; for v in $(CLIENTS); do \
	  (cd replay/record/clients/$$v && go vet ./... && go test -vet=off -race $(TESTFLAGS) ./...) || failed="$$failed $$v"; \
	done; \
	go test -vet=off -race -timeout 30m $(TESTFLAGS) $(RACES) || failed="$$failed races"; \
	go vet -tags clients ./replay/try && CLIENTS=$(CURDIR)/build/clients PYTHON=$(PYTHON) go test -vet=off -tags clients -timeout 20m $(TESTFLAGS) -run 'TestOthers$$' ./replay/try || failed="$$failed others"; \
	go vet -tags clients ./replay/apiserver && go test -vet=off -tags clients $(TESTFLAGS) -run 'TestKubectl$$' ./replay/apiserver || failed="$$failed kubectl"; \
	for v in $(CAUSES); do \
	  case $$v in v019|v020) with="-modfile=$$v.mod -tags=beforev021";; *) with="-modfile=$$v.mod";; esac; \
	  (cd replay/record/clients/controllers/causes && go vet $$with . && go test $$with -vet=off -race $(TESTFLAGS) .) || failed="$$failed causes/$$v"; \
	done; [ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

simulated: # the simulated API server with real client-go, and with controllers
	@failed=; for v in $(SIMULATED); do \
	  (cd replay/testserver/$$v && go vet ./... && go test -vet=off $(TESTFLAGS) ./...) || failed="$$failed $$v"; \
	done; [ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

recordings: ## record informers of five versions of client-go, and controllers with faults or stuck, and report them (SEED=1 SEEDS=6)
	@mkdir -p build/recordings
	@failed=; for v in $(RECORDED); do \
	  case ' $(PLANTED) ' in *" $$v "*) run=;; *) run='-run Recordings';; esac; \
	  (cd replay/report/recordings && go vet -modfile=$$v.mod . && go test -modfile=$$v.mod -vet=off -count=1 -parallel 8 $$run $(TESTFLAGS) . -from $(SEED) -seeds $(SEEDS) -keep $(CURDIR)/build/recordings) || failed="$$failed $$v"; \
	done; \
	for v in v037 controllers/v025 kcm137; do \
	  (cd replay/record/clients/$$v && go test -vet=off -count=1 $(TESTFLAGS) -run 'Faults|WithoutEnd|Blocks|HalfOpen|CacheOf' ./... -keep $(CURDIR)/build/recordings) || failed="$$failed $$v"; \
	done; [ -z "$$failed" ] || { echo "failed:$$failed"; exit 1; }

mutate: ## how many mistakes in the table of sentences the laws find; each one that they don't has its reason
	go test -count=1 -tags mutate -run 'TestMutants|TestEachSentenceIsRead' -v $(TESTFLAGS) ./wasm/picture/says ./wasm/view/words | grep -v 'the same everywhere:'

# The laws that random runs hold natively are tried on fewer of them here, where each takes four times as long. Node is
# called as Go's own script calls it, but without its optimizing compiler: most programs end before that is of use.
wasm: # what runs in the browser, as WebAssembly in Node
	@echo "== tests under js/wasm"
	@$(AS_THE_PAGE); node="node --stack-size=8192 --liftoff-only $$(go env GOROOT)/lib/wasm/wasm_exec_node.js"; \
	  run() { go test -short -vet=off -timeout 30m -exec="$$node" $(TESTFLAGS) "$$@" 2>&1 | { grep -v 'no test files' || true; }; }; \
	  run $$(go list $(WASM_TESTED) 2>/dev/null); run -tags page $$(go list -tags page $(PAGE_TESTED) 2>/dev/null)

size: $(filter dist,$(NEEDS)) # the weight of the page's programs
	@for p in informerscope:$(WASM_LIMIT) convert:$(CONVERT_LIMIT); do \
	  size=$$(gzip -9c dist/*/$${p%:*}.wasm | wc -c); \
	  echo "== $${p%:*}.wasm is $$size bytes gzipped (limit $${p#*:})"; \
	  [ "$$size" -le $${p#*:} ] || exit 1; \
	done

controlplane: ## the answers of the simulated API server against a real one's, and kube-apiserver's, which takes minutes to compile
	@cd replay/record/e2e && go vet ./... && go test -vet=off -count=1 $(TESTFLAGS) -run 'TestControlPlane$$' ./...
	@cd replay/record/e2e/shop && go test -vet=off -count=1 $(TESTFLAGS) -run 'TestAnswers$$' .
	@cd replay/record/e2e/beta && go vet . && go test -vet=off -count=1 $(TESTFLAGS) .

# The 1 600 packages of an API server take minutes where nothing is compiled, so make test does the same rounds with the
# simulated one (replay/internal/rounds).
e2e: dist chromium build/staticcheck-$(STATICCHECK) ## recorder, proxies and page on a real API server
	@cd replay/record/e2e && go vet ./... && ../../../build/staticcheck-$(STATICCHECK) ./... && go test -vet=off -count=1 -parallel 4 $(TESTFLAGS) ./...

# The tests of the page are compiled once, and run in two parts.
build/page.test: $(COMPILED)
	@cd web/test && go test -vet=off -c -o ../../build/page.test .

PAGE_TEST     = cd web/test && ../../build/page.test -test.timeout 60m -test.parallel 8 $(patsubst -%,-test.%,$(TESTFLAGS))

journeys: $(filter-out build/static%,$(NEEDS)) # the ways through the page that people go
	@echo "== the ways that people go, in Chromium and Firefox"
	@$(PAGE_TEST) -test.run '$(JOURNEYS)' $(COMBINATIONS)

pages: $(filter-out build/static%,$(NEEDS)) # all other tests of the page
	@echo "== all else of the page, in Chromium, Firefox and WebKit"
	@$(PAGE_TEST) -test.skip '$(JOURNEYS)' $(COMBINATIONS)

browser-all: COMBINATIONS = -whole -jitter $(shell date +%s)
browser-all: journeys pages ## all tests of the page, in every combination of sizes, themes and languages, and with late answers

chromium firefox webkit: # install a browser where it is missing
	@web/test/browser.sh $@
firefox: | chromium # apt-get installs one thing at a time
webkit: | firefox

# What a release takes, from .github/release, where goreleaser.yaml says what it becomes.
release-check: binary manuals chromium build/release/bin/actionlint $(SNAPSHOT_TOOLS) ## all that can be checked of a release without the hosts (needs root and git, takes long)
	@echo "== workflows"
	@build/release/bin/actionlint
	@echo "== goreleaser.yaml, the image, the bill of materials, go install, two builds, two snapshots, krew, Chromium"
	@cd .github/release/kubectl && go vet ./...
	@cd .github/release && go vet ./... && go test -count=1 -timeout 5h $(TESTFLAGS) ./...

# A snapshot is neither signed nor published: that needs the hosts. Of kubectl and its plugins, those that stand here are taken.
snapshot: $(SNAPSHOT_TOOLS) ## everything that a release has, in build/release/dist, and what kubectl and krew say to it (takes long)
	@TAP_TOKEN=none build/release/bin/goreleaser release --snapshot --clean --skip=sign --timeout 3h $(GORELEASER)
	@rm -rf build/release/krew
	@export KREW_ROOT="$(CURDIR)/build/release/krew" KREW_NO_UPGRADE_CHECK=1 PATH="$(CURDIR)/build/release/bin:$(CURDIR)/build/release/krew/bin:$$PATH"; \
	  kubectl krew install --manifest=build/release/dist/krew/informerscope.yaml \
	    --archive="$$(ls build/release/dist/*_$$(go env GOOS)_$$(go env GOARCH).tar.gz)" </dev/null && \
	  kubectl informerscope version && kubectl informerscope | grep 'kubectl informerscope open'

release: build/release/bin/goreleaser # the draft of a release of the tag that is checked out; a workflow runs this
	@build/release/bin/goreleaser release --clean $(GORELEASER)

build/release/bin/actionlint:
	@GOBIN=$(CURDIR)/build/release/bin go install github.com/rhysd/actionlint/cmd/actionlint@$(ACTIONLINT)

# As kubectl finds a plugin.
build/release/bin/kubectl-krew:
	@GOBIN=$(CURDIR)/build/release/bin go install sigs.k8s.io/krew/cmd/krew@$(KREW)
	@mv build/release/bin/krew $@

build/release/bin/kubectl:
	@cd .github/release/kubectl && go build -trimpath -o $(CURDIR)/$@ .

build/release/bin/goreleaser:
	@go mod download -json github.com/goreleaser/goreleaser/v2@$(GORELEASER_VERSION) | grep -qF '"Sum": "$(GORELEASER_SUM)"' || \
		{ echo "goreleaser $(GORELEASER_VERSION) is not the module that GORELEASER_SUM names"; exit 1; }
	@GOBIN=$(CURDIR)/build/release/bin go install github.com/goreleaser/goreleaser/v2@$(GORELEASER_VERSION)

bench: dist chromium firefox ## measure: the engine against real client-go, and the page in browsers
	@cd engine/conformance/clientgo && go run .
	@go test -run '^$$' -bench 'Clone|Explore' ./engine/history ./engine/explore | grep ^Benchmark
	@go test -run '^$$' -bench 'Event|Overhead|Report' -benchtime 1x ./replay/serve ./replay/record ./replay/cmd/informerscope/internal/reportcmd | grep -vE '^(ok|PASS|goos|goarch|pkg|cpu)'
	@cd web/test && go test -count=1 -run '^$$' -bench . -skip Gigabytes -benchtime 1x ./... | { grep -vE '^(ok|PASS|goos|goarch|pkg|cpu|Benchmark)' || true; }

bench-10g: dist chromium ## measure the page on a recording of ten gigabytes, which takes some minutes and 15 GB of the disk (GIGABYTES=4)
	@cd web/test && go test -count=1 -timeout 2h -run '^$$' -bench Gigabytes -benchtime 1x . -gigabytes $(GIGABYTES) | { grep -vE '^(ok|PASS|goos|goarch|pkg|cpu|Benchmark)' || true; }

bench-against: chromium firefox ## measure this tree against another commit, by turns (REF=main MEASURES=engine,start TURNS=5)
	@go run ./engine/conformance/bench/against -ref '$(REF)' -measures '$(MEASURES)' -turns $(TURNS)

# What is called most while the engine steps is inlined in the page's program, by
# a profile in which it steps natively: in WebAssembly a call is dear.
profile: ## renew wasm/default.pgo, by which the page's program is compiled
	@mkdir -p build/profile
	@profile() { GODEBUG=asyncpreemptoff=1 go test -trimpath -run '^$$' -bench $$1 -benchtime $$2 -cpuprofile build/profile/$$1 -o build/profile/test $$3; }; \
	  profile History 20x ./engine/history; profile Engine 10x ./engine/conformance/bench; profile Run 100x ./wasm/host/machine
	@go tool pprof -proto -focus 'History..(Extend|Step)$$' -output wasm/default.pgo build/profile/History build/profile/Engine build/profile/Run

shop: ## record the bundled trace anew, on a real control plane: that takes minutes, and the names in it change
	@cd replay/record/e2e/shop && go test -count=1 -timeout 30m -run TestShop -out $(CURDIR)/web/traces/shop.trace.jsonl.gz .

fmt: ## format the Go code
	@gofmt -w $(GO_FILES)

clean: ## remove everything that was built
	@rm -rf dist build $(SITE)

# Built here and not run through "go run", which would build the tool itself
# for WebAssembly when GOOS says so.
build/staticcheck-$(STATICCHECK): | $(COMPILED)
	@echo "== fetching staticcheck $(STATICCHECK)"
	@mkdir -p build
	@GOBIN=$(CURDIR)/build/bin go install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK) 2>build/install.log || { cat build/install.log; exit 1; }
	@mv build/bin/staticcheck $@

# The checkers stay out of web/, which is served whole.
build/lint/installed: $(wildcard web/lint/*.json web/lint/.npmrc web/lint/*.mjs)
	@command -v npm >/dev/null || { echo "the checks of the page need npm, which comes with Node 20 or newer"; exit 1; }
	@mkdir -p build/lint
	@cp web/lint/package.json web/lint/package-lock.json web/lint/.npmrc web/lint/eslint.config.mjs build/lint/
	@cmp -s web/lint/package-lock.json build/lint/installed || { \
	  echo "== fetching TypeScript, ESLint and axe"; \
	  npm ci --prefix build/lint >build/npm.log 2>&1 || { cat build/npm.log; exit 1; }; }
	@cp web/lint/package-lock.json $@
