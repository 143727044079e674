// SPDX-License-Identifier: MIT
#include "web/recordings.h"

#include "profile/lookup.h"

namespace hm::web {

Result<Part::Use> Part::use() {
  std::unique_lock lock(mutex_);
  if (!profile_) {
    if (first_ != nullptr) (void)first_->use();  // a query of that part reports the error, if any
    profile_.emplace(query::load_profile(path_, resolver_, needs_, reading_));
    if (*profile_) profile::take_problems(resolver_, **profile_);
  }
  if (!*profile_) return profile_->error();
  return Use{std::move(lock), **profile_};
}

Result<const timeline::History*> Part::history(const std::string& event, timeline::Way way) {
  auto known = histories_.find({event, way});
  if (known == histories_.end()) {
    timeline::HistoryOptions options;
    if (!event.empty()) options.filter.events = {event};
    options.way = way;
    options.rates = true;
    Result<timeline::History> made = timeline::History::make(**profile_, options);
    if (!made) return made.error();
    known = histories_.emplace(std::pair(event, way), *std::move(made)).first;
  }
  return &known->second;
}

}  // namespace hm::web
