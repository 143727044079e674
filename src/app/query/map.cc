// SPDX-License-Identifier: MIT
#include "app/query/map.h"

#include <fmt/format.h>

#include <vector>

#include "app/query/load.h"
#include "base/byte_size.h"
#include "profile/lookup.h"

namespace hm::query {
namespace {

std::optional<map::Cache> parse_cache(std::string_view text) {
  std::optional<std::vector<uint64_t>> sizes = parse_byte_sizes(text, 3);
  if (!sizes || sizes->size() < 2) return std::nullopt;
  uint64_t bytes = (*sizes)[0], ways = (*sizes)[1], line = sizes->size() > 2 ? (*sizes)[2] : 64;
  constexpr uint64_t kMostWays = 1024, kMostLine = 4096, kMostSets = uint64_t{1} << 26;
  if (ways > kMostWays || line > kMostLine || bytes % (ways * line) != 0) return std::nullopt;
  uint64_t sets = bytes / (ways * line);
  if (sets == 0 || sets > kMostSets) return std::nullopt;
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
    return make_error(ErrorCode::kNotFound,
                      "the recording does not say what the {} of its machine is like: say it with --cache "
                      "SIZE,WAYS,LINE, such as --cache 1M,16,64",
                      level.name);
  }
  return make_error(ErrorCode::kInvalidArgument, "there is no level {}: l1i, l1d, l2 and l3 are known", word);
}

Result<map::Cache> choose_cache(const MapOptions& options, const profile::Profile& profile) {
  if (options.cache.empty()) return recorded_cache(options.level, profile);
  std::optional<map::Cache> cache = parse_cache(options.cache);
  if (cache) return *cache;
  return make_error(
      ErrorCode::kInvalidArgument,
      "--cache {} is not a cache: give SIZE,WAYS,LINE, such as 1M,16,64, where the size is a whole number "
      "of sets",
      options.cache);
}

}  // namespace

Result<map::Map> map_of(const profile::Profile& profile, const MapOptions& options) {
  Result<map::Cache> cache = choose_cache(options, profile);
  if (!cache) return cache.error();
  std::optional<uint64_t> page = parse_byte_size(options.page);
  if (!page)
    return make_error(ErrorCode::kInvalidArgument, "--page {} is no size such as 4K or 2M", options.page);
  map::Options wanted = options.map;
  wanted.cache = *cache;
  wanted.page_bytes = options.sets ? cache->line_bytes : *page;
  return map::find_map(profile, wanted);
}

Result<Mapped> map_cache(const MapOptions& options, const symbol::Resolver& resolver) {
  Result<profile::Profile> profile = load_profile(options.input, resolver, kDataObjects, options.reading);
  if (!profile) return profile.error();
  Result<map::Map> map = map_of(*profile, options);
  if (!map) return map.error();
  profile::take_problems(resolver, *profile);
  totals::Totals totals = totals::find_totals(*profile);
  return Mapped{*std::move(profile), std::move(totals), *std::move(map)};
}

Result<Sized> find_sizes(const SizesOptions& options, const symbol::Resolver& resolver) {
  profile::Needs needs = profile::kPlacesOnly;
  needs.details = true;
  Result<profile::Profile> profile = load_profile(options.input, resolver, needs, options.reading);
  if (!profile) return profile.error();
  Result<sizes::Sizes> result = sizes::find_sizes(*profile, options.sizes);
  if (!result) return result.error();
  profile::take_problems(resolver, *profile);
  totals::Totals totals = totals::find_totals(*profile);
  return Sized{*std::move(profile), std::move(totals), *std::move(result)};
}

}  // namespace hm::query
