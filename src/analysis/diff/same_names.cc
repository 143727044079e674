// SPDX-License-Identifier: MIT
#include "analysis/diff/same_names.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "symbol/name_in_file.h"
#include "symbol/source_name.h"

namespace hm::diff {
namespace {

// Files by the row's names without files.
using Families = std::map<Names, std::set<std::string>>;

Names family_of(const Recording& run, size_t column, const Names& row) {
  return with_function(row, column, symbol::source_name(run.plain_name(row[column])));
}

bool has_file(const Recording& run, const std::string& function) {
  return run.plain_name(function) != function;
}

void for_each_row(const Recording& run, const std::function<void(const Names&)>& visit) {
  for (const Event& event : run.events) {
    for (const auto& [names, count] : event.rows) visit(names);
  }
}

void add_families(const Recording& run, Families& families) {
  size_t column = *run.function_column();
  for_each_row(run, [&](const Names& row) {
    if (!has_file(run, row[column])) return;
    if (std::optional<symbol::NameInFile> parts = symbol::name_in_file(row[column]))
      families[family_of(run, column, row)].insert(parts->file);
  });
}

// Returns the file that a function without a file in its name has in the family; nullopt if it is not known.
std::optional<std::string> file_in(const std::set<std::string>& family, const Recording& run,
                                   const std::string& function) {
  auto origin = run.origins.find(function);
  if (origin == run.origins.end() || origin->second.file.empty()) return std::nullopt;
  const std::string& file = origin->second.file;
  auto is_it = [&](const std::string& each) { return symbol::is_file(each, file); };
  if (std::ranges::count_if(family, is_it) > 1) return std::nullopt;
  auto found = std::ranges::find_if(family, is_it);
  return found == family.end() ? file : *found;
}

// Returns true if one of the files may be another one: recordings shorten paths differently.
bool is_doubtful(const std::set<std::string>& family) {
  return std::ranges::any_of(family, [&](const std::string& file) {
    return std::ranges::any_of(
        family, [&](const std::string& other) { return other != file && symbol::is_file(other, file); });
  });
}

// Renames the functions of rows, with their origins.
void rename_functions(Recording& run, const std::function<std::optional<std::string>(const Names&)>& new_name,
                      bool name_has_file) {
  size_t column = *run.function_column();
  std::map<std::string, std::string> renamed;
  run.rename_rows([&](const Names& row) {
    std::optional<std::string> name = new_name(row);
    if (!name) return row;
    renamed[row[column]] = *name;
    return with_function(row, column, *name);
  });
  for (const auto& [from, to] : renamed) {
    auto origin = run.origins.find(from);
    if (origin == run.origins.end()) continue;
    FunctionOrigin moved = origin->second;
    moved.name = name_has_file ? symbol::source_name(from) : std::string();
    run.origins.try_emplace(to, std::move(moved));
  }
}

void add_files(const Families& families, Recording& run) {
  size_t column = *run.function_column();
  auto new_name = [&](const Names& row) -> std::optional<std::string> {
    if (has_file(run, row[column])) return std::nullopt;
    Names key = family_of(run, column, row);
    auto family = families.find(key);
    if (family == families.end()) return std::nullopt;
    std::optional<std::string> file = file_in(family->second, run, row[column]);
    return file ? std::optional(symbol::text_of({key[column], *file})) : std::nullopt;
  };
  rename_functions(run, new_name, true);
}

void remove_files(const std::set<Names>& families, Recording& run) {
  size_t column = *run.function_column();
  std::map<std::string, std::string> inlined;
  auto new_name = [&](const Names& row) -> std::optional<std::string> {
    Names key = family_of(run, column, row);
    if (!has_file(run, row[column]) || !families.contains(key)) return std::nullopt;
    return inlined[row[column]] = key[column];
  };
  rename_functions(run, new_name, false);
  for (Event& event : run.events) {
    std::map<InlinedPart, RowCount> parts;
    for (const auto& [old_part, count] : event.inlined) {
      InlinedPart part = old_part;
      for (std::string& function : part.functions) {
        if (auto plain = inlined.find(function); plain != inlined.end()) function = plain->second;
      }
      RowCount& sum = parts[std::move(part)];
      sum.samples += count.samples;
      sum.weight += count.weight;
    }
    event.inlined = std::move(parts);
  }
}

// Adds the families in which a function of the run has no known file.
void add_unknown(const Families& families, const Recording& run, std::set<Names>& unknown) {
  size_t column = *run.function_column();
  for_each_row(run, [&](const Names& row) {
    if (has_file(run, row[column])) return;
    Names key = family_of(run, column, row);
    auto family = families.find(key);
    if (family != families.end() && !file_in(family->second, run, row[column]))
      unknown.insert(std::move(key));
  });
}

}  // namespace

void make_names_equal(std::vector<Recording>& before, std::vector<Recording>& after) {
  Families families;
  std::set<Names> unknown;
  auto for_all = [&](auto&& visit) {
    for (std::vector<Recording>* side : {&before, &after}) std::ranges::for_each(*side, visit);
  };
  for_all([&](const Recording& run) { add_families(run, families); });
  for (const auto& [key, files] : families) {
    if (is_doubtful(files)) unknown.insert(key);
  }
  for_all([&](const Recording& run) { add_unknown(families, run, unknown); });
  for (const Names& key : unknown) families.erase(key);
  for_all([&](Recording& run) {
    add_files(families, run);
    remove_files(unknown, run);
  });
}

}  // namespace hm::diff
