// SPDX-License-Identifier: MIT
// Causes of the misses of a service's hot places over all machines: miss classes, accessed objects, and
// advice if the classes suffice for it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/cause/advice.h"
#include "analysis/fleet/naming.h"
#include "analysis/fleet/rate.h"
#include "store/part_sums.h"

namespace hm::fleet {

struct PartShare {
  std::string name;
  uint64_t samples = 0;
  Rate share;  // fraction of the place's classified or attributed samples
};

struct CausePlace {
  std::string function, module, file;
  uint32_t line = 0;  // 0: unknown
  uint64_t samples = 0;
  double count = 0;                // estimated number of events
  double share = 0;                // fraction of the event's count
  std::optional<Rate> rate;        // nullopt if no load was measured
  std::vector<PartShare> classes;  // largest first; empty if no class was measured
  uint64_t unclassified = 0;       // samples without a class
  std::vector<PartShare> objects;  // the three most accessed known objects
  std::optional<cause::Advice> advice;
};

struct ServiceCauses {
  std::string event, source, unit;
  bool has_classes = false;  // the event may have miss classes; the places show whether they were measured
  uint64_t samples = 0, batches = 0;
  double count = 0;
  std::optional<Rate> rate;
  std::vector<CausePlace> places;  // most samples first
};

struct FleetCauses {
  std::string service;
  std::vector<ServiceCauses> events;  // most samples first
  std::optional<Naming> naming;
};

// The keys of a place, in the order used by its store::Group.
inline const std::vector<store::Key> kPlaceKeys = {store::Key::kFunction, store::Key::kModule,
                                                   store::Key::kFile, store::Key::kLine};
// Returns the names of the miss classes that the store is queried for.
[[nodiscard]] const std::vector<std::string>& class_names();
// Returns true for events that count cache misses, including those of code.
[[nodiscard]] bool has_classes(std::string_view event);

// Returns a place with its rate; `whole` is the event's total.
[[nodiscard]] CausePlace place_of(const store::Group& group, const store::Group& whole);
// Converts `sums`, the place's sums per part name, to shares. Leaves out parts with count 0.
[[nodiscard]] std::vector<PartShare> shares_of(const store::PartSums& sums,
                                               const std::vector<std::string>& names, size_t limit);
// Returns advice if enough samples have a class. Leaves out gains without a measured bound.
[[nodiscard]] std::optional<cause::Advice> advice_on(const std::string& event, const CausePlace& place);

}  // namespace hm::fleet
