// SPDX-License-Identifier: MIT
// Distribution of an event over services, functions and lines of many machines, and changes from one build to
// the next.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/fleet/naming.h"
#include "analysis/fleet/rate.h"
#include "store/queries.h"

namespace hm::fleet {

struct Row {
  std::vector<std::string> keys;  // one entry per key of the table
  uint64_t samples = 0;
  double count = 0;                  // estimated number of events
  double share = 0;                  // fraction of the count of all rows
  std::optional<Rate> rate;          // nullopt if no load was measured
  uint64_t first_s = 0, last_s = 0;  // first and last occurrence, in seconds since 1970
};

// Rows of one event, largest count first.
struct Table {
  std::vector<std::string> keys;  // "function", ...
  std::string event, source, unit;
  uint64_t samples = 0, batches = 0;
  double count = 0, load = 0;
  uint64_t first_s = 0, last_s = 0;
  std::vector<Row> rows;
  std::optional<Naming> naming;  // nullopt if no names were looked up
};

// Returns the rows with their rates. `whole`: the event's totals over the selection. `loads`: those totals
// grouped by the keys at the positions `keys_of_loads`, such as service, machine or release. The rate of a
// row uses the load of its own group. If `loads` is empty, all rows use the load of `whole`.
[[nodiscard]] std::vector<Row> rank(const std::vector<store::Group>& parts, const store::Group& whole,
                                    const std::vector<size_t>& keys_of_loads = {},
                                    const std::vector<store::Group>& loads = {});

// The values that a query can select. Lists other than events are sorted by samples, most first.
struct Choices {
  uint64_t batches = 0;
  std::optional<uint64_t> first_s, last_s;  // nullopt: nothing was measured
  std::vector<store::Group> events;         // by event, source and unit; the default event comes first
  std::string event;                        // the event that the lists below belong to
  std::vector<store::Group> services, hosts;
  std::vector<store::Group> releases;  // of the selected service, if any
};

struct ChangedRow {
  std::vector<std::string> keys;
  uint64_t samples_before = 0, samples_after = 0;
  Rate before, after;
  std::optional<Interval> difference;  // interval of the change of the rate
  // Returns true if the interval contains only values above 0, or only values below 0.
  [[nodiscard]] bool is_significant() const {
    return difference && (difference->low > 0 || difference->high < 0);
  }
};

struct Comparison {
  std::vector<std::string> keys;
  std::string event, unit;
  store::Group before, after;  // totals of the two sides
  std::optional<Rate> rate_before, rate_after;
  std::vector<ChangedRow> rows;  // significant rows first, sorted by increase of the rate
  std::optional<Naming> naming;
};

// Matches rows with equal keys. Fails with kNotFound if a side has no measured load.
[[nodiscard]] Result<Comparison> compare(const std::vector<store::Group>& before,
                                         const store::Group& whole_before,
                                         const std::vector<store::Group>& after,
                                         const store::Group& whole_after);

}  // namespace hm::fleet
