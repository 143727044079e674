# SPDX-License-Identifier: MIT
# Thin: each target sets up all it needs, from nothing. CMakePresets.json has the builds themselves.
.PHONY: build demo fleet-demo install packages tarball release test-distributions examples check test test-release test-sanitized fuzz bench suites tidy clean

# The product: the tool, its engines and libraries, manual pages.
build:
	@bash scripts/setup.sh product
	@cmake --preset release >/dev/null
	@cmake --build --preset release

# Perl counts names in a hash; where does it miss the cache? With a release archive in dist/, or in HARDMETER_RELEASE (a
# file or a URL), nothing is built.
demo:
	@bash packaging/demo.sh "$(HARDMETER_RELEASE)"

# Three agents, two ClickHouse servers, a service with two releases, and a page to look at.
fleet-demo: build
	@bash scripts/setup.sh fleet
	@bash examples/fleet/run.sh build/bin/hardmeter

# PREFIX=/usr/local
install: build
	@cmake --install build --strip --prefix $(or $(PREFIX),/usr/local) >/dev/null

packages: build
	@bash scripts/setup.sh packages
	@cd build && cpack -G DEB -B packages >/dev/null
	@ls build/packages/*.deb

# dist/hardmeter-VERSION-x86_64-linux.tar.zst and .tar.xz, which run on any x86-64 Linux.
tarball: build
	@bash scripts/setup.sh release
	@bash packaging/tarball.sh build dist

# Besides, packages for distributions that use dpkg and rpm, an OCI image, recipes, and checksums.
release: tarball
	@bash packaging/release.sh dist/hardmeter-*-x86_64-linux.tar.xz dist

# Tries the archive on fresh roots of other distributions (as root), DISTRIBUTIONS="trixie musl" for some of them; and
# compiles the source on other releases of Debian: SOURCE_ON="trixie".
test-distributions: tarball
	@bash scripts/setup.sh distributions
	@bash scripts/distributions/try_archive.sh dist/hardmeter-*-x86_64-linux.tar.xz $(DISTRIBUTIONS)
	@for release in $(or $(SOURCE_ON),trixie sid); do bash scripts/distributions/build_source.sh $$release || exit 1; done

# The programs of examples/, to try the tool on.
examples: build
	@cmake --build build --target examples

# The unit tests of all rooms: a minute at most when built before.
check:
	@cmake --preset tests >/dev/null
	@cmake --build --preset tests --target unit_tests
	@bash scripts/check.sh build

# Everything that has to pass before a change is in.
test: test-sanitized fuzz test-release

test-release:
	@bash scripts/setup.sh product packages tests
	@cmake --preset tests >/dev/null
	@cmake --build --preset tests
	@bash scripts/ctest.sh tests --parallel "$$(nproc)"

# The unit tests once more, with AddressSanitizer and UndefinedBehaviorSanitizer.
test-sanitized:
	@bash scripts/setup.sh product tests
	@cmake --preset sanitized >/dev/null
	@cmake --build --preset sanitized
	@bash scripts/ctest.sh sanitized --parallel "$$(nproc)"

# A few seconds of each fuzzer, from its corpus; FUZZ_SECONDS=300 for more.
fuzz:
	@bash scripts/setup.sh product tests
	@bash scripts/fuzz.sh $(or $(FUZZ_SECONDS),5)

bench: build
	@bash bench/run.sh

# The test suites of other projects, natively and under hardmeter: hours. SUITES="sed ltp" for some of them.
suites: build
	@python3 bench/suites.py build/bin/hardmeter $(SUITES)

# Every source; the tests look at the changed ones only.
tidy: test-release
	@bash tests/style/tidy.sh clang-tidy build all

clean:
	rm -rf build build-dev build-sanitized build-tsan dist
