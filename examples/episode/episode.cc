// SPDX-License-Identifier: MIT
// Answers requests for some seconds, in two phases: looking records up, then adding them up. Once, late in
// the first phase, an index is rebuilt for about a millisecond: a profile of the whole run hides that,
// `hardmeter timeline` tells when it was. Usage: episode [SECONDS [MILLISECONDS]], 10 and 1 if not said.
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr size_t kRecords = 1 << 12;

[[gnu::noinline]] uint64_t look_up(const std::vector<uint64_t>& records, uint64_t key) {
  for (int i = 0; i < 64; ++i) key = records[key % kRecords] ^ (key >> 3);
  return key;
}

[[gnu::noinline]] uint64_t add_up(const std::vector<uint64_t>& records, uint64_t sum) {
  return std::accumulate(records.begin(), records.begin() + 128, sum);
}

[[gnu::noinline]] void rebuild_index(std::vector<uint64_t>& records) {
  for (size_t i = 1; i < records.size() / 4; ++i) records[i] = records[i - 1] * 6364136223846793005 + i;
}

// So many times between two looks at the clock.
template <typename Work>
void repeat_until(Clock::time_point end, int times, Work&& work) {
  while (Clock::now() < end) {
    for (int i = 0; i < times; ++i) work();
  }
}

}  // namespace

int main(int argc, char** argv) {
  Seconds all(argc > 1 ? std::atof(argv[1]) : 10), episode(argc > 2 ? std::atof(argv[2]) / 1e3 : 1e-3);
  std::vector<uint64_t> records(kRecords, 1);
  uint64_t result = 0;
  Clock::time_point begin = Clock::now();
  const auto after = [&](double part) {
    return begin + std::chrono::duration_cast<Clock::duration>(all * part);
  };
  repeat_until(after(0.4), 50, [&] { result = look_up(records, result); });
  repeat_until(Clock::now() + std::chrono::duration_cast<Clock::duration>(episode), 1,
               [&] { rebuild_index(records); });
  repeat_until(after(0.5), 50, [&] { result = look_up(records, result); });
  repeat_until(after(1), 50, [&] { result = add_up(records, result); });
  std::printf("%llu\n", static_cast<unsigned long long>(result));
}
