// SPDX-License-Identifier: MIT
// A day of two machines and three services with known data, for tests of store queries and of the page.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <vector>

#include "store/batch.h"

namespace hm::testing {

inline constexpr uint64_t kFleetBegin = 1'699'999'200;  // a full hour
inline constexpr uint64_t kFleetHours = 24;
// From this time shop.service has another release, in which one line misses three times as often.
inline constexpr uint64_t kFleetStep = kFleetBegin + 16 * 3600;
// Nothing is measured in this interval.
inline constexpr uint64_t kFleetGapBegin = kFleetBegin + 8 * 3600, kFleetGapEnd = kFleetBegin + 10 * 3600;

namespace fleet_example {

struct Line {
  const char *function, *file;
  uint32_t line;
  uint64_t samples;
};

// One sample represents 1000 events, of 100 million instructions.
inline void add_service(store::Batch& batch, const store::Series& series, const std::vector<Line>& lines) {
  uint64_t samples = 0;
  for (const Line& each : lines) samples += each.samples;
  constexpr double kEach = 1000, kLoad = 1e8;
  batch.rows.push_back({series, true, {}, samples, kEach * static_cast<double>(samples), kLoad});
  for (const Line& each : lines)
    batch.rows.push_back({series,
                          false,
                          {"beef", "program", 0x1000 + each.line, each.function, each.file, each.line,
                           each.line == 88 ? "capacity" : "cold", each.line == 88 ? "heap: carts" : ""},
                          each.samples,
                          kEach * static_cast<double>(each.samples),
                          kLoad});
}

inline store::Batch batch_of(const std::string& host, uint64_t time_s, uint64_t number) {
  store::Batch batch{fmt::format("{}-{}", host, number), host, time_s, {}};
  bool is_after = time_s >= kFleetStep;
  uint64_t more = number % 3;  // measurements differ slightly
  store::Series shop{"shop.service", is_after ? "bb22" : "aa11", "l3_cache_miss", "hardware", "instructions"};
  add_service(batch, shop,
              {{"look_up", "cart.cc", 88, (is_after ? 90 : 30) + more},
               {"look_up", "cart.cc", 91, 4},
               {"serialize", "json.cc", 17, 10 + more}});
  add_service(batch, {"mail.service", "cc33", "l3_cache_miss", "hardware", "instructions"},
              {{"deliver", "queue.c", 5, 6 + more}});
  add_service(batch, {"[kernel]", "", "l3_cache_miss", "hardware", "instructions"},
              {{"copy_page", "", 0, 3 + more}});
  shop.event = "dtlb_load_miss";
  add_service(batch, shop, {{"look_up", "cart.cc", 88, 2}});
  return batch;
}

}  // namespace fleet_example

// Each machine has one measurement every ten minutes.
inline std::vector<store::Batch> example_fleet() {
  constexpr uint64_t kEvery = 600;
  std::vector<store::Batch> batches;
  for (uint64_t number = 0; number < kFleetHours * 3600 / kEvery; ++number) {
    uint64_t time_s = kFleetBegin + number * kEvery;
    if (time_s >= kFleetGapBegin && time_s < kFleetGapEnd) continue;
    for (const char* host : {"web-1", "web-2"})
      batches.push_back(fleet_example::batch_of(host, time_s, number));
  }
  return batches;
}

}  // namespace hm::testing
