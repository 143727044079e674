// SPDX-License-Identifier: MIT
#include "capi/templates.h"

#include <fmt/format.h>

#include <algorithm>

#include "event/selection.h"
#include "pmu/linux/resolve.h"

namespace hm::capi {

const Templates& Templates::get() {
  static const auto* templates = new Templates;  // never destroyed, because the API may be used during exit
  return *templates;
}

Templates::Templates() {
  texts_.reserve(event::all_events().size() * 2);  // so that the strings never move
  const event::EventTemplate* before = nullptr;
  for (const event::EventTemplate& event : event::all_events()) {
    // Views of string literals, which are NUL-terminated.
    if (before == nullptr || before->group != event.group)
      all_.push_back({event::group_title(event.group).data(), nullptr, nullptr, nullptr, 0});
    add(event);
    before = &event;
  }
}

void Templates::add(const event::EventTemplate& event) {
  hardmeter_template entry{event.name.data(), event.description.data(), nullptr, nullptr,
                           event.precise ? 1 : 0};
  event::Selection selection;
  selection.name = event.name;
  selection.id = event.id;
  auto resolved = linux_pmu::resolve(linux_pmu::this_kernel(), selection, event::Use::kCount);
  if (resolved && !resolved->empty()) {
    const linux_pmu::Event& first = resolved->front();
    entry.control = texts_.emplace_back(fmt::format("type={}", first.programming.type)).c_str();
    entry.eventmask = texts_.emplace_back(fmt::format("config={:#x}", first.programming.config)).c_str();
  }
  all_.push_back(entry);
}

const hardmeter_template* Templates::find(std::string_view name) const {
  const event::EventTemplate* event = event::find_event(name);
  if (event == nullptr) return nullptr;
  auto found = std::ranges::find_if(
      all_, [&](const hardmeter_template& each) { return each.name == event->name.data(); });
  return found == all_.end() ? nullptr : &*found;
}

const event::EventTemplate* Templates::event_of(const hardmeter_template* entry) const {
  bool ours = entry >= all_.data() && entry < all_.data() + all_.size();
  return ours && entry->description != nullptr ? event::find_event(entry->name) : nullptr;
}

}  // namespace hm::capi
