// SPDX-License-Identifier: MIT
// Queries to a store: sums over the measurements of a selection.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "store/late_names.h"
#include "store/store.h"

namespace hm::store {

// A key of the result's rows: first those of a series, then those of a place.
enum class Key : uint8_t {
  kHost,
  kService,
  kRelease,
  kEvent,
  kSource,
  kUnit,
  kBuildId,
  kModule,
  kOffset,
  kFunction,
  kFile,
  kLine,
  kClass,
  kObject
};

// Returns whether the key may differ between rows of one series.
[[nodiscard]] constexpr bool is_of_place(Key key) { return key >= Key::kBuildId; }

// Selects measurements. Empty members do not restrict the selection.
struct Selection {
  std::optional<uint64_t> from_s{}, to_s{};  // seconds since 1970: from_s <= time < to_s
  std::string host{}, service{}, event{}, source{};
  std::string release{};  // prefix of a build ID, like `build_id`
  // Conditions on the place. Totals have no place and ignore them.
  std::string build_id{};
  std::string module{}, function{}, file{};
  std::optional<uint64_t> line{};
  std::shared_ptr<const std::vector<LateName>> names{};  // nullptr: only the rows' own names
};

// Sums over batches. From the count x and the load l of each batch follow the ratio sum x / sum l and its
// variance between batches (Cochran, Sampling Techniques, 1977, section 6.4).
struct Group {
  std::vector<std::string> keys;
  uint64_t samples = 0;
  uint64_t batches = 0;  // batches with such rows
  double count = 0;      // sum of x
  double load = 0;       // sum of l, the load of the selection in the batch, even without the place
  double count_squares = 0, load_squares = 0, products = 0;  // sums of x * x, l * l, x * l
  // Time of the first and last row, in seconds since 1970; rounded to hours if from hourly sums.
  uint64_t first_s = 0, last_s = 0;
};

enum class Rows : uint8_t { kPlaces, kTotals, kHours };  // rows of Store::table(), or its hourly sums

// Returns the SQL condition of the selection. Fails with kInvalidArgument if a build ID is malformed.
[[nodiscard]] Result<std::string> condition_of(const Store& store, const Selection& selection, Rows rows);
// Returns the SQL expression of a key.
[[nodiscard]] std::string expression_of(const Store& store, const Selection& selection, Key key);

// Sum rows with places, or totals of series. Totals come from hourly sums if the result is the same. Returns
// the groups with the largest counts first, at most `limit`; 0: all.
[[nodiscard]] Result<std::vector<Group>> sum_places(Store& store, const Selection& selection,
                                                    const std::vector<Key>& keys, size_t limit);
[[nodiscard]] Result<std::vector<Group>> sum_totals(Store& store, const Selection& selection,
                                                    const std::vector<Key>& keys, size_t limit);

// Replaces the times of a sum over totals by exact times, if they come from hourly sums and the store still
// has the measurements.
Status find_times(Store& store, const Selection& selection, Group& sum);

struct Bucket {
  uint64_t begin_s = 0;  // since 1970, a multiple of bucket_s
  Group sums;            // without keys
};
// Sum over time, in buckets of `bucket_s` seconds, earliest first. Empty buckets are omitted.
[[nodiscard]] Result<std::vector<Bucket>> sum_places_over_time(Store& store, const Selection& selection,
                                                               uint64_t bucket_s);
[[nodiscard]] Result<std::vector<Bucket>> sum_totals_over_time(Store& store, const Selection& selection,
                                                               uint64_t bucket_s);

struct Extent {
  uint64_t rows = 0, batches = 0, hosts = 0, services = 0;
  std::optional<uint64_t> first_s, last_s;  // nullopt: the store is empty
};
[[nodiscard]] Result<Extent> extent(Store& store);

}  // namespace hm::store
