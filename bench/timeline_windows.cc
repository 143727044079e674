// SPDX-License-Identifier: MIT
// Measures how long windows of a large recording's time line take to find, once it is loaded:
// timeline_windows RECORDING. Uses windows of random positions and lengths, from the whole run to a few
// samples, in 200 cells for 16 threads. Prints the number of windows and their median and longest time in ms.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

#include "analysis/timeline/history.h"
#include "profile/loader.h"
#include "record/reader.h"
#include "symbol/file_resolver.h"

namespace hm {
namespace {

constexpr int kWindows = 300;

timeline::Window random_window(uint64_t length, std::mt19937_64& random) {
  timeline::Window window{.columns = 200};
  // Logarithmically distributed lengths.
  double part = std::exp2(-std::uniform_real_distribution<double>(0, 20)(random));
  auto lasts = std::max<uint64_t>(1, static_cast<uint64_t>(static_cast<double>(length) * part));
  window.from_ns = random() % (length - std::min(lasts, length - 1));
  window.to_ns = window.from_ns + lasts;
  return window;
}

int measure(const char* path) {
  Result<record::Reader> reader = record::Reader::open(path);
  if (!reader) {
    fmt::print(stderr, "{}\n", reader.error().message);
    return 1;
  }
  symbol::FileResolver resolver;
  profile::LoadOptions options;
  options.needs = profile::kPlacesOnly;
  options.needs.branches = profile::Branches::kFunctions;
  Result<profile::Profile> profile = profile::load(*reader, resolver, options);
  if (!profile) return 1;
  Result<timeline::History> history = timeline::History::make(*profile, {});
  if (!history) return 1;
  std::mt19937_64 random(1);
  std::vector<double> times;
  for (int i = 0; i < kWindows; ++i) {
    timeline::Window window =
        i == 0 ? timeline::Window{.columns = 200} : random_window(history->length_ns(), random);
    auto begin = std::chrono::steady_clock::now();
    if (!history->show(window)) continue;
    std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    times.push_back(took.count());
  }
  std::ranges::sort(times);
  if (times.empty()) return 1;
  fmt::print("{} {:.1f} {:.1f}\n", times.size(), times[times.size() / 2], times.back());
  return 0;
}

}  // namespace
}  // namespace hm

int main(int count, char** arguments) { return count == 2 ? hm::measure(arguments[1]) : 2; }
