// SPDX-License-Identifier: MIT
#include "app/query/comparison_query.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <span>

#include "analysis/diff/baseline.h"
#include "app/query/diff_functions.h"
#include "app/query/diff_input.h"
#include "app/query/load.h"
#include "symbol/name_in_file.h"
#include "symbol/source_name.h"

namespace hm::query {
namespace {

using hotspots::SortKey;

Result<std::vector<diff::Limit>> parse_limits(const std::vector<std::string>& specs) {
  std::vector<diff::Limit> limits;
  for (const std::string& spec : specs) {
    Result<diff::Limit> limit = diff::parse_limit(spec);
    if (!limit) return limit.error();
    limits.push_back(*std::move(limit));
  }
  return limits;
}

// Splits "a,b,c" at commas, unless a file with this exact name exists.
std::vector<std::string> files_of(const std::string& side) {
  std::error_code error;
  if (std::filesystem::exists(side, error)) return {side};
  std::vector<std::string> files;
  for (size_t begin = 0; begin <= side.size();) {
    size_t end = std::min(side.find(',', begin), side.size());
    files.push_back(side.substr(begin, end - begin));
    begin = end + 1;
  }
  return files;
}

// Returns the user's keys, or else those of the first baseline among the files.
Result<std::vector<SortKey>> row_keys(const RowOptions& rows, const std::vector<std::string>& files) {
  auto baseline = std::ranges::find_if(files, is_baseline);
  if (rows.sort.empty() && baseline != files.end()) {
    Result<diff::Recording> loaded = load_baseline(*baseline);
    if (!loaded) return loaded.error();
    std::vector<SortKey> keys = keys_of_baseline(*loaded);
    if (rows.any_dso && std::ranges::find(keys, SortKey::kDso) != keys.end()) {
      return make_error(
          ErrorCode::kInvalidArgument,
          "the rows of the baseline {} are separated by dso; give --any-dso when you save the baseline",
          *baseline);
    }
    return keys;
  }
  Result<std::vector<SortKey>> keys = hotspots::parse_sort_keys(rows.sort.empty() ? "function" : rows.sort);
  if (!keys) return keys.error();
  return diff_keys(*std::move(keys), rows.any_dso);
}

Result<diff::Recording> load_input(const std::string& path, const symbol::Resolver& resolver,
                                   const std::vector<SortKey>& keys, const Reading& reading,
                                   const std::vector<std::string>& wanted) {
  if (is_baseline(path)) return load_baseline(path);
  Result<profile::Profile> profile = load_profile(path, resolver, profile::kPlacesOnly, reading);
  if (!profile) return profile.error();
  Result<diff::Recording> recording = diff_recording(*profile, resolver, keys, wanted);
  if (recording) recording->name = path;
  return recording;
}

Result<std::vector<diff::Recording>> load_side(const std::string& side, const symbol::Resolver& resolver,
                                               const std::vector<SortKey>& keys, const Reading& reading,
                                               const std::vector<std::string>& wanted) {
  std::vector<diff::Recording> runs;
  for (const std::string& file : files_of(side)) {
    Result<diff::Recording> run = load_input(file, resolver, keys, reading, wanted);
    if (!run) return run.error();
    runs.push_back(*std::move(run));
  }
  return runs;
}

// Returns the functions that a side must look up: those named by limits, and those of the other side's runs.
std::vector<std::string> wanted_functions(const std::vector<diff::Limit>& limits,
                                          std::span<const diff::Recording> other) {
  std::vector<std::string> names;
  for (const diff::Limit& limit : limits) {
    if (!limit.function) continue;
    names.push_back(symbol::source_name(*limit.function));
    if (auto parts = symbol::name_in_file(*limit.function)) names.push_back(symbol::source_name(parts->name));
  }
  for (const diff::Recording& run : other) {
    for (std::string& name : source_names_of(run)) names.push_back(std::move(name));
  }
  return names;
}

Error not_comparable(const diff::Recording& before, const std::string& machine_before,
                     const diff::Recording& after, const std::string& machine_after,
                     std::string_view remedy) {
  return make_error(ErrorCode::kInvalidArgument,
                    "cannot check limits: {} was measured on {} and {} on {}; {}", before.name,
                    machine_before, after.name, machine_after, remedy);
}

// Limits are for runs on one machine: another defined machine, or another seed, changes counts by itself.
Status check_machines(std::span<const diff::Recording> before, std::span<const diff::Recording> after) {
  const auto machine_of = [](const diff::Recording& run) {
    return run.reproducible.empty() ? std::string("the machine itself") : run.reproducible;
  };
  const std::string& first = before.front().reproducible;
  for (std::span<const diff::Recording> side : {before, after}) {
    for (const diff::Recording& run : side) {
      if (run.reproducible == first) continue;
      return not_comparable(before.front(), machine_of(before.front()), run, machine_of(run),
                            "measure both with the same --reproducible and --seed");
    }
  }
  return {};
}

// Returns the part without the numbers of its uses: "only inside walk (entered 10 times)".
std::string part_of(const diff::Recording& run) {
  std::string part = run.collected;
  for (size_t at = 0; (at = part.find(" (entered ")) != std::string::npos;)
    part.erase(at, part.find(')', at) + 1 - at);
  return part.empty() ? "the whole run" : part;
}

Status check_parts(const Gate& gate, const std::vector<diff::Recording>& runs) {
  for (const diff::Recording& after : runs) {
    const diff::Recording& before = gate.baselines.front();
    if (part_of(before) != part_of(after))
      return make_error(ErrorCode::kInvalidArgument,
                        "cannot check limits: {} has {}, and {} has {}; measure the same part in both",
                        before.name, part_of(before), after.name, part_of(after));
  }
  return {};
}

Status check_gate(const Gate& gate, const std::vector<diff::Recording>& runs) {
  if (!gate.limits.empty() || gate.same_machine) {
    if (Status same = check_machines(gate.baselines, runs); !same) return same;
    if (Status same = check_parts(gate, runs); !same) return same;
  }
  if (!gate.same_machine) return {};
  const auto machine_of = [](const diff::Recording& run) {
    return fmt::format("the {} with {}", run.engine.empty() ? run.pmu + " PMU" : run.engine, run.machine);
  };
  for (const diff::Recording& before : gate.baselines) {
    for (const diff::Recording& after : runs) {
      if (machine_of(before) != machine_of(after))
        return not_comparable(before, machine_of(before), after, machine_of(after),
                              "measure both with the same engine and the same --cpu");
    }
  }
  return {};
}

// Renames the main program, so that functions match by name even if the program was built under another name.
void call_program(const std::string& name, std::vector<diff::Recording>& runs) {
  for (diff::Recording& run : runs) {
    std::string program = run.program();
    if (name.empty() || program.empty() || program == name) continue;
    run.rename_object(program, name);
    run.remarks.push_back(fmt::format("its program {} is compared as {}", program, name));
  }
}

}  // namespace

Result<diff::Diff> compare(const DiffOptions& options, const symbol::Resolver& resolver) {
  diff::Options wanted = options.diff;
  Result<std::vector<diff::Limit>> limits = parse_limits(options.limits);
  if (!limits) return limits.error();
  wanted.limits = *std::move(limits);
  std::vector<std::string> sides = options.sides;
  if (sides.empty()) sides = {"perf.data.old", "perf.data"};
  if (sides.size() != 2) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "diff compares two sides, BEFORE and AFTER; separate repeated runs of a side by commas");
  }
  std::vector<std::string> files = files_of(sides[0]);
  for (std::string& file : files_of(sides[1])) files.push_back(std::move(file));
  Result<std::vector<SortKey>> keys = row_keys(options.rows, files);
  if (!keys) return keys.error();
  Result<std::vector<diff::Recording>> before =
      load_side(sides[0], resolver, *keys, options.rows.reading, {});
  if (!before) return before.error();
  Result<std::vector<diff::Recording>> after =
      load_side(sides[1], resolver, *keys, options.rows.reading, wanted_functions(wanted.limits, *before));
  if (!after) return after.error();
  if (!wanted.limits.empty()) {
    if (Status same = check_machines(*before, *after); !same) return same.error();
  }
  call_program(before->front().program(), *before);
  call_program(before->front().program(), *after);
  return diff::find_diff(*before, *after, wanted);
}

