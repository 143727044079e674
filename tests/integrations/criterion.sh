#!/bin/bash
# SPDX-License-Identifier: MIT
# Criterion.rs from Debian's packages: one row for each benchmark, and only its iterations are counted.
# criterion.sh HARDMETER SOURCE LIBRARIES
source=$(realpath -- "$2") libraries=$(realpath -- "$3") harness=criterion registry=/usr/share/cargo/registry
. "$(dirname "$0")/benchmarks.sh"
has cargo rustc || exit 77
ls -d "$registry"/criterion-0* >/dev/null 2>&1 || { skipped "Criterion.rs: there is no librust-criterion-dev here"; exit 77; }
cp -r "$source/integrations/criterion" crate
mkdir crate/.cargo
cat >crate/.cargo/config.toml <<END
[source.crates-io]
replace-with = "debian"
[source.debian]
directory = "$registry"
[profile.bench.package."*"]
opt-level = 0  # to build sooner
[build]
rustflags = ["-Lnative=$work/libraries", "-Clink-arg=-Wl,-rpath,$work/libraries"]
END
# The linker divides the value of -Wl at commas, and folders may have some in their names.
ln -s "$libraries" libraries
(cd crate && cargo bench --offline --no-run --jobs 1) >out 2>&1
status=$?
expect "status of cargo: $(cat out)" 0 $status
program=$work/$(find crate/target/release/deps -name 'example-*' -executable -type f)
expect_lines "every line" "every second line"

# Without hardmeter Criterion.rs runs and times the benchmarks.
(cd crate && "$program" --bench --warm-up-time 1 --measurement-time 1 --sample-size 10 --noplot '^every line$') >out 2>&1
status=$?
expect "natively: $(cat out)" 0 $status
expect_match "the result of Criterion.rs" '^every line +time: ' "$(cat out)"
finish
