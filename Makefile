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

# The one place that has the version is the program.
VERSION := $(shell sed -n 's/.*static let version = "\(.*\)"/\1/p' Sources/MailApp/HelpText.swift)

# Debian packages, by what needs them.
PACKAGES_BUILD := make pkg-config ncurses-base libncurses-dev libsqlite3-dev libcurl4-openssl-dev \
	libxml2-dev libgmime-3.0-dev libmicrohttpd-dev libtoml11-dev libstdc++-12-dev libutf8proc-dev libfribidi-dev \
	libmd-dev libmagic-dev
PACKAGES_TEST := dbus gnome-keyring iproute2 libchafa0 libgdk-pixbuf-2.0-0 libgumbo-dev libsecret-tools libvterm-dev \
	nginx-light openssl strace tmux
PACKAGES_BENCH := hyperfine libvterm-dev curl lynx maildir-utils notmuch w3m
PACKAGES_DEB := dpkg-dev

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

.PHONY: help deps deps-build deps-test deps-bench deps-deb build test soak lint format docs bench sanitize fuzz demo run \
	install install-files uninstall deb programs version ci

help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

deps: ## Install the Debian packages that building, testing and measuring need.
	@$(call install_missing,$(PACKAGES_BUILD) $(PACKAGES_TEST) $(PACKAGES_BENCH) $(PACKAGES_DEB))

deps-build:
	@$(call install_missing,$(PACKAGES_BUILD))

deps-test:
	@$(call install_missing,$(PACKAGES_BUILD) $(PACKAGES_TEST))

deps-bench:
	@$(call install_missing,$(PACKAGES_BUILD) $(PACKAGES_BENCH))

deps-deb:
	@$(call install_missing,$(PACKAGES_BUILD) $(PACKAGES_DEB))

build: deps-build ## Build everything for debugging.
	$(SWIFT) build $(SWIFT_FLAGS)

# Many servers and programs run beside each other, with more open files than a login allows at first.
MORE_FILES := ulimit -S -n 8192 2>/dev/null || ulimit -S -n "$$(ulimit -H -n)" || true

test: deps-test ## Run every test.
	$(MORE_FILES)
	SWIFT_BACKTRACE=enable=no $(SWIFT) test $(SWIFT_FLAGS)

# How long `make soak` goes on with random runs.
SOAK_SECONDS ?= 600

soak: deps-test ## Kill, fail and change at random for SOAK_SECONDS (600), renew and kill 100 times, and compare.
	HERALD_SOAK_SECONDS=$(SOAK_SECONDS) SWIFT_BACKTRACE=enable=no \
	    $(SWIFT) test $(SWIFT_FLAGS) --filter 'SoakTests|KillTests|RefreshTests'

run: deps-build ## Build Herald and open it on the demo mailbox.
	$(SWIFT) build $(SWIFT_FLAGS) --product herald
	$(SWIFT) build $(SWIFT_FLAGS) --product herald-server
	exec .build/debug/herald --demo

demo: run ## The same as run.

lint: ## Check the format of every Swift file.
	$(SWIFT) format lint --strict --recursive Sources Tests Package.swift

format: ## Format every Swift file in place.
	$(SWIFT) format --in-place --recursive Sources Tests Package.swift

docs: deps-build ## Renew the parts of README, manual pages and completions that are made from the program's tables.
	$(SWIFT) build $(SWIFT_FLAGS) --product herald-docs
	.build/debug/herald-docs .

bench: deps-bench ## Build for release, measure, and print each number beside its limit.
	for product in herald herald-server herald-bench; do
	    $(SWIFT) build $(RELEASE_FLAGS) $(SWIFT_FLAGS) --product "$$product"
	done
	.build/release/herald-bench

# The standard library's Mutex waits in code that is not instrumented, so a contended one looks like none: what
# runs in files that hold one is not reported. Files are told by the symbolizer, which a program that is started without
# a PATH does not find by itself.
sanitize: deps-test ## Run every test under the thread and the address sanitizer; takes long.
	mkdir -p .build
	grep -rlE 'Mutex[<(]' Sources Tests | sed 's|.*/|race:|' > .build/thread.supp
	export SWIFT_BACKTRACE=enable=no ASAN_OPTIONS=detect_leaks=0
	symbolizer=$$(command -v llvm-symbolizer || true)
	TSAN_OPTIONS="suppressions=$$PWD/.build/thread.supp$${symbolizer:+:external_symbolizer_path=$$symbolizer}" \
	    $(SWIFT) test $(SWIFT_FLAGS) --sanitize thread --scratch-path .build/thread
	$(SWIFT) test $(SWIFT_FLAGS) --sanitize address --scratch-path .build/address

