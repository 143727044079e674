// SPDX-License-Identifier: MIT
// What a store is asked: sums over the measurements of a selection.
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

// What makes a row of an answer: first what a series has, then what a place has.
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

// Whether it may differ between rows of one series.
[[nodiscard]] constexpr bool is_of_place(Key key) { return key >= Key::kBuildId; }

// Which measurements count. What is not set lets everything through.
struct Selection {
  std::optional<uint64_t> from_s{}, to_s{};  // seconds since 1970: from_s <= time < to_s
  std::string host{}, service{}, event{}, source{};
  std::string release{};  // the beginning of a build-id, as of the next
  // Of a place; totals, which have none, count whatever is asked for here.
  std::string build_id{};
  std::string module{}, function{}, file{};
  std::optional<uint64_t> line{};
  std::shared_ptr<const std::vector<LateName>> names{};  // nullptr: none but the rows' own
};

// Sums over batches. A batch's count of a row is x, its load l: what the ratio sum x / sum l, and its
// variance between batches, follow from (Cochran, Sampling Techniques, 1977, section 6.4).
struct Group {
  std::vector<std::string> keys;
  uint64_t samples = 0;
  uint64_t batches = 0;  // in which it was met
  double count = 0;      // sum of x
  double load = 0;       // sum of l, what the batch measured of the selection; of places: where it was met
  double count_squares = 0, load_squares = 0, products = 0;  // sums of x * x, l * l, x * l
  uint64_t first_s = 0,
           last_s = 0;  // when it was met, in seconds since 1970; from sums of hours, to the hour
};

enum class Rows : uint8_t { kPlaces, kTotals, kHours };  // which rows of Store::table(), or its sums of hours

// The SQL condition of the selection. kInvalidArgument where what is to be a build-id is none.
[[nodiscard]] Result<std::string> condition_of(const Store& store, const Selection& selection, Rows rows);
// The SQL expression of a key.
[[nodiscard]] std::string expression_of(const Store& store, const Selection& selection, Key key);

// Of rows that have places; of the totals of series, which are read from the sums of hours where that gives
// the same. The greatest count first; at most `limit`, 0: all.
[[nodiscard]] Result<std::vector<Group>> sum_places(Store& store, const Selection& selection,
                                                    const std::vector<Key>& keys, size_t limit);
[[nodiscard]] Result<std::vector<Group>> sum_totals(Store& store, const Selection& selection,
                                                    const std::vector<Key>& keys, size_t limit);

// Finds when exactly the first and the last of a sum over totals were measured, where that comes from sums of
// hours and the store has the measurements still.
Status find_times(Store& store, const Selection& selection, Group& sum);

struct Bucket {
  uint64_t begin_s = 0;  // a multiple of its length since 1970
  Group sums;            // without keys
};
// The same over time, in buckets of `bucket_s` seconds, the first one first. One that nothing was met in is
// not there.
[[nodiscard]] Result<std::vector<Bucket>> sum_places_over_time(Store& store, const Selection& selection,
                                                               uint64_t bucket_s);
[[nodiscard]] Result<std::vector<Bucket>> sum_totals_over_time(Store& store, const Selection& selection,
                                                               uint64_t bucket_s);

struct Extent {
  uint64_t rows = 0, batches = 0, hosts = 0, services = 0;
  std::optional<uint64_t> first_s, last_s;  // nullopt: it is empty
};
[[nodiscard]] Result<Extent> extent(Store& store);

}  // namespace hm::store
