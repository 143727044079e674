// SPDX-License-Identifier: MIT
// A batch, which an agent sends to a store: the aggregated result of one short measurement of a machine.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hm::store {

// Kind and subject of a measurement.
struct Series {
  std::string service;                              // a systemd unit, a container, or a program's name
  std::string release;                              // build ID of the program, in hex; empty if it has none
  std::string event;                                // as in `hardmeter list`
  std::string source;                               // kind of PMU: "hardware", "clock" or "software"
  std::string unit;                                 // unit of `load`: "instructions", "cpu_ns" or "readings"
  auto operator<=>(const Series&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Code location of a row. All members are empty or 0 in a row with the total of its series.
struct CodeLocation {
  std::string build_id;  // build ID of the file with the code, in hex
  std::string module;    // name of that file, without its folder
  uint64_t offset = 0;   // the instruction's address in that file
  std::string function;  // empty if not known yet
  std::string file;      // source file; empty if not known yet
  uint32_t line = 0;
  std::string miss_class;                                 // "conflict", ...; empty if unknown
  std::string object;                                     // accessed object; empty if unknown
  auto operator<=>(const CodeLocation&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct Row {
  Series series;
  bool is_total = false;  // total of the series in this batch, without a place
  CodeLocation place;
  uint64_t samples = 0;  // 0: the count is not an estimate from samples
  double count = 0;      // events, estimated from sampling periods; or the value of a reading
  double load = 0;       // the service's amount of work, in Series::unit
};

struct Batch {
  std::string id;  // unique: inserting a batch twice has no effect
  std::string host;
  uint64_t time_s = 0;  // time of the measurement, since 1970
  std::vector<Row> rows;
};

// Maximum number of rows in a batch. A store inserts a batch completely or not at all.
inline constexpr size_t kMaxRows = 50'000;

// Returns lines of JSON: a header, a line for each row, and a last line that marks the text as complete.
[[nodiscard]] std::string write_batch(const Batch& batch);
// Parses untrusted text. Fails with kDamaged and one sentence; `name` is the file's name.
[[nodiscard]] Result<Batch> read_batch(std::string_view text, const std::string& name);

}  // namespace hm::store