bool exceeds_a_limit(const diff::Diff& result) {
  return std::ranges::any_of(result.checks, diff::is_violated, &diff::Check::verdict);
}

Result<std::string> make_baseline(const BaselineOptions& options, const symbol::Resolver& resolver) {
  Result<std::vector<SortKey>> keys = row_keys(options.rows, {options.input});
  if (!keys) return keys.error();
  Result<diff::Recording> recording = load_input(options.input, resolver, *keys, options.rows.reading, {});
  if (!recording) return recording.error();
  return diff::write_baseline(*recording, options.min_share);
}

Result<Gate> read_gate(const std::vector<std::string>& baselines, const std::vector<std::string>& specs) {
  Result<std::vector<diff::Limit>> limits = parse_limits(specs);
  if (!limits) return limits.error();
  Gate gate;
  gate.limits = *std::move(limits);
  for (const std::string& file : baselines) {
    Result<diff::Recording> before = load_baseline(file);
    if (!before) return before.error();
    gate.baselines.push_back(*std::move(before));
  }
  return gate;
}

Result<diff::Recording> reduced(const Gate& gate, const profile::Profile& after,
                                const symbol::Resolver& resolver, const std::string& name) {
  Result<diff::Recording> run = diff_recording(after, resolver, keys_of_baseline(gate.baselines.front()),
                                               wanted_functions(gate.limits, gate.baselines));
  if (run) run->name = name;
  return run;
}

Result<diff::Diff> compare(const Gate& gate, std::vector<diff::Recording> after) {
  if (Status same = check_gate(gate, after); !same) return same.error();
  call_program(gate.baselines.front().program(), after);
  diff::Options options;
  options.events = gate.events;
  options.limits = gate.limits;
  return diff::find_diff(gate.baselines, after, options);
}

}  // namespace hm::query
