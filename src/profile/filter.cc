// SPDX-License-Identifier: MIT
#include "profile/filter.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace hm::profile {
namespace {

template <typename Rows, typename Predicate>
std::vector<bool> mark(const Rows& rows, Predicate&& predicate) {
  std::vector<bool> marks;
  marks.reserve(rows.size());
  for (const auto& row : rows) marks.push_back(predicate(row));
  return marks;
}

template <typename T, typename U>
bool unset_or_equal(const std::optional<T>& wanted, const U& value) {
  return !wanted || *wanted == value;
}

std::string event_names(const Profile& profile) {
  std::vector<std::string_view> names;
  for (const Event& event : profile.events) names.push_back(event.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace

bool names_function(std::string_view wanted, std::string_view function) {
  return function.starts_with(wanted) && (function.size() == wanted.size() || function[wanted.size()] == '(');
}

Result<Filter> Filter::make(const Profile& profile, const FilterOptions& options) {
  for (const std::string& name : options.events) {
    if (std::ranges::find(profile.events, name, &Event::name) == profile.events.end()) {
      return make_error(ErrorCode::kInvalidArgument, "the recording has no event '{}'; it has: {}", name,
                        event_names(profile));
    }
  }
  Filter filter;
  filter.events_ = mark(profile.events, [&](const Event& event) {
    return options.events.empty() || std::ranges::find(options.events, event.name) != options.events.end();
  });
  filter.threads_ = mark(profile.threads, [&](const Thread& thread) {
    return unset_or_equal(options.comm, thread.comm) && unset_or_equal(options.pid, thread.pid) &&
           unset_or_equal(options.tid, thread.tid);
  });
  filter.dsos_ = mark(profile.dsos, [&](const DsoRow& dso) {
    return unset_or_equal(options.dso, dso.path) || unset_or_equal(options.dso, dso.name());
  });
  filter.functions_ = mark(profile.functions, [&](const FunctionRow& function) {
    return !options.function || names_function(*options.function, function.name);
  });
  return filter;
}

}  // namespace hm::profile
