/* SPDX-License-Identifier: MIT
 *
 * Google Benchmark under hardmeter: only the measured loop is counted.
 *
 *     static void walk(benchmark::State& state) {
 *       std::vector<int> table(1 << 20);                       // not counted
 *       for (auto _ : hardmeter::measured(state)) add_up(table);
 *     }
 *
 * The loop is a region of libhardmeter with the name "benchmark". Started by hardmeter, the program is
 * counted only inside it. Without hardmeter the loop runs as usual, and nothing else happens.
 */
#ifndef HARDMETER_BENCHMARK_H
#define HARDMETER_BENCHMARK_H

#include <benchmark/benchmark.h>
#include <hardmeter/hardmeter.h>

namespace hardmeter {

// Range over a state's iterations. The region begins before the first iteration, and ends after the last one
// or when the loop is left by break, return or an exception.
class Measured {
 public:
  explicit Measured(benchmark::State& state) : state_(state) {}
  Measured(const Measured&) = delete;
  Measured& operator=(const Measured&) = delete;
  ~Measured() { stop(); }

  class Iterator {
   public:
    Iterator(Measured* range, benchmark::State::StateIterator inner) : range_(range), inner_(inner) {}
    auto operator*() const { return *inner_; }
    Iterator& operator++() {
      ++inner_;
      return *this;
    }
    bool operator!=(const Iterator& end) const {
      if (inner_ != end.inner_) return true;
      range_->stop();
      return false;
    }

   private:
    Measured* range_;
    benchmark::State::StateIterator inner_;
  };

  // The end of a range is evaluated after its begin, and starts the benchmark's clock.
  Iterator begin() { return {this, state_.begin()}; }
  Iterator end() {
    benchmark::State::StateIterator last = state_.end();
    started_ = hardmeter_start("benchmark") == 0;
    return {this, last};
  }

 private:
  void stop() {
    if (started_) (void)hardmeter_stop();
    started_ = false;
  }

  benchmark::State& state_;
  bool started_ = false;
};

inline Measured measured(benchmark::State& state) { return Measured(state); }

}  // namespace hardmeter

#endif
