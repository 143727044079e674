// SPDX-License-Identifier: MIT
#include "analysis/diff/wanted_function.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "analysis/diff/functions.h"
#include "base/edit_distance.h"
#include "profile/filter.h"
#include "symbol/display_name.h"
#include "symbol/short_name.h"
#include "symbol/source_name.h"

namespace hm::diff {
namespace {

using symbol::NameInFile;

// Visits the functions of all rows and inlined parts.
void for_each_function(const Side& side, size_t column, bool inlines,
                       const std::function<void(const std::string&)>& visit) {
  for (const Recording& run : side.runs()) {
    for (const Event& event : run.events) {
      for (const auto& [names, count] : event.rows) visit(names[column]);
      if (!inlines) continue;
      for (const auto& [part, count] : event.inlined) std::ranges::for_each(part.functions, visit);
    }
  }
}

// Splits "walk (one.c)", a name in rows.
std::optional<NameInFile> labelled(const std::string& function) {
  return function.ends_with(')') ? symbol::name_in_file(function) : std::nullopt;
}

// Returns the name without its file.
std::string plain(const std::string& function) {
  std::optional<NameInFile> label = labelled(function);
  return label ? label->name : function;
}

}  // namespace

WantedFunction::WantedFunction(const std::string& wanted, size_t column, const Side& before,
                               const Side& after)
    : column_(column), inlines_(know_inlines(before.runs(), after.runs())) {
  const NameInFile whole{wanted, {}};
  is_found_ = search(whole, false, before, after);
  std::optional<NameInFile> parts = symbol::name_in_file(wanted);
  is_found_ = is_found_ || (parts && search(*parts, false, before, after)) ||
              search(whole, true, before, after) || (parts && search(*parts, true, before, after));
  if (is_found_) return;
  find_nearest(before, after);
  (void)search(parts.value_or(whole), false, before, after);  // for others()
}

bool WantedFunction::search(const NameInFile& wanted, bool by_short_name, const Side& before,
                            const Side& after) {
  name_ = symbol::source_name(wanted.name);
  file_ = wanted.file.empty() ? std::nullopt : std::optional(wanted.file);
  by_short_name_ = by_short_name;
  renamed_.clear();
  files_.clear();
  all_files_.clear();
  names_.clear();
  for (const Side* side : {&before, &after}) read(*side);
  for (const Side* side : {&before, &after}) find_files(*side);
  return exists(before, after);
}

// Definitions have no files: one of the name may be that of a function with samples.
bool WantedFunction::exists(const Side& before, const Side& after) const {
  if (has_rows(before) || has_rows(after)) return true;
  return (!file_ || all_files_.empty()) && (is_defined(before) || is_defined(after));
}

void WantedFunction::find_nearest(const Side& before, const Side& after) {
  constexpr size_t kNear = 3;  // limit on the edit distance, for typing errors
  NearestWord nearest(name_, std::min(kNear + 1, name_.size()));
  for (const Side* side : {&before, &after})
    for_each_function(*side, column_, inlines_, [&](const std::string& function) {
      nearest.consider(symbol::display_name(plain(function), symbol::NameDetail::kShort));
    });
  nearest_ = nearest.found();
}

void WantedFunction::find_files(const Side& side) {
  for_each_function(side, column_, inlines_, [&](const std::string& function) {
    if (!has_name(function)) return;
    if (by_short_name_ && is(function))
      names_.insert(symbol::display_name(symbol::source_name(plain(function)), symbol::NameDetail::kShort));
    if (std::string file = file_of(function); !file.empty()) all_files_.insert(file);
    std::optional<NameInFile> label = labelled(function);
    if (label && is(function)) files_.insert(label->file);
  });
}

void WantedFunction::read(const Side& side) {
  for (const Recording& run : side.runs()) {
    for (const auto& [function, origin] : run.origins) known_files_.try_emplace(function, origin.file);
    for (const auto& [name, other] : run.other_names) {
      if (is(other)) renamed_.insert(name);
    }
  }
}

bool WantedFunction::has_name(const std::string& function) const {
  if (by_short_name_)
    return symbol::is_display_name(name_, plain(function)) || symbol::is_short_name(name_, plain(function));
  return profile::names_function(name_, symbol::source_name(plain(function))) ||
         profile::names_function(name_, symbol::source_name(function));
}

std::string WantedFunction::file_of(const std::string& function) const {
  if (std::optional<NameInFile> label = labelled(function)) return label->file;
  auto known = known_files_.find(function);
  return known == known_files_.end() ? std::string() : known->second;
}

// A recording has the end of a path, and so has the user's text: one is an end of the other.
bool WantedFunction::is(const std::string& function) const {
  if (renamed_.contains(function)) return true;
  if (!has_name(function)) return false;
  if (!file_) return true;
  std::string file = file_of(function);
  return !file.empty() && (symbol::is_file(file, *file_) || symbol::is_file(*file_, file));
}

bool WantedFunction::has_rows(const Side& side) const {
  bool found = false;
  for_each_function(side, column_, inlines_,
                    [&](const std::string& function) { found = found || is(function); });
  return found;
}

bool WantedFunction::is_defined(const Side& side) const {
  return std::ranges::any_of(side.runs(), [&](const Recording& run) {
    return std::ranges::any_of(run.defined, [&](const std::string& name) { return has_name(name); });
  });
}

// A function of the name in another file hides the definition of this one: it may have no samples.
bool WantedFunction::is_known(const Side& side) const {
  bool has_namesake = false;
  for_each_function(side, column_, inlines_, [&](const std::string& function) {
    has_namesake = has_namesake || (file_ && has_name(function));
  });
  return has_namesake || has_rows(side) || is_defined(side);
}

bool WantedFunction::is_only_inlined(const Side& side) const {
  bool has_row = false, has_part = false;
  for (const Recording& run : side.runs()) {
    for (const Event& event : run.events) {
      has_row = has_row || std::ranges::any_of(event.rows, [&](const auto& row) { return has(row.first); });
      has_part =
          has_part || std::ranges::any_of(event.inlined, [&](const auto& part) {
            return std::ranges::any_of(part.first.functions, [&](const auto& each) { return is(each); });
          });
    }
  }
  return has_part && !has_row;
}

std::string WantedFunction::listed(const std::set<std::string>& files) const {
  std::vector<std::string> names;
  names.reserve(files.size());
  for (const std::string& file : files) names.push_back(fmt::format("{}:{}", file, name_));
  return fmt::format("{}", fmt::join(names, ", "));
}

std::string WantedFunction::others() const { return file_ ? listed(all_files_) : std::string(); }

}  // namespace hm::diff
