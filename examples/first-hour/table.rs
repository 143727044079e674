// SPDX-License-Identifier: MIT
//! Counts numbers in a hash table.
use std::collections::HashMap;

fn main() {
    let mut counts: HashMap<u32, u32> = HashMap::new();
    let mut random = 1u32;
    for _ in 0..300_000 {
        random = random.wrapping_mul(1664525).wrapping_add(1013904223);
        *counts.entry(random >> 12).or_default() += 1;
    }
    println!("{} {}", counts.len(), counts.values().max().unwrap());
}
