// SPDX-License-Identifier: MIT
#include "pmu/rdt/thread_places.h"

#include "base/text_file.h"

namespace hm::rdt {
namespace {

// Returns the rest of the line after `beginning`.
std::optional<std::string> after(std::string_view text, std::string_view beginning) {
  size_t at = text.find(beginning);
  if (at == text.npos) return std::nullopt;
  std::string_view rest = text.substr(at + beginning.size());
  return std::string(rest.substr(0, rest.find('\n')));
}

}  // namespace

std::optional<ThreadPlace> parse_thread_place(std::string_view text) {
  std::optional<std::string> control = after(text, "res:"), monitor = after(text, "\nmon:");
  if (!control || control->empty()) return std::nullopt;
  ThreadPlace place{*control == "/" ? "" : *control, ""};
  if (monitor && !monitor->empty())
    place.monitor = (place.control.empty() ? "" : place.control + '/') + "mon_groups/" + *monitor;
  return place;
}

ThreadPlaces::Places ThreadPlaces::list() const {
  Places places;
  for (const GroupFolder& group : resctrl_.groups()) {
    if (group.path.empty() || is_own_(group.path)) continue;
    for (pid_t thread : resctrl_.threads(group.path)) {
      // A control group's list includes the threads of its monitor groups, which come after it.
      if (group.is_monitor)
        places[thread] = {group.control, group.path};
      else
        places[thread].control = group.control;
    }
  }
  return places;
}

ThreadPlace ThreadPlaces::find(pid_t thread) {
  std::optional<std::string> text = read_text(proc_ + '/' + std::to_string(thread) + "/cpu_resctrl_groups");
  if (text) {
    if (std::optional<ThreadPlace> place = parse_thread_place(*text)) return *place;
  }
  if (!listed_) listed_ = list();
  auto found = listed_->find(thread);
  return found == listed_->end() ? ThreadPlace{} : found->second;
}

}  // namespace hm::rdt
