# SPDX-License-Identifier: MIT
# Thin: each target sets up all it needs, from nothing. CMakePresets.json has the builds themselves.
.PHONY: build demo install packages test test-sanitized fuzz bench tidy clean setup

build: setup
	@cmake --preset release >/dev/null
	@cmake --build --preset release

setup:
	@bash scripts/setup.sh

# SQLite fills and indexes a table; where does it miss the cache?
demo: build
	@sh examples/sqlite/run.sh build/bin/hardmeter

# PREFIX=/usr/local
install: build
	@cmake --install build --strip --prefix $(or $(PREFIX),/usr/local) >/dev/null

packages: build
	@cd build && cpack -G DEB -B packages >/dev/null
	@ls build/packages/*.deb

test: build test-sanitized fuzz
	@bash scripts/ctest.sh release --parallel 2

# The unit tests once more, with AddressSanitizer and UndefinedBehaviorSanitizer.
test-sanitized: setup
	@cmake --preset asan >/dev/null
	@cmake --build --preset asan
	@bash scripts/ctest.sh asan --parallel 2

# A few seconds of each fuzzer, from its corpus; FUZZ_SECONDS=300 for more.
fuzz: setup
	@bash scripts/fuzz.sh $(or $(FUZZ_SECONDS),7)

bench: build
	@bash bench/run.sh

# Every source; the tests look at the changed ones only.
tidy: build
	@bash tests/style/tidy.sh clang-tidy build all

clean:
	rm -rf build build-asan build-tsan build-fuzz
