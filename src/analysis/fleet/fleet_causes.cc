// SPDX-License-Identifier: MIT
#include "analysis/fleet/fleet_causes.h"

#include <algorithm>
#include <cstdlib>
#include <functional>

#include "analysis/cause/cause.h"
#include "analysis/cause/event_subject.h"
#include "analysis/fleet/share.h"

namespace hm::fleet {

const std::vector<std::string>& class_names() {
  using enum record::MissClass;
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (record::MissClass each : {kCompulsory, kCapacity, kConflict, kTrueSharing, kFalseSharing, kSharing,
                                   kOtherProgram, kNoHistory})
      all.emplace_back(cause::name_of(each));
    return all;
  }();
  return names;
}

bool has_classes(std::string_view event) { return cause::cache_level_of(event) != 0; }

CausePlace place_of(const store::Group& group, const store::Group& whole) {
  CausePlace place;
  place.function = group.keys[0];
  place.module = group.keys[1];
  place.file = group.keys[2];
  place.line = static_cast<uint32_t>(std::strtoul(group.keys[3].c_str(), nullptr, 10));
  place.samples = place.unclassified = group.samples;
  place.count = group.count;
  place.share = whole.count > 0 ? group.count / whole.count : 0;
  place.rate = rate_of(group, whole);
  return place;
}

std::vector<PartShare> shares_of(const store::PartSums& sums, const std::vector<std::string>& names,
                                 size_t limit) {
  std::vector<PartShare> shares;
  for (size_t i = 0; i < names.size() && i < sums.parts.size(); ++i) {
    const store::Group& part = sums.parts[i];
    std::optional<Rate> share = share_of(part, sums.known);
    if (share && part.samples != 0) shares.push_back({names[i], part.samples, *share});
  }
  std::ranges::stable_sort(shares, std::greater(), [](const PartShare& each) { return each.share.value; });
  if (shares.size() > limit) shares.resize(limit);
  return shares;
}

std::optional<cause::Advice> advice_on(const std::string& event, const CausePlace& place) {
  constexpr uint64_t kFewest = 10;  // minimum number of samples for advice
  cause::Evidence evidence{};
  evidence.event = event;
  double* const parts[] = {&evidence.compulsory,    &evidence.capacity,      &evidence.conflict,
                           &evidence.true_sharing,  &evidence.false_sharing, &evidence.sharing,
                           &evidence.other_program, &evidence.no_history};
  uint64_t known = 0;
  for (const PartShare& each : place.classes) {
    known += each.samples;
    auto at = std::ranges::find(class_names(), each.name) - class_names().begin();
    *parts[at] = each.share.value;
  }
  if (known < kFewest) return std::nullopt;
  std::optional<cause::Advice> advice = cause::advise(evidence);
  bool is_useless = advice && advice->gain && advice->gain->low <= 0 && advice->gain->high >= 1;
  if (is_useless) advice->gain.reset();
  return advice;
}

}  // namespace hm::fleet
