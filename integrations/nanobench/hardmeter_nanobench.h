/* SPDX-License-Identifier: MIT
 *
 * nanobench (4.0 and later) under hardmeter: only the measured operation is counted.
 *
 *     std::vector<int> table(1 << 20);                       // not counted
 *     hardmeter::run(ankerl::nanobench::Bench(), "walk", [&] {
 *       ankerl::nanobench::doNotOptimizeAway(add_up(table));
 *     });
 *
 * This replaces Bench::run. Without hardmeter nanobench runs and times the operation as usual.
 * hardmeter_benchmarks.py --harness nanobench runs one iteration, without nanobench's clock.
 */
#ifndef HARDMETER_NANOBENCH_H
#define HARDMETER_NANOBENCH_H

#include <nanobench.h>

#include <hardmeter/region.hpp>
#include <string>
#include <utility>

#include "../hardmeter_choice.h"

namespace hardmeter {

// Runs the operation in a region of libhardmeter with the name "benchmark". The region includes nanobench's
// own code if nanobench times the operation.
template <typename Bench, typename Operation>
void run(Bench&& bench, const std::string& name, Operation&& operation) {
  if (chooses() && !is_chosen(name)) return;
  Region region{"benchmark"};
  if (chooses())
    operation();
  else
    bench.run(name, std::forward<Operation>(operation));
}

}  // namespace hardmeter

#endif
