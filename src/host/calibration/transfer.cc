// SPDX-License-Identifier: MIT
#include "host/calibration/transfer.h"

#include <atomic>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "base/text_file.h"
#include "host/core_clock.h"
#include "host/pinning.h"

namespace hm::host {
namespace {

constexpr uint64_t kLongestWaitNs = 100'000'000;
constexpr uint64_t kLongestNs = 1'000'000'000;  // of all repetitions, if the other thread is slow to answer
constexpr uint64_t kTripsPerRepetition = 500;
constexpr int kRepetitions = 41;

// The CPUs of a core: "0-1" or "0,64" (Documentation/ABI/stable/sysfs-devices-system-cpu).
std::string siblings_of(int cpu) {
  return read_text("/sys/devices/system/cpu/cpu" + std::to_string(cpu) + "/topology/thread_siblings_list")
      .value_or("");
}

std::optional<int> other_cpu(int cpu, const std::vector<int>& allowed) {
  std::optional<int> sibling;
  for (int other : allowed) {
    if (other == cpu) continue;
    if (siblings_of(other) != siblings_of(cpu)) return other;
    if (!sibling) sibling = other;
  }
  return sibling;
}

// A number that two threads increment in turn. While it is even, it is the first thread's turn.
class Ball {
 public:
  // Waits until the number is `turn`. Returns false if it is the end, or has not come for long.
  bool wait_for(uint64_t turn) {
    uint64_t begin_ns = 0;
    for (uint64_t tries = 1; number_.load(std::memory_order_acquire) != turn; ++tries) {
      __builtin_ia32_pause();
      if (tries % 4096 != 0) continue;
      uint64_t now = now_ns();
      if (begin_ns == 0) begin_ns = now;
      if (now - begin_ns > kLongestWaitNs || ended_.load(std::memory_order_relaxed)) return false;
    }
    return true;
  }
  void pass(uint64_t turn) { number_.store(turn, std::memory_order_release); }
  void end() { ended_.store(true, std::memory_order_relaxed); }

 private:
  alignas(128) std::atomic<uint64_t> number_{0};  // neighbours of a line may be fetched with it
  alignas(128) std::atomic<bool> ended_{false};
};

// Returns the times of one way; fewer if the other thread did not answer.
std::vector<double> play(Ball& ball) {
  std::vector<double> ns;
  uint64_t turn = 0;
  uint64_t first_ns = now_ns();
  for (int repetition = 0; repetition < kRepetitions; ++repetition) {
    uint64_t begin_ns = now_ns();
    if (begin_ns - first_ns > kLongestNs) return ns;
    for (uint64_t trip = 0; trip < kTripsPerRepetition; ++trip, turn += 2) {
      if (!ball.wait_for(turn)) return ns;
      ball.pass(turn + 1);
    }
    ns.push_back(static_cast<double>(now_ns() - begin_ns) / (2 * kTripsPerRepetition));
  }
  return ns;
}

}  // namespace

std::optional<Estimate> time_of_modified_line(int cpu, const std::vector<int>& allowed) {
  std::optional<int> other = other_cpu(cpu, allowed);
  if (!other) return std::nullopt;
  Ball ball;
  std::thread partner([&] {
    if (!pin_to(*other)) return;
    for (uint64_t turn = 1; ball.wait_for(turn); turn += 2) ball.pass(turn + 1);
  });
  std::vector<double> ns = play(ball);
  ball.end();
  partner.join();
  if (ns.size() < kRepetitions / 2) return std::nullopt;
  return median_of(std::move(ns));
}

}  // namespace hm::host
