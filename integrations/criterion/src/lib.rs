// SPDX-License-Identifier: MIT
//! Criterion.rs under hardmeter: only the measured iterations are counted.
//!
//! ```ignore
//! use hardmeter_criterion::Regions;
//!
//! fn walk(criterion: &mut Criterion<Regions>) {
//!     let table = vec![1; 1 << 20]; // not counted
//!     criterion.bench_function("walk", |bencher| bencher.iter(|| add_up(&table)));
//! }
//!
//! criterion_group! {
//!     name = benches;
//!     config = Criterion::default().with_measurement(Regions);
//!     targets = walk
//! }
//! criterion_main!(benches);
//! ```
//!
//! Criterion.rs times as usual. Its iterations, without the setup of `iter_batched`, are a region of libhardmeter with
//! the name "benchmark". Without hardmeter the region has no effect.

use criterion::measurement::{Measurement, ValueFormatter, WallTime};
use std::ffi::{c_char, c_int};

#[link(name = "hardmeter")]
extern "C" {
    fn hardmeter_start(resource_name: *const c_char) -> c_int;
    fn hardmeter_stop() -> c_int;
}

/// Wall-clock time, measured in a region.
pub struct Regions;

impl Measurement for Regions {
    type Intermediate = (bool, <WallTime as Measurement>::Intermediate);
    type Value = <WallTime as Measurement>::Value;

    fn start(&self) -> Self::Intermediate {
        // SAFETY: the name is a C string.
        let started = unsafe { hardmeter_start(b"benchmark\0".as_ptr().cast()) } == 0;
        (started, WallTime.start())
    }
    fn end(&self, (started, start): Self::Intermediate) -> Self::Value {
        let value = WallTime.end(start);
        if started {
            // SAFETY: the function has no preconditions.
            unsafe { hardmeter_stop() };
        }
        value
    }
    fn add(&self, first: &Self::Value, second: &Self::Value) -> Self::Value {
        WallTime.add(first, second)
    }
    fn zero(&self) -> Self::Value {
        WallTime.zero()
    }
    fn to_f64(&self, value: &Self::Value) -> f64 {
        WallTime.to_f64(value)
    }
    fn formatter(&self) -> &dyn ValueFormatter {
        WallTime.formatter()
    }
}
