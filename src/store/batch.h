// SPDX-License-Identifier: MIT
// What an agent sends to a store: what one short measurement of a machine saw, added up.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hm::store {

// What was measured, of whom.
struct Series {
  std::string service;  // a systemd unit, a container, or a program's name
  std::string release;  // the build-id of the program, in hex; empty where it has none
  std::string event;    // as in `hardmeter list`
  std::string source;   // "hardware", "clock" or "software": what kind of PMU
  std::string unit;     // of `load`: "instructions", "cpu_ns" or "readings"
  auto operator<=>(const Series&) const = default;  // NOLINT(modernize-use-nullptr)
};

// Where it happened. All empty or 0 in a row that is the whole of its series.
struct Place {
  std::string build_id;  // of the file that the code is from, in hex
  std::string module;    // that file's name, without its folder
  uint64_t offset = 0;   // of the instruction, as an address in that file
  std::string function;  // empty where it is not known yet
  std::string file;      // of the source; likewise
  uint32_t line = 0;
  std::string miss_class;                          // "conflict", ...; empty where it is not known
  std::string object;                              // what was accessed; likewise
  auto operator<=>(const Place&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct Row {
  Series series;
  bool is_total = false;  // of the series in this batch; then there is no place
  Place place;
  uint64_t samples = 0;  // 0: the count is no estimate from samples
  double count = 0;      // events, from the samples' periods; of a reading its value
  double load = 0;       // what the service did meanwhile, in Series::unit
};

struct Batch {
  std::string id;  // unique: a batch that comes a second time changes nothing
  std::string host;
  uint64_t time_s = 0;  // since 1970, when it was measured
  std::vector<Row> rows;
};

// As many rows as a batch may have: a store takes it whole or not at all.
inline constexpr size_t kMostRows = 50'000;

// Lines of JSON: what the batch is, then a row each. The last line says that the text is whole.
[[nodiscard]] std::string write_batch(const Batch& batch);
// Untrusted text. kDamaged, one sentence; `name` is the file's.
[[nodiscard]] Result<Batch> read_batch(std::string_view text, const std::string& name);

}  // namespace hm::store
