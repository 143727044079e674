// SPDX-License-Identifier: MIT
#include "view/text/latency_watch_text.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/local_time.h"
#include "view/text/format.h"

namespace hm::text {
namespace {

constexpr int kTimeColumns = 8;
constexpr int kColumns = 18;  // of each level

double median_of(std::vector<double> values) {
  std::ranges::sort(values);
  return (values[(values.size() - 1) / 2] + values[values.size() / 2]) / 2;
}

}  // namespace

std::string LatencyRows::head(int cpu) const {
  std::string sizes, titles = fmt::format("{:>{}}", "time", kTimeColumns);
  for (const host::WatchedLevel& level : levels_) {
    sizes += fmt::format("{}{} {}", sizes.empty() ? "" : ", ", level.name,
                         bytes_text(static_cast<double>(level.bytes)));
    titles += fmt::format("{:>{}}", level.name, kColumns);
  }
  return fmt::format("ns for one load on CPU {} in memory of: {}; x: ratio to the minimum so far\n{}\n", cpu,
                     sizes, titles);
}

std::string LatencyRows::row(std::time_t when, const std::vector<double>& ns) {
  std::string out = fmt::format("{:%H:%M:%S}", local_time(when));
  for (size_t i = 0; i < levels_.size(); ++i) {
    readings_[i].push_back(ns[i]);
    double least = *std::ranges::min_element(readings_[i]);
    out += fmt::format("{:>{}}", fmt::format("{:.1f} x{:.2f}", ns[i], ns[i] / least), kColumns);
  }
  return out + '\n';
}

std::string LatencyRows::conclusion() const {
  constexpr double kNotable = 1.3;
  std::string out;
  for (size_t i = 0; i < levels_.size(); ++i) {
    if (readings_[i].empty()) continue;
    auto [least, most] = std::ranges::minmax_element(readings_[i]);
    double median = median_of(readings_[i]);
    std::string_view name = levels_[i].name;
    out += fmt::format("{}: {:.1f} to {:.1f} ns, {:.1f} in the median", name, *least, *most, median);
    bool varies = *most > kNotable * *least;
    if (varies && name == "memory") out += "; others used the memory's bandwidth, or the clock rate changed";
    if (varies && name != "memory")
      out +=
          "; others used this cache, or the clock rate changed (hardmeter llc shows who holds the last level)";
    out += '\n';
  }
  return out;
}

}  // namespace hm::text
