// SPDX-License-Identifier: MIT
#include "profile/recorded_sizes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <functional>

#include "model/reuse_times.h"
#include "record/extension.h"
#include "record/run_description.h"

namespace hm::profile {
namespace {

std::optional<uint64_t> number_in(const nlohmann::json& json, const char* key, uint64_t most = UINT64_MAX) {
  auto found = json.find(key);
  if (found == json.end() || !found->is_number_unsigned()) return std::nullopt;
  auto number = found->get<uint64_t>();
  return number <= most ? std::optional(number) : std::nullopt;
}

std::optional<std::vector<uint64_t>> numbers_in(const nlohmann::json& json, size_t many) {
  if (!json.is_array() || json.size() != many) return std::nullopt;
  std::vector<uint64_t> numbers;
  for (const nlohmann::json& each : json) {
    if (!each.is_number_unsigned()) return std::nullopt;
    numbers.push_back(each.get<uint64_t>());
  }
  return numbers;
}

// Checks that no count exceeds `most`, and that more ways never have more misses.
bool are_misses(const std::vector<uint64_t>& counts, uint64_t most) {
  return counts.front() <= most && std::ranges::is_sorted(counts, std::greater());
}

// Invalid rows are left out.
std::vector<Reuse> reuses_in(const nlohmann::json& json, const Sizes& sizes) {
  std::vector<Reuse> reuses;
  for (const nlohmann::json& row : record::list_in(json, "reuses")) {
    bool numbers = row.is_array() && row.size() == 4 &&
                   std::ranges::all_of(row, [](const auto& each) { return each.is_number_unsigned(); });
    if (!numbers) continue;
    auto of = row.get<std::array<uint64_t, 4>>();
    if (of[0] >= model::kReuseClasses || of[1] >= sizes.set_counts || of[2] > sizes.ways) continue;
    reuses.push_back(
        {static_cast<uint32_t>(of[0]), static_cast<uint32_t>(of[1]), static_cast<uint32_t>(of[2]), of[3]});
  }
  return reuses;
}

// Returns false if the recording simulated only a subset of the sets but has no valid errors.
bool add_errors(const nlohmann::json& json, Sizes& sizes) {
  sizes.one_set_in = static_cast<uint32_t>(number_in(json, "one_set_in", sizes.min_sets).value_or(1));
  if (sizes.one_set_in == 1 && !json.contains("errors")) return true;
  for (const nlohmann::json& row : record::list_in(json, "errors")) {
    std::optional<std::vector<uint64_t>> errors = numbers_in(row, sizes.ways);
    if (!errors) return false;
    sizes.errors.push_back(*std::move(errors));
  }
  return sizes.errors.size() == sizes.set_counts;
}

std::optional<Sizes> table_in(const nlohmann::json& json) {
  constexpr uint64_t kMaxSets = uint64_t{1} << 24, kMaxWays = 1024, kMaxLine = uint64_t{1} << 30;
  std::optional<uint64_t> min_sets = number_in(json, "least_sets", kMaxSets);
  std::optional<uint64_t> set_counts = number_in(json, "set_counts", record::kMaxSetCounts);
  std::optional<uint64_t> ways = number_in(json, "ways", kMaxWays);
  std::optional<uint64_t> line_bytes = number_in(json, "line_bytes", kMaxLine);
  std::optional<uint64_t> accesses = number_in(json, "accesses");
  if (!min_sets || !set_counts || !ways || !line_bytes || !accesses) return std::nullopt;
  if (!std::has_single_bit(*min_sets) || *set_counts == 0 || *ways == 0 || !std::has_single_bit(*line_bytes))
    return std::nullopt;
  Sizes sizes;
  sizes.min_sets = static_cast<uint32_t>(*min_sets);
  sizes.set_counts = static_cast<uint32_t>(*set_counts);
  sizes.ways = static_cast<uint32_t>(*ways);
  sizes.line_bytes = static_cast<uint32_t>(*line_bytes);
  sizes.accesses = *accesses;
  sizes.unplaced_accesses = number_in(json, "unplaced_accesses").value_or(0);
  nlohmann::json rows = record::list_in(json, "misses");
  if (rows.size() != *set_counts) return std::nullopt;
  for (const nlohmann::json& row : rows) {
    std::optional<std::vector<uint64_t>> misses = numbers_in(row, *ways);
    if (!misses || !are_misses(*misses, *accesses)) return std::nullopt;
    sizes.misses.push_back(*std::move(misses));
  }
  return add_errors(json, sizes) ? std::optional(std::move(sizes)) : std::nullopt;
}

}  // namespace

std::optional<Sizes> recorded_sizes(const record::Features& features) {
  nlohmann::json description = record::run_description(features);
  auto found = description.find("sizes");
  if (found == description.end() || !found->is_object()) return std::nullopt;
  std::optional<Sizes> sizes = table_in(*found);
  if (!sizes) return std::nullopt;
  sizes->cycles = number_in(description, "cycles").value_or(0);
  if (found->contains("reuses")) sizes->reuses = reuses_in(*found, *sizes);
  for (const nlohmann::json& further : record::list_in(*found, "further")) {
    if (!further.is_object()) continue;
    if (std::optional<Sizes> table = table_in(further)) sizes->further.push_back(*std::move(table));
  }
  return sizes;
}

}  // namespace hm::profile
