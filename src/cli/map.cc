// SPDX-License-Identifier: MIT
#include "app/query/map.h"

#include <algorithm>
#include <memory>

#include "cli/commands.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "symbol/file_resolver.h"
#include "view/csv/map.h"
#include "view/csv/sizes.h"
#include "view/json/map.h"
#include "view/json/sizes.h"
#include "view/text/map.h"
#include "view/text/recording.h"
#include "view/text/sizes.h"

namespace hm::cli {
namespace {

struct MapWords {
  query::MapOptions query;
  bool json = false;
  bool csv = false;
  bool sizes = false;
  std::optional<uint64_t> columns;
};

// Beside the map are the regions' numbers and their means.
size_t columns_for(const text::Style& style) {
  constexpr size_t kMargin = 20, kFewest = 16, kMost = 100, kAnyWidth = 64;
  return style.width == 0 ? kAnyWidth
                          : std::clamp(style.width - std::min(style.width, kMargin), kFewest, kMost);
}

Result<int> print_map(const MapWords& words) {
  text::Style style = output_style();
  query::MapOptions options = words.query;
  options.map.columns = words.columns ? *words.columns : columns_for(style);
  Result<query::Mapped> mapped = query::map_cache(options, symbol::FileResolver());
  if (!mapped) return mapped.error();
  if (words.csv) return print(csv::map_lines(mapped->map));
  return print(words.json ? json::map_json(mapped->profile, mapped->map)
                          : text::recording_header(mapped->profile, mapped->totals) +
                                text::map_view(mapped->map, style));
}

Result<int> print_sizes(const MapWords& words) {
  query::SizesOptions options{
      words.query.input, words.query.reading, {words.query.map.filter, words.query.map.limit}};
  Result<query::Sized> sized = query::find_sizes(options, symbol::FileResolver());
  if (!sized) return sized.error();
  if (words.csv) return print(csv::sizes_lines(sized->sizes.counted));
  return print(words.json
                   ? json::sizes_json(sized->profile, sized->sizes)
                   : text::recording_header(sized->profile, sized->totals) +
                         text::sizes_view(sized->sizes, sized->profile.features.caches, output_style()));
}

}  // namespace

Run add_map(CommandLine& line) {
  auto words = std::make_shared<MapWords>();
  add_input_option(line, words->query.input);
  line.add_flag("--sizes", words->sizes,
                "show what caches of all sizes would miss, of the run and of its functions (of a recording "
                "that was made "
                "with --sizes)");
  line.add_option("--level", words->query.level, "which cache of the machine that the recording tells of")
      .one_of({"l1i", "l1d", "l2", "l3"})
      .show_default();
  line.add_option("--cache", words->query.cache,
                  "another cache, such as 1M,16,64: size, ways, bytes of a line")
      .type("SIZE,WAYS,LINE");
  line.add_option("--page", words->query.page, "cut the cache by pages of this size")
      .type("SIZE")
      .show_default();
  line.add_flag("--sets", words->query.sets, "show each set by itself");
  line.add_option("--pages", words->query.map.pages,
                  "how many distinct pages (with --sets: lines), the last ones sampled, are taken as in use "
                  "at a time "
                  "(default: twice what the cache holds)")
      .between(uint64_t{1}, uint64_t{1} << 24)
      .type("COUNT");
  line.add_flag("--virtual", words->query.map.virtual_addresses,
                "go by virtual addresses, also where physical ones were recorded");
  line.add_option("--columns", words->columns, "cut the time into so many parts (default: as many as fit)")
      .between(uint64_t{1}, uint64_t{100'000})
      .type("COUNT");
  line.add_option("--limit", words->query.map.limit,
                  "tell of at most this many crowded regions or functions; 0 is all")
      .show_default();
  add_format_options(line, words->json);
  line.add_flag("--csv", words->csv,
                "print comma-separated values: time_ns, region, ways; with --sizes sets, ways, line_bytes, "
                "accesses, misses");
  add_reading_options(line, words->query.reading);
  add_filter_options(line, words->query.map.filter);
  line.add_option("-S,--function", words->query.map.filter.function,
                  "only this function, or those with this part or pattern (parse_*) in their name");
  return [words] { return words->sizes ? print_sizes(*words) : print_map(*words); };
}

}  // namespace hm::cli
