// SPDX-License-Identifier: MIT
#include "analysis/timeline/outliers.h"

#include <algorithm>
#include <cmath>

namespace hm::timeline {
namespace {

constexpr size_t kFewestWindows = 64;
constexpr size_t kMaxOutliers = 5;
constexpr size_t kTail = 20;       // number of largest other windows that define the tail
constexpr size_t kLookedAt = 256;  // number of largest windows that are examined

// Overlapping windows of `width` bins; half a window is `step` bins. A window's number is that of its first
// half.
struct Windows {
  size_t step = 1, width = 1;
  std::vector<Amount> all;  // non-empty windows, in order
};

// Combines each two successive halves, given in order, into a window.
Windows windows_of(const std::vector<Amount>& halves, size_t step) {
  Windows windows{step, 2 * step, {}};
  for (size_t i = 0; i < halves.size(); ++i) {
    const Amount& half = halves[i];
    bool has_next = i + 1 < halves.size() && halves[i + 1].bin == half.bin + 1;
    bool had_before = i > 0 && halves[i - 1].bin + 1 == half.bin;
    if (!had_before && half.bin > 0) windows.all.push_back({half.bin - 1, half.samples});
    windows.all.push_back({half.bin, half.samples + (has_next ? halves[i + 1].samples : 0)});
  }
  return windows;
}

std::vector<Amount> paired(const std::vector<Amount>& halves) {
  std::vector<Amount> pairs;
  for (const Amount& half : halves) {
    if (pairs.empty() || pairs.back().bin != half.bin / 2)
      pairs.push_back({half.bin / 2, half.samples});
    else
      pairs.back().samples += half.samples;
  }
  return pairs;
}

// Returns the largest windows that do not touch each other, largest first.
std::vector<Amount> peaks_of(std::span<const Amount> windows, uint32_t reach) {
  const auto more = [](const Amount& a, const Amount& b) { return a.samples > b.samples; };
  std::vector<Amount> largest(std::min(windows.size(), kLookedAt));
  std::partial_sort_copy(windows.begin(), windows.end(), largest.begin(), largest.end(), more);
  std::vector<Amount> peaks;
  for (const Amount& each : largest) {
    const auto touches = [&](const Amount& peak) {
      return std::max(peak.bin, each.bin) - std::min(peak.bin, each.bin) <= reach;
    };
    if (peaks.size() == kMaxOutliers + kTail + 1) break;
    if (std::none_of(peaks.begin(), peaks.end(), touches)) peaks.push_back(each);
  }
  return peaks;
}

// Distribution of the other windows: the usual amount and the probability of more.
struct Usual {
  double most = 0;       // maximum of any window
  double threshold = 0;  // threshold of the tail
  double excess = 0;     // mean excess of the tail over the threshold
  double tail = 0;       // number of windows in the tail
  double per_window = 0;
  double windows = 0;
};

Usual usual_of(std::span<const Amount> others, double samples_of_others, double windows) {
  // Adds half a sample, because an event that was never observed may still occur.
  constexpr double kUnseen = 0.5;
  Usual usual;
  usual.windows = windows;
  usual.per_window = (samples_of_others + 2 * kUnseen) / windows;
  usual.most = others.empty() ? 0 : double{others.front().samples};
  usual.threshold = others.size() > kTail ? double{others[kTail].samples} : 0;
  std::span<const Amount> tail = others.first(std::min(others.size(), kTail));
  double sum = kUnseen;
  for (const Amount& each : tail) sum += each.samples - usual.threshold;
  usual.tail = static_cast<double>(std::max<size_t>(tail.size(), 1));
  usual.excess = sum / (usual.tail + 1);
  return usual;
}

// Returns the log of the expected number of windows with at least this amount.
double log_chance(double samples, const Usual& usual) {
  if (samples <= usual.per_window || samples <= usual.threshold) return 0;
  // Chernoff's bound on the tail of the Poisson distribution.
  double anywhere =
      std::log(usual.windows) - (samples * std::log(samples / usual.per_window) - samples + usual.per_window);
  double in_bursts = std::log(usual.tail) - (samples - usual.threshold) / usual.excess;
  return std::max(anywhere, in_bursts);
}

// Narrows a window to the part with most of its samples: the range with the largest excess over half of the
// window's mean density.
Outlier narrowed(std::span<const Amount> row, Outlier outlier) {
  double price = outlier.per_bin / 2;
  double best = 0, sum = 0;
  uint32_t begin = outlier.begin, start = begin, next = begin;
  uint32_t best_begin = outlier.begin, best_end = outlier.end;
  auto each = std::lower_bound(row.begin(), row.end(), outlier.begin,
                               [](const Amount& amount, uint32_t bin) { return amount.bin < bin; });
  for (; each != row.end() && each->bin < outlier.end; ++each) {
    sum -= price * (each->bin - next);
    next = each->bin + 1;
    if (sum <= 0) {
      sum = 0;
      start = each->bin;
    }
    sum += each->samples - price;
    if (sum > best) {
      best = sum;
      best_begin = start;
      best_end = next;
    }
  }
  outlier.begin = best_begin;
  outlier.end = best_end;
  outlier.per_bin = best / (best_end - best_begin) + price;
  return outlier;
}

void find_in(const Windows& windows, size_t bins, double samples_of_all, double log_limit,
             std::vector<Outlier>& found) {
  uint32_t reach = windows.step == windows.width ? 1 : 2;
  std::vector<Amount> peaks = peaks_of(windows.all, reach);
  double in_peaks = 0;
  for (size_t i = 0; i < std::min(kMaxOutliers, peaks.size()); ++i) in_peaks += peaks[i].samples;
  for (size_t count = std::min(kMaxOutliers, peaks.size()); count > 0; --count) {
    double least = peaks[count - 1].samples;
    Usual usual = usual_of(std::span(peaks).subspan(count), std::max(samples_of_all - in_peaks, 0.0),
                           static_cast<double>(bins) / static_cast<double>(windows.width));
    in_peaks -= least;
    if (least < kFewestSamples || log_chance(least, usual) >= log_limit) continue;
    for (const Amount& peak : std::span(peaks).first(count)) {
      auto begin = static_cast<uint32_t>(peak.bin * windows.step);
      auto width = static_cast<double>(windows.width);
      found.push_back({begin, static_cast<uint32_t>(std::min(begin + windows.width, bins)),
                       peak.samples / width, usual.most / width, log_chance(peak.samples, usual)});
    }
    return;
  }
}

}  // namespace

std::vector<Outlier> find_outliers(std::span<const Amount> row, size_t bins, double log_limit) {
  double all = 0;
  for (const Amount& each : row) all += each.samples;
  std::vector<Outlier> found;
  if (all < kFewestSamples) return found;
  std::vector<Amount> halves(row.begin(), row.end());
  find_in({1, 1, halves}, bins, all, log_limit, found);
  for (size_t step = 1; bins / (2 * step) >= kFewestWindows; step *= 2) {
    find_in(windows_of(halves, step), bins, all, log_limit, found);
    halves = paired(halves);
  }
  std::sort(found.begin(), found.end(),
            [](const Outlier& a, const Outlier& b) { return a.log_chance < b.log_chance; });
  std::vector<Outlier> surest;
  for (const Outlier& each : found) {
    const auto overlaps = [&](const Outlier& other) {
      return each.begin < other.end && other.begin < each.end;
    };
    if (std::none_of(surest.begin(), surest.end(), overlaps)) surest.push_back(each);
  }
  for (Outlier& each : surest) each = narrowed(row, each);
  return surest;
}

}  // namespace hm::timeline
