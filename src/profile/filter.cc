// SPDX-License-Identifier: MIT
#include "profile/filter.h"

#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <unordered_map>

#include "base/edit_distance.h"
#include "profile/lookup.h"
#include "profile/process_cgroups.h"
#include "symbol/display_name.h"
#include "symbol/name_in_file.h"
#include "symbol/short_name.h"
#include "symbol/source_name.h"

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

// Lists the first names of the control groups, sorted.
std::string cgroup_names(const Profile& profile, const ProcessCgroups& cgroups) {
  constexpr size_t kShown = 20;
  std::set<std::string> names;
  for (const Thread& thread : profile.threads) {
    if (cgroups.has(thread.pid)) names.insert(cgroups.of(thread.pid));
  }
  size_t more = names.size() - std::min(names.size(), kShown);
  while (names.size() > kShown) names.erase(std::prev(names.end()));
  return fmt::format("{}{}", fmt::join(names, ", "), more == 0 ? "" : fmt::format(" and {} more", more));
}

// Removes the marks of threads outside the control group.
Status keep_threads_in(const std::string& wanted, const Profile& profile, std::vector<bool>& threads) {
  ProcessCgroups cgroups(profile.features);
  if (cgroups.empty())
    return make_error(
        ErrorCode::kNotFound,
        "the recording does not have the control groups of its processes, as those of perf; record it with hardmeter");
  bool is_found = false;
  for (size_t row = 0; row < profile.threads.size(); ++row) {
    bool is_in = cgroups.is_in(wanted, profile.threads[row].pid);
    is_found |= is_in;
    threads[row] = threads[row] && is_in;
  }
  if (is_found) return {};
  return make_error(
      ErrorCode::kNotFound,
      "no process of the recording is in the control group '{}'; those of the recording are: {}", wanted,
      cgroup_names(profile, cgroups));
}

std::string_view without_parameters(std::string_view function) {
  return function.substr(0, function.find('('));
}

bool is_pattern(std::string_view wanted) { return wanted.find_first_of("*?[") != std::string_view::npos; }

bool matches(const std::string& pattern, const std::string& function) {
  return ::fnmatch(pattern.c_str(), function.c_str(), 0) == 0 ||
         ::fnmatch(pattern.c_str(), std::string(without_parameters(function)).c_str(), 0) == 0;
}

std::vector<bool> locations_with_samples(const Profile& profile, Among among) {
  std::vector<bool> has(profile.locations.size());
  for (uint32_t location : profile.samples.location) has[location] = true;
  if (among == Among::kSamples) return has;
  for (uint32_t location : profile.samples.chain_locations) has[location] = true;
  return has;
}

// Returns the functions that have the locations.
std::vector<bool> functions_of(const Profile& profile, const std::vector<bool>& locations) {
  std::vector<bool> functions(profile.functions.size());
  for (size_t i = 0; i < locations.size(); ++i) {
    if (locations[i]) functions[profile.locations[i].function] = true;
  }
  return functions;
}

std::vector<bool> functions_with_samples(const Profile& profile, const std::vector<bool>& locations) {
  std::vector<bool> has = functions_of(profile, locations);
  for (const std::vector<uint32_t>& functions : profile.samples.left_functions.blocks()) {
    for (uint32_t function : functions) has[function] = true;
  }
  return has;
}

Error no_such_function(const std::vector<std::string_view>& names, const std::string& wanted) {
  constexpr size_t kNear = 3;  // limit on the edit distance, for typing errors
  NearestWord nearest(wanted, std::min(kNear + 1, wanted.size()));
  for (std::string_view name : names) nearest.consider(without_parameters(name));
  return make_error(ErrorCode::kNotFound, "no sample is in '{}'; {}", wanted,
                    nearest.found().empty() ? "hardmeter report lists the functions that have some"
                                            : fmt::format("did you mean '{}'?", nearest.found()));
}

// Returns a predicate that remembers its results: inlined functions occur at many locations.
auto by_short_name(const std::string& wanted) {
  return [short_name = symbol::ShortName(wanted),
          known = std::unordered_map<std::string, bool>()](const std::string& name) mutable {
    auto [found, is_new] = known.try_emplace(name);
    if (is_new) found->second = short_name.stands_for(name);
    return found->second;
  };
}

// The functions that a name means: those with a symbol, and inlined ones by the locations that they cover.
struct Meant {
  std::vector<bool> functions;
  std::vector<bool> locations;  // empty if inlined functions are not looked for

  [[nodiscard]] bool any() const {
    return std::ranges::find(functions, true) != functions.end() ||
           std::ranges::find(locations, true) != locations.end();
  }
};

class Search {
 public:
  // `resolver`: null if inlined functions are not looked for.
  Search(const Profile& profile, const symbol::Resolver* resolver, Among among)
      : profile_(profile), resolver_(resolver) {
    std::vector<bool> locations = locations_with_samples(profile, among);
    sampled_ = functions_with_samples(profile, locations);
    if (resolver == nullptr) return;
    inlined_.resize(profile.locations.size());
    for (uint32_t location = 0; location < locations.size(); ++location) {
      if (!locations[location] || profile.locations[location].dso == 0) continue;
      for (symbol::Frame& frame : frames_at(profile, *resolver, location)) {
        if (frame.inlined) inlined_[location].push_back(std::move(frame));
      }
    }
  }

