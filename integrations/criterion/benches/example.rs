// SPDX-License-Identifier: MIT
//! Benchmarks that read a table of 65,536 lines of 64 bytes. Filling the table is not counted.
use criterion::{criterion_group, criterion_main, BatchSize, Criterion};
use hardmeter_criterion::Regions;

const LINE: usize = 8;
const LINES: usize = 65536;

fn sum(table: &[u64], step: usize) -> u64 {
    table.iter().step_by(step).sum()
}

fn every_line(criterion: &mut Criterion<Regions>) {
    let table = vec![1; LINES * LINE];
    criterion.bench_function("every line", |bencher| bencher.iter(|| sum(&table, LINE)));
}

fn every_second_line(criterion: &mut Criterion<Regions>) {
    let filled = || vec![1; LINES * LINE];
    criterion.bench_function("every second line", |bencher| {
        bencher.iter_batched_ref(filled, |table| sum(table, 2 * LINE), BatchSize::PerIteration)
    });
}

criterion_group! {
    name = benches;
    config = Criterion::default().with_measurement(Regions);
    targets = every_line, every_second_line
}
criterion_main!(benches);
