// SPDX-License-Identifier: MIT
#include "app/query/cache_choice.h"

#include <optional>
#include <vector>

#include "base/byte_size.h"

namespace hm::query {
namespace {

std::optional<map::Cache> parse_cache(std::string_view text) {
  std::optional<std::vector<uint64_t>> sizes = parse_byte_sizes(text, 3);
  if (!sizes || sizes->size() < 2) return std::nullopt;
  uint64_t bytes = (*sizes)[0], ways = (*sizes)[1], line = sizes->size() > 2 ? (*sizes)[2] : 64;
  constexpr uint64_t kMaxWays = 1024, kMaxLine = 4096;
  if (ways > kMaxWays || line > kMaxLine || bytes % (ways * line) != 0) return std::nullopt;
  uint64_t sets = bytes / (ways * line);
  if (sets == 0 || sets > map::Cache::kMaxSets) return std::nullopt;
  return map::Cache{
      "cache", {static_cast<uint32_t>(sets), static_cast<uint32_t>(ways)}, static_cast<uint32_t>(line)};
}

struct Level {
  std::string_view word, name;
  uint32_t level;
  std::string_view type;
};
constexpr Level kLevels[] = {
    {"l1i", "L1I", 1, "Instruction"}, {"l1d", "L1D", 1, "Data"}, {"l2", "L2", 2, ""}, {"l3", "L3", 3, ""}};

Result<map::Cache> recorded_cache(const std::string& word, const profile::Profile& profile) {
  for (const Level& level : kLevels) {
    if (level.word != word) continue;
    for (const record::CacheInfo& cache : profile.features.caches) {
      bool is_it = cache.level == level.level && (level.type.empty() || cache.type == level.type);
      if (!is_it || cache.sets == 0 || cache.ways == 0 || cache.line_bytes == 0) continue;
      return map::Cache{std::string(level.name), {cache.sets, cache.ways}, cache.line_bytes};
    }
    return make_error(
        ErrorCode::kNotFound,
        "the recording does not contain the size of its machine's {}: give it with --cache SIZE,WAYS,LINE, such as --cache 1M,16,64",
        level.name);
  }
  return make_error(ErrorCode::kInvalidArgument, "unknown cache level {}: use l1i, l1d, l2 or l3", word);
}

}  // namespace

Result<map::Cache> choose_cache(const CacheChoice& choice, const profile::Profile& profile) {
  if (choice.cache.empty()) return recorded_cache(choice.level, profile);
  std::optional<map::Cache> cache = parse_cache(choice.cache);
  if (cache) return *cache;
  return make_error(
      ErrorCode::kInvalidArgument,
      "--cache {} is not a cache: give SIZE,WAYS,LINE, such as 1M,16,64; the size must be a whole number of sets",
      choice.cache);
}

}  // namespace hm::query