  // Returns the functions with samples that match `wanted`: by name, or else by a part of the name.
  [[nodiscard]] Result<Meant> meant_by(const std::string& wanted) const {
    Meant meant = find([&](const std::string& name) { return names_function(wanted, name); });
    if (!meant.any())
      meant = find([&](const std::string& name) { return symbol::is_display_name(wanted, name); });
    if (!meant.any()) meant = of_a_file(wanted);
    if (!meant.any()) {  // matches clones of a function and names from other builds
      std::string source = symbol::source_name(wanted);
      meant =
          find([&](const std::string& name) { return names_function(source, symbol::source_name(name)); });
    }
    if (!meant.any()) meant = find(by_short_name(wanted));
    if (!meant.any() && is_pattern(wanted))
      meant = find([&](const std::string& name) { return matches(wanted, name); });
    if (!meant.any())
      meant = find([&](const std::string& name) { return name.find(wanted) != std::string::npos; });
    if (!meant.any()) return no_such_function(names(), wanted);
    return meant;
  }

 private:
  template <typename Suits>
  [[nodiscard]] Meant find(Suits&& suits, std::string_view file = {}) const {
    Meant meant{std::vector<bool>(sampled_.size()), std::vector<bool>(inlined_.size())};
    for (size_t i = 0; i < sampled_.size(); ++i)
      meant.functions[i] = sampled_[i] && suits(profile_.functions[i].name);
    if (!file.empty()) keep_those_in(file, meant.functions);
    for (size_t i = 0; i < inlined_.size(); ++i) {
      meant.locations[i] = std::ranges::any_of(inlined_[i], [&](const symbol::Frame& frame) {
        return suits(frame.function) && symbol::is_file(frame.file, file);
      });
    }
    return meant;
  }

  [[nodiscard]] Meant of_a_file(const std::string& wanted) const {
    std::optional<symbol::NameInFile> parts = symbol::name_in_file(wanted);
    if (resolver_ == nullptr || !parts || parts->file.empty()) return {};
    Meant whole = find(
        [&](const std::string& name) {
          return names_function(parts->name, name) || symbol::is_display_name(parts->name, name);
        },
        parts->file);
    if (whole.any()) return whole;
    return find(by_short_name(parts->name), parts->file);
  }

  // Clears the functions that are neither in this source file or program, nor compiled with this file.
  void keep_those_in(std::string_view file, std::vector<bool>& functions) const {
    std::vector<bool> found(functions.size());
    for (uint32_t location = 0; location < profile_.locations.size(); ++location) {
      uint32_t function = profile_.locations[location].function;
      if (!functions[function] || found[function]) continue;
      const FunctionFiles files = files_of_function(profile_, *resolver_, location);
      found[function] = symbol::is_file(files.source, file) || symbol::is_file(files.unit, file) ||
                        symbol::is_file(profile_.dsos[profile_.functions[function].dso].path, file);
    }
    functions = std::move(found);
  }

  [[nodiscard]] std::vector<std::string_view> names() const {
    std::vector<std::string_view> names;
    for (size_t i = 0; i < sampled_.size(); ++i) {
      if (sampled_[i]) names.emplace_back(profile_.functions[i].name);
    }
    for (const std::vector<symbol::Frame>& frames : inlined_) {
      for (const symbol::Frame& frame : frames) names.emplace_back(frame.function);
    }
    return names;
  }

  const Profile& profile_;
  const symbol::Resolver* resolver_;
  std::vector<bool> sampled_;
  std::vector<std::vector<symbol::Frame>> inlined_;  // inlined functions, by location
};

}  // namespace

bool may_name(const std::string& wanted, const std::string& function) {
  const auto may_be = [&](const std::string& name) {
    return names_function(name, function) || symbol::is_display_name(name, function) ||
           symbol::is_short_name(name, function);
  };
  if (may_be(wanted)) return true;
  std::optional<symbol::NameInFile> parts = symbol::name_in_file(wanted);
  return parts && may_be(parts->name);
}

bool names_function(std::string_view wanted, std::string_view function) {
  return function.starts_with(wanted) && (function.size() == wanted.size() || function[wanted.size()] == '(');
}

Result<Filter> Filter::make(const Profile& profile, const FilterOptions& options,
                            const symbol::Resolver* inlines, Among among) {
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
  if (options.cgroup) {
    if (Status kept = keep_threads_in(*options.cgroup, profile, filter.threads_); !kept) return kept.error();
  }
  filter.dsos_ = mark(profile.dsos, [&](const DsoRow& dso) {
    bool is_wanted = !options.jit_code || dso.is_named_jit();
    return is_wanted && (unset_or_equal(options.dso, dso.path) || unset_or_equal(options.dso, dso.name()));
  });
  filter.functions_.assign(profile.functions.size(), true);
  if (options.function) {
    Result<Meant> meant = Search(profile, inlines, among).meant_by(*options.function);
    if (!meant) return meant.error();
    filter.functions_ = std::move(meant->functions);
    filter.locations_ = std::move(meant->locations);
    if (!filter.locations_.empty()) filter.containing_ = functions_of(profile, filter.locations_);
  }
  return filter;
}

}  // namespace hm::profile
