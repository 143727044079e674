// SPDX-License-Identifier: MIT
#include "analysis/fleet/fleet_over_time.h"

#include <algorithm>
#include <cmath>

namespace hm::fleet {
namespace {

// A step must be this many half-widths of its 95 % interval away from 0. All moments are tried, so a
// threshold of one half-width would report chance too often. With two, less than one in a hundred series of
// 200 does.
constexpr double kSureness = 2;

void add(store::Group& sum, const store::Group& more) {
  sum.samples += more.samples;
  sum.batches += more.batches;
  sum.count += more.count;
  sum.load += more.load;
  sum.count_squares += more.count_squares;
  sum.load_squares += more.load_squares;
  sum.products += more.products;
}

// Returns the part's sums for each bucket of the whole. A bucket without the part has empty sums.
std::vector<store::Group> parts_beside(const std::vector<store::Bucket>& parts,
                                       const std::vector<store::Bucket>& wholes) {
  std::vector<store::Group> beside;
  auto part = parts.begin();
  for (const store::Bucket& whole : wholes) {
    while (part != parts.end() && part->begin_s < whole.begin_s) ++part;
    bool is_met = part != parts.end() && part->begin_s == whole.begin_s;
    beside.push_back(is_met ? part->sums : store::Group());
  }
  return beside;
}

// Returns the prefix sums, each including its own bucket.
std::vector<store::Group> running_sums(const std::vector<store::Group>& groups) {
  std::vector<store::Group> sums;
  for (const store::Group& each : groups) {
    store::Group sum = sums.empty() ? store::Group() : sums.back();
    add(sum, each);
    sums.push_back(sum);
  }
  return sums;
}

store::Group rest_of(store::Group all, const store::Group& front) {
  all.samples -= front.samples;
  all.batches -= front.batches;
  all.count -= front.count;
  all.load -= front.load;
  all.count_squares -= front.count_squares;
  all.load_squares -= front.load_squares;
  all.products -= front.products;
  return all;
}

}  // namespace

uint64_t bucket_length(uint64_t begin_s, uint64_t end_s, uint64_t batches, uint64_t most) {
  constexpr uint64_t kDay = 86400;
  constexpr uint64_t kLengths[] = {1,   2,   5,    10,   15,   30,    60,    120,   300,
                                   600, 900, 1800, 3600, 7200, 10800, 21600, 43200, kDay};
  constexpr uint64_t kBatchesInEach = 4, kFewBuckets = 12;
  uint64_t buckets = std::min(most, std::max(batches / kBatchesInEach, kFewBuckets));
  // The first bucket may begin before `begin_s`; it must not count as an additional bucket.
  uint64_t shortest = (end_s - std::min(begin_s, end_s)) / std::max<uint64_t>(buckets - 1, 1) + 1;
  const uint64_t* found = std::ranges::lower_bound(kLengths, shortest);
  return found != std::end(kLengths) ? *found : (shortest + kDay - 1) / kDay * kDay;
}

std::vector<Moment> moments_of(const std::vector<store::Bucket>& parts,
                               const std::vector<store::Bucket>& wholes) {
  std::vector<store::Group> beside = parts_beside(parts, wholes);
  std::vector<Moment> moments;
  for (size_t i = 0; i < wholes.size(); ++i) {
    const store::Group& part = beside[i];
    moments.push_back(
        {wholes[i].begin_s, part.samples, wholes[i].sums.batches, part.count, rate_of(part, wholes[i].sums)});
  }
  return moments;
}

std::optional<Step> find_step(const std::vector<store::Bucket>& parts,
                              const std::vector<store::Bucket>& wholes) {
  if (wholes.size() < 2) return std::nullopt;
  std::vector<store::Group> whole_groups;
  whole_groups.reserve(wholes.size());
  for (const store::Bucket& each : wholes) whole_groups.push_back(each.sums);
  std::vector<store::Group> part_sums = running_sums(parts_beside(parts, wholes));
  std::vector<store::Group> whole_sums = running_sums(whole_groups);
  std::optional<Step> found;
  double most = kSureness;
  for (size_t i = 0; i + 1 < wholes.size(); ++i) {
    store::Group whole_after = rest_of(whole_sums.back(), whole_sums[i]);
    if (std::min(whole_sums[i].batches, whole_after.batches) < kMinBatches) continue;
    std::optional<Rate> before = rate_of(part_sums[i], whole_sums[i]);
    std::optional<Rate> after = rate_of(rest_of(part_sums.back(), part_sums[i]), whole_after);
    if (!before || !after) continue;
    std::optional<Interval> limits = difference_limits(*before, *after);
    if (!limits) continue;
    double difference = after->value - before->value;
    double half = difference > 0 ? difference - limits->low : limits->high - difference;
    if (half <= 0 || std::abs(difference) / half <= most) continue;
    most = std::abs(difference) / half;
    found = Step{wholes[i + 1].begin_s, *before, *after, *limits};
  }
  return found;
}

}  // namespace hm::fleet
