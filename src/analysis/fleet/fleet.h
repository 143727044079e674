// SPDX-License-Identifier: MIT
// Which services, functions and lines of many machines an event is in, and what changed from one build to
// another.
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
  std::vector<std::string> keys;  // one for each of the table's
  uint64_t samples = 0;
  double count = 0;                  // events: an estimate
  double share = 0;                  // of the count of all rows
  std::optional<Rate> rate;          // nullopt where no load was measured
  uint64_t first_s = 0, last_s = 0;  // when it was met, in seconds since 1970
};

// Rows of one event, the greatest count first.
struct Table {
  std::vector<std::string> keys;  // "function", ...
  std::string event, source, unit;
  uint64_t samples = 0, batches = 0;
  double count = 0, load = 0;
  uint64_t first_s = 0, last_s = 0;
  std::vector<Row> rows;
  std::optional<Naming> naming;  // nullopt where names were not looked for, as of the next
};

// `whole`: the event's totals over the selection. `loads`: the same totals by those keys, of what makes a
// part, of which `keys_of_loads` says the places: a row's rate is by the load of its own service, machine or
// release. Empty: all parts share the whole's load.
[[nodiscard]] std::vector<Row> rank(const std::vector<store::Group>& parts, const store::Group& whole,
                                    const std::vector<size_t>& keys_of_loads = {},
                                    const std::vector<store::Group>& loads = {});

// What there is to be chosen from: of each the most samples first, but for events.
struct Choices {
  uint64_t batches = 0;
  std::optional<uint64_t> first_s, last_s;  // nullopt: nothing was measured
  std::vector<store::Group>
      events;         // by event, source and unit; first what is asked about where nobody says more
  std::string event;  // the one that the others are of
  std::vector<store::Group> services, hosts;
  std::vector<store::Group> releases;  // of the service, where one is selected
};

struct ChangedRow {
  std::vector<std::string> keys;
  uint64_t samples_before = 0, samples_after = 0;
  Rate before, after;
  std::optional<Interval> difference;  // of the rates
  // The interval has only values above 0, or only below.
  [[nodiscard]] bool is_significant() const {
    return difference && (difference->low > 0 || difference->high < 0);
  }
};

struct Comparison {
  std::vector<std::string> keys;
  std::string event, unit;
  store::Group before, after;  // the wholes
  std::optional<Rate> rate_before, rate_after;
  std::vector<ChangedRow> rows;  // significant ones first, of these what got worse most
  std::optional<Naming> naming;
};

// Rows are those of the same keys. kNotFound where a side has no measurement of a load.
[[nodiscard]] Result<Comparison> compare(const std::vector<store::Group>& before,
                                         const store::Group& whole_before,
                                         const std::vector<store::Group>& after,
                                         const store::Group& whole_after);

}  // namespace hm::fleet
