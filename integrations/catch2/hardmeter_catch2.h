/* SPDX-License-Identifier: MIT
 *
 * Benchmarks of Catch2 (2.9 and later, 3) under hardmeter: only the measured function is counted.
 *
 *     TEST_CASE("sums") {
 *       HARDMETER_BENCHMARK("walk")(hardmeter::Meter meter) {
 *         std::vector<int> table(1 << 20);                 // not counted
 *         meter.measure([&] { return add_up(table); });
 *       };
 *     }
 *
 * This replaces BENCHMARK and BENCHMARK_ADVANCED. Without hardmeter Catch2 runs and times the benchmark as
 * usual. hardmeter_benchmarks.py --harness catch2 runs one iteration, without Catch2's clock. Include this
 * file after Catch2's header, and for Catch2 2 define CATCH_CONFIG_ENABLE_BENCHMARKING before that.
 */
#ifndef HARDMETER_CATCH2_H
#define HARDMETER_CATCH2_H

#include <hardmeter/region.hpp>
#include <string>
#include <type_traits>
#include <utility>

#include "../hardmeter_choice.h"

namespace hardmeter {

// Runs the measured function in a region of libhardmeter with the name "benchmark".
class Meter {
 public:
  Meter() = default;  // one iteration, without a clock
  explicit Meter(Catch::Benchmark::Chronometer& chronometer) : chronometer_(&chronometer) {}

  [[nodiscard]] int runs() const { return chronometer_ == nullptr ? 1 : chronometer_->runs(); }

  // Calls function() or function(iteration) in each iteration.
  template <typename Function>
  void measure(Function&& function) {
    Region region{"benchmark"};
    if (chronometer_ != nullptr)
      chronometer_->measure(std::forward<Function>(function));
    else if constexpr (std::is_invocable_v<Function, int>)
      keep([&] { return function(0); });
    else
      keep(function);
  }

 private:
  // Calls the function and prevents that the compiler removes the computation of its result.
  template <typename Function>
  static void keep(Function&& function) {
    if constexpr (std::is_void_v<std::invoke_result_t<Function>>) {
      function();
    } else {
      auto&& result = function();
      asm volatile("" : : "r"(&result) : "memory");
    }
  }

  Catch::Benchmark::Chronometer* chronometer_ = nullptr;
};

class Benchmark {
 public:
  explicit Benchmark(std::string name) : name_(std::move(name)) {}

  template <typename Body>
  void operator=(Body body) {
    if (chooses()) {
      if (is_chosen(std::string(Catch::getResultCapture().getCurrentTestName()) + "/" + name_)) body(Meter());
      return;
    }
    BENCHMARK_ADVANCED(std::string(name_))(Catch::Benchmark::Chronometer chronometer) {
      body(Meter(chronometer));
    };
  }

 private:
  std::string name_;
};

}  // namespace hardmeter

#define HARDMETER_BENCHMARK(name) ::hardmeter::Benchmark{name} = [&]

#endif
