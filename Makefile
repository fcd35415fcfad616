# Herald: every task a developer or a build machine runs. `make` lists them.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.ONESHELL:
.NOTPARALLEL:

PREFIX ?= /usr/local
DESTDIR ?=
SWIFT ?= swift
SWIFT_FLAGS := --explicit-target-dependency-import-check error
# With Swift's libraries inside, a program starts in half the time and needs no toolchain where it runs.
RELEASE_FLAGS := -c release --static-swift-stdlib -Xlinker -s

# Debian packages, by what needs them.
PACKAGES_BUILD := make pkg-config ncurses-base libncurses-dev libsqlite3-dev libcurl4-openssl-dev \
	libxml2-dev libgmime-3.0-dev libmicrohttpd-dev libtoml11-dev libstdc++-12-dev libutf8proc-dev
PACKAGES_TEST := libvterm-dev nginx-light openssl strace tmux
PACKAGES_BENCH := hyperfine libvterm-dev curl

# Installs the packages named in the first argument that are missing; does nothing when all are there.
define install_missing
is_installed() {
    [ "$$(dpkg-query -W -f '$${db:Status-Status}' "$$1" 2>/dev/null || true)" = installed ]
}
missing=()
for package in $(1); do
    is_installed "$$package" || missing+=("$$package")
done
if [ "$${#missing[@]}" -gt 0 ]; then
    as_root=()
    if [ "$$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || {
            echo "These packages are missing and there is no sudo: $${missing[*]}" >&2
            exit 1
        }
        as_root=(sudo)
    fi
    install=("$${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends)
    echo "Installing: $${missing[*]}"
    # The package lists are fetched only when the ones at hand do not know the packages, or are too old.
    "$${install[@]}" "$${missing[@]}" || {
        "$${as_root[@]}" apt-get update
        "$${install[@]}" "$${missing[@]}"
    }
fi
endef

.PHONY: help deps deps-build deps-test deps-bench build test soak lint format docs bench sanitize fuzz demo run \
	install ci

help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

deps: ## Install the Debian packages that building, testing and measuring need.
	@$(call install_missing,$(PACKAGES_BUILD) $(PACKAGES_TEST) $(PACKAGES_BENCH))

deps-build:
	@$(call install_missing,$(PACKAGES_BUILD))

deps-test:
	@$(call install_missing,$(PACKAGES_BUILD) $(PACKAGES_TEST))

deps-bench:
	@$(call install_missing,$(PACKAGES_BUILD) $(PACKAGES_BENCH))

build: deps-build ## Build everything for debugging.
	$(SWIFT) build $(SWIFT_FLAGS)

# Many servers and programs run beside each other, with more open files than a login allows at first.
MORE_FILES := ulimit -S -n 8192 2>/dev/null || ulimit -S -n "$$(ulimit -H -n)" || true

test: deps-test ## Run every test.
	$(MORE_FILES)
	SWIFT_BACKTRACE=enable=no $(SWIFT) test $(SWIFT_FLAGS)

# How long `make soak` goes on with random runs.
SOAK_SECONDS ?= 600

soak: deps-test ## Kill, fail and change at random for SOAK_SECONDS (600), and compare with a fresh cache.
	HERALD_SOAK_SECONDS=$(SOAK_SECONDS) SWIFT_BACKTRACE=enable=no \
	    $(SWIFT) test $(SWIFT_FLAGS) --filter 'SoakTests|KillTests'

run: deps-build ## Build Herald and open it on the demo mailbox.
	$(SWIFT) build $(SWIFT_FLAGS) --product herald
	$(SWIFT) build $(SWIFT_FLAGS) --product herald-server
	exec .build/debug/herald --demo

demo: run ## The same as run.

lint: ## Check the format of every Swift file.
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift

format: ## Format every Swift file in place.
	$(SWIFT) format --in-place --recursive Sources Tests Package.swift

docs: deps-build ## Renew the parts of README and manual pages that are made from the program's tables.
	$(SWIFT) build $(SWIFT_FLAGS) --product herald-docs
	.build/debug/herald-docs .

bench: deps-bench ## Build for release, measure, and print each number beside its limit.
	for product in herald herald-server herald-bench; do
	    $(SWIFT) build $(RELEASE_FLAGS) $(SWIFT_FLAGS) --product "$$product"
	done
	.build/release/herald-bench

# The standard library's Mutex waits in code that is not instrumented, so a contended one looks like none: what
# runs in files that hold one is not reported.
sanitize: deps-test ## Run every test under the thread and the address sanitizer; takes long.
	mkdir -p .build
	grep -rl 'Mutex(' Sources Tests | sed 's|.*/|race:|' > .build/thread.supp
	export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0
	TSAN_OPTIONS="suppressions=$$PWD/.build/thread.supp" \
	    $(SWIFT) test $(SWIFT_FLAGS) --sanitize thread --scratch-path .build/thread
	$(SWIFT) test $(SWIFT_FLAGS) --sanitize address --scratch-path .build/address

FUZZ_TARGETS := html json key link mbox mime text toml
FUZZ_SECONDS ?= 600

fuzz: deps-build ## Feed the readers of foreign bytes made-up input, each for FUZZ_SECONDS (FUZZ_TARGETS="json key").
	export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0 HERALD_FUZZ=build
	$(SWIFT) build $(SWIFT_FLAGS) --scratch-path .build/fuzz --product herald-fuzz \
	    --sanitize fuzzer --sanitize address -Xswiftc -sanitize=fuzzer \
	    -Xswiftc -sanitize-coverage=edge,trace-cmp,pc-table,inline-8bit-counters
	for target in $(FUZZ_TARGETS); do
	    corpus=.build/fuzz/corpus/$$target
	    mkdir -p "$$corpus"
	    HERALD_FUZZ=$$target .build/fuzz/debug/herald-fuzz -max_total_time=$(FUZZ_SECONDS) -timeout=10 \
	        -max_len=16384 -print_final_stats=1 -artifact_prefix=".build/fuzz/$$target-" "$$corpus"
	done

install: deps-build ## Build for release and install below $(DESTDIR)$(PREFIX).
	$(SWIFT) build $(RELEASE_FLAGS) $(SWIFT_FLAGS) --product herald
	$(SWIFT) build $(RELEASE_FLAGS) $(SWIFT_FLAGS) --product herald-server
	install -d '$(DESTDIR)$(PREFIX)/bin' '$(DESTDIR)$(PREFIX)/share/herald'
	install -d '$(DESTDIR)$(PREFIX)'/share/man/man{1,5,7}
	install -m 755 .build/release/herald .build/release/herald-server '$(DESTDIR)$(PREFIX)/bin/'
	for section in 1 5 7; do
	    install -m 644 Resources/man/*."$$section" '$(DESTDIR)$(PREFIX)'/share/man/man"$$section"/
	done
	install -m 644 Resources/demo.json Resources/herald.crontab '$(DESTDIR)$(PREFIX)/share/herald/'
	install -d '$(DESTDIR)$(PREFIX)/lib/systemd/user'
	install -m 644 Resources/systemd/* '$(DESTDIR)$(PREFIX)/lib/systemd/user/'
	sed -i 's|/usr/local/bin/|$(PREFIX)/bin/|' '$(DESTDIR)$(PREFIX)/lib/systemd/user/herald-sync.service'

ci: ## Check the format, build and test: what every change must pass.
	$(MAKE) lint
	$(MAKE) build
	$(MAKE) test
