// SPDX-License-Identifier: MIT
// For tests: recordings with one sampled event and the instruction count.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/diff/diff_recording.h"

namespace hm::diff {

inline constexpr uint64_t kTestPeriod = 100;

// A function's name and its number of samples, each with a period of kTestPeriod. Events of `total` that no
// sample represents belong to no row.
using TestRows = std::vector<std::pair<std::string, uint64_t>>;

inline Recording test_recording(double total, const TestRows& rows, std::string pmu = "software") {
  Event miss{"miss", total, true, 1, false, true, false, 0, 0, 0, {}};
  for (const auto& [function, samples] : rows) {
    miss.rows[{function, "program"}] = {samples, samples * kTestPeriod};
    miss.samples += samples;
  }
  miss.weight = miss.samples * kTestPeriod;
  miss.effective_samples = static_cast<double>(miss.samples);
  Recording out;
  out.name = "file";
  out.pmu = std::move(pmu);
  out.machine = "L1";
  out.command = {"./program", "1"};
  out.columns = {"function", "dso"};
  out.events = {miss, {"instr_retired", 1e6, true, 1, true, false, false, 0, 0, 0, {}}};
  return out;
}

// Returns the functions of the first event's rows and their samples.
inline TestRows rows_of(const Recording& recording) {
  TestRows rows;
  for (const auto& [names, count] : recording.events[0].rows) rows.emplace_back(names[0], count.samples);
  return rows;
}

}  // namespace hm::diff
