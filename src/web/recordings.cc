// SPDX-License-Identifier: MIT
#include "web/recordings.h"

#include "profile/lookup.h"

namespace hm::web {

Result<const profile::Profile*> Recording::profile() {
  constexpr profile::Needs kAllQuestions{.chains = true,
                                         .branches = profile::Branches::kFunctions,
                                         .cpus = true,
                                         .details = true,
                                         .objects = true};
  if (!profile_) {
    profile_.emplace(query::load_profile(path_, resolver_, kAllQuestions, reading_));
    if (*profile_) profile::take_problems(resolver_, **profile_);
  }
  if (!*profile_) return profile_->error();
  return &profile_->value();
}

Result<const timeline::History*> Recording::history(const std::string& event, timeline::Way way) {
  Result<const profile::Profile*> loaded = profile();
  if (!loaded) return loaded.error();
  auto known = histories_.find({event, way});
  if (known == histories_.end()) {
    timeline::HistoryOptions options;
    if (!event.empty()) options.filter.events = {event};
    options.way = way;
    Result<timeline::History> made = timeline::History::make(**loaded, options);
    if (!made) return made.error();
    known = histories_.emplace(std::pair(event, way), *std::move(made)).first;
  }
  return &known->second;
}

}  // namespace hm::web
