// SPDX-License-Identifier: MIT
// Why a service's hot places miss, over all machines: what classes their misses are of, what they access, and
// what to change where the classes suffice to say.
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
  Rate share;  // of what is known of the place
};

struct CausePlace {
  std::string function, module, file;
  uint32_t line = 0;  // 0: not known
  uint64_t samples = 0;
  double count = 0;                // events: an estimate
  double share = 0;                // of the event's
  std::optional<Rate> rate;        // nullopt where no load was measured
  std::vector<PartShare> classes;  // the greatest first; empty where none was measured
  uint64_t unclassified = 0;       // samples
  std::vector<PartShare> objects;  // the three that are accessed most, as far as is known
  std::optional<cause::Advice> advice;
};

struct ServiceCauses {
  std::string event, source, unit;
  bool has_classes = false;  // an event of this kind may have them; whether they were measured, places tell
  uint64_t samples = 0, batches = 0;
  double count = 0;
  std::optional<Rate> rate;
  std::vector<CausePlace> places;  // hottest first
};

struct FleetCauses {
  std::string service;
  std::vector<ServiceCauses> events;  // those with the most samples first
  std::optional<Naming> naming;
};

// The keys of a place, in the order of its groups'.
inline const std::vector<store::Key> kPlaceKeys = {store::Key::kFunction, store::Key::kModule,
                                                   store::Key::kFile, store::Key::kLine};
// The classes that are asked about.
[[nodiscard]] const std::vector<std::string>& class_names();
// Of an event that misses of a cache are, also of code.
[[nodiscard]] bool has_classes(std::string_view event);

// A place with its rate, of the event's `whole`.
[[nodiscard]] CausePlace place_of(const store::Group& group, const store::Group& whole);
// `sums`: of this place, by the names of parts; those that are nothing are left out.
[[nodiscard]] std::vector<PartShare> shares_of(const store::PartSums& sums,
                                               const std::vector<std::string>& names, size_t limit);
// Advice needs samples whose class is known; gains that nothing measured bounds are left out.
[[nodiscard]] std::optional<cause::Advice> advice_on(const std::string& event, const CausePlace& place);

}  // namespace hm::fleet