FUZZ_TARGETS := filter html json key link mbox mime sse text toml
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

programs: deps-build ## Build both programs for release.
	for product in herald herald-server; do
	    $(SWIFT) build $(RELEASE_FLAGS) $(SWIFT_FLAGS) --product "$$product"
	done

version:
	@echo '$(VERSION)'

install: ## Build for release and install below $(DESTDIR)$(PREFIX).
	@# Root often has no Swift; what the person has built is installed then.
	if command -v $(SWIFT) >/dev/null; then $(MAKE) programs; fi
	$(MAKE) install-files

# Where the built programs are, and where below the prefix zsh looks for completions.
PROGRAMS ?= .build/release
ZSH_COMPLETIONS ?= share/zsh/site-functions
INTO = $(DESTDIR)$(PREFIX)
PARTS_INSTALLED = bin/herald libexec/herald-server share/man/man1/herald.1 share/man/man5/herald-config.5 \
	share/man/man7/herald-filter.7 share/man/man7/herald-keys.7 share/herald/demo.json share/herald/herald.crontab \
	lib/systemd/user/herald-sync.service lib/systemd/user/herald-sync.timer \
	share/bash-completion/completions/herald $(ZSH_COMPLETIONS)/_herald \
	share/fish/vendor_completions.d/herald.fish

install-files:
	@put() { install -D -m "$$1" "$$2" '$(INTO)'/"$$3"; }
	put 755 '$(PROGRAMS)/herald' bin/herald
	put 755 '$(PROGRAMS)/herald-server' libexec/herald-server
	for page in Resources/man/*; do
	    put 644 "$$page" "share/man/man$${page##*.}/$${page##*/}"
	done
	put 644 Resources/demo.json share/herald/demo.json
	put 644 Resources/herald.crontab share/herald/herald.crontab
	for unit in Resources/systemd/*; do
	    put 644 "$$unit" "lib/systemd/user/$${unit##*/}"
	done
	sed -i 's|/usr/local/bin/|$(PREFIX)/bin/|' '$(INTO)/lib/systemd/user/herald-sync.service'
	put 644 Resources/completions/herald.bash share/bash-completion/completions/herald
	put 644 Resources/completions/_herald '$(ZSH_COMPLETIONS)/_herald'
	put 644 Resources/completions/herald.fish share/fish/vendor_completions.d/herald.fish

uninstall: ## Remove what install put below $(DESTDIR)$(PREFIX); mail and settings stay.
	@for part in $(PARTS_INSTALLED); do
	    rm -f '$(INTO)'/"$$part"
	done

DEB = .build/deb
DEB_MAINTAINER ?= Herald <herald@localhost>

deb: deps-deb programs ## Build a Debian package, which needs no Swift where it is installed.
	@rm -rf $(DEB)
	$(MAKE) install-files DESTDIR='$(DEB)/root' PREFIX=/usr ZSH_COMPLETIONS=share/zsh/vendor-completions
	mkdir -p $(DEB)/debian $(DEB)/root/DEBIAN $(DEB)/root/usr/share/doc/herald
	gzip -9n $(DEB)/root/usr/share/man/man*/*
	gzip -9nc CHANGELOG.md > $(DEB)/root/usr/share/doc/herald/changelog.gz
	install -m 644 LICENSE $(DEB)/root/usr/share/doc/herald/copyright
	printf 'Source: herald\n\nPackage: herald\nArchitecture: any\n' > $(DEB)/debian/control
	# libcurl is loaded when it is first needed, so that no tool sees it in the program.
	libraries=$$(cd $(DEB) && dpkg-shlibdeps -O root/usr/bin/herald root/usr/libexec/herald-server)
	sed -e 's|@VERSION@|$(VERSION)|' -e "s|@ARCHITECTURE@|$$(dpkg --print-architecture)|" \
	    -e 's|@MAINTAINER@|$(DEB_MAINTAINER)|' -e "s|@SIZE@|$$(du -sk $(DEB)/root | cut -f 1)|" \
	    -e "s#@DEPENDS@#$${libraries#shlibs:Depends=}, libcurl4, libmagic1#" Resources/debian/control \
	    > $(DEB)/root/DEBIAN/control
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct 2>/dev/null || date +%s) \
	    dpkg-deb --root-owner-group --build $(DEB)/root .build

ci: ## Check the format, build and test: what every change must pass.
	$(MAKE) lint
	$(MAKE) build
	$(MAKE) test
