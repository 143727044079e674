// SPDX-License-Identifier: MIT
#include "store/queries.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "store/answer.h"

namespace hm::store {
namespace {

std::string_view column_of(Key key) {
  switch (key) {
    case Key::kHost:
      return "host";
    case Key::kService:
      return "service";
    case Key::kRelease:
      return "release";
    case Key::kEvent:
      return "event";
    case Key::kSource:
      return "source";
    case Key::kUnit:
      return "unit";
    case Key::kBuildId:
      return "build_id";
    case Key::kModule:
      return "module";
    case Key::kOffset:
      return "offset";
    case Key::kFunction:
      return "function";
    case Key::kFile:
      return "file";
    case Key::kLine:
      return "line";
    case Key::kClass:
      return "miss_class";
    case Key::kObject:
      return "object";
  }
  return "";
}

bool is_build_id(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

}  // namespace

std::string expression_of(const Store& store, const Selection& selection, Key key) {
  std::string_view column = column_of(key);
  return selection.names ? named_column(store, column, *selection.names) : std::string(column);
}

// Compares the columns that order both stores first, then the others.
Result<std::string> condition_of(const Store& store, const Selection& selection, Rows rows) {
  std::string text = rows == Rows::kHours ? "1 = 1" : rows == Rows::kTotals ? "is_total = 1" : "is_total = 0";
  using Value = std::pair<std::string_view, const std::string*>;
  const Value equal[] = {{"service", &selection.service},
                         {"event", &selection.event},
                         {"host", &selection.host},
                         {"source", &selection.source}};
  std::vector<Value> beginnings{{"release", &selection.release}};
  for (const auto& [column, value] : equal) {
    if (!value->empty()) text += fmt::format(" AND {} = {}", column, store.quoted(*value));
  }
  if (rows == Rows::kPlaces) {
    const auto is = [&](Key key, const std::string& literal) {
      text += fmt::format(" AND {} = {}", expression_of(store, selection, key), literal);
    };
    if (!selection.module.empty()) is(Key::kModule, store.quoted(selection.module));
    if (!selection.function.empty()) is(Key::kFunction, store.quoted(selection.function));
    if (!selection.file.empty()) is(Key::kFile, store.quoted(selection.file));
    if (selection.line) is(Key::kLine, fmt::format("{}", *selection.line));
    beginnings.emplace_back("build_id", &selection.build_id);
  }
  if (selection.from_s) text += " AND time >= " + store.time_literal(*selection.from_s);
  if (selection.to_s) text += " AND time < " + store.time_literal(*selection.to_s);
  for (const auto& [column, value] : beginnings) {
    if (value->empty()) continue;
    if (!is_build_id(*value))
      return make_error(ErrorCode::kInvalidArgument,
                        "'{}' is no build-id, nor the beginning of one: digits and a to f", *value);
    text += fmt::format(" AND {} LIKE '{}%'", column, *value);
  }
  return text;
}

namespace {

constexpr uint64_t kHour = 3600;  // in seconds

uint64_t whole_of(const nlohmann::json& cell) { return static_cast<uint64_t>(number_of(cell)); }

constexpr size_t kSums = 9;

Group group_of(const std::vector<nlohmann::json>& row) {
  Group group;
  size_t keys = row.size() - kSums;
  for (size_t i = 0; i < keys; ++i) group.keys.push_back(text_of(row[i]));
  const nlohmann::json* sums = row.data() + keys;
  group.samples = whole_of(sums[0]);
  group.batches = whole_of(sums[1]);
  group.count = number_of(sums[2]);
  group.load = number_of(sums[3]);
  group.count_squares = number_of(sums[4]);
  group.load_squares = number_of(sums[5]);
  group.products = number_of(sums[6]);
  group.first_s = whole_of(sums[7]);
  group.last_s = whole_of(sums[8]);
  return group;
}

// Defines a row of the result: by keys, or by time.
struct Grouping {
  std::vector<Key> keys{};
  std::vector<std::string> expressions{};  // of the keys, named k0, k1, ...
  uint64_t bucket_s = 0;                   // 0: no grouping by time
  size_t limit = 0;                        // 0: all

  // Returns "k0, k1".
  [[nodiscard]] std::string columns() const {
    std::string names;
    for (size_t i = 0; i < keys.size(); ++i) names += fmt::format("{}k{}", i == 0 ? "" : ", ", i);
    return names;
  }
  // Returns "EXPRESSION AS k0, EXPRESSION AS k1, ".
  [[nodiscard]] std::string named() const {
    std::string text;
    for (size_t i = 0; i < keys.size(); ++i) text += fmt::format("{} AS k{}, ", expressions[i], i);
    return text;
  }
  // Returns "SECONDS - SECONDS % 60 AS bucket_, ".
  [[nodiscard]] std::string bucket(std::string_view seconds) const {
    return bucket_s == 0 ? "" : fmt::format("{0} - {0} % {1} AS bucket_, ", seconds, bucket_s);
  }
  [[nodiscard]] std::string selected() const { return bucket_s != 0 ? "bucket_" : columns(); }
  [[nodiscard]] std::string select() const { return selected().empty() ? "" : selected() + ", "; }
  [[nodiscard]] std::string group_by() const { return selected().empty() ? "" : " GROUP BY " + selected(); }
};

// Subquery with a row for each batch and group: samples s, count x and time t.
std::string each_batch(const Store& store, const Grouping& grouping, const std::string& where,
                       std::string_view more_sums = "") {
  return fmt::format(
      "(SELECT batch, {}sum(samples) AS s, sum(count) AS x, min({}) AS t{} FROM {} WHERE {} GROUP BY "
      "batch{}{})",
      grouping.named(), store.seconds_of("time"), more_sums, store.table(), where,
      grouping.keys.empty() ? "" : ", ", grouping.columns());
}

// Sums over batches, from the columns of each_batch() and the load l.
std::string over_batches(const Grouping& grouping, const std::string& batches) {
  return fmt::format(
      "SELECT {}sum(s) AS s_, count(*) AS b_, sum(x) AS x_, sum(l) AS l_, sum(x * x) AS xx_, sum(l * l) AS "
      "ll_, sum(x * l) AS xl_, min(t) AS first_, max(t) AS last_ FROM {}{}",
      grouping.bucket_s != 0 ? grouping.bucket("t") : grouping.select(), batches, grouping.group_by());
}

std::string over_batches_of_totals(const Store& store, const Grouping& grouping, const std::string& where) {
  return over_batches(grouping, each_batch(store, grouping, where, ", sum(load) AS l") + " AS each_batch");
}

// The load of a place is the load of the whole selection in a batch, even if the place has no samples in it.
// An example is a service with several releases.
Result<std::string> over_batches_of_places(const Store& store, const Selection& selection,
                                           const Grouping& grouping) {
  Result<std::string> places = condition_of(store, selection, Rows::kPlaces);
  if (!places) return places;
  Result<std::string> totals = condition_of(store, selection, Rows::kTotals);
  if (!totals) return totals;
  std::string keys, columns = "batch";
  for (size_t i = 0; i < grouping.keys.size(); ++i) {
    if (is_of_place(grouping.keys[i])) continue;
    keys += fmt::format("{} AS k{}, ", grouping.expressions[i], i);
    columns += fmt::format(", k{}", i);
  }
  return over_batches(
      grouping,
      fmt::format("{} AS places {} (SELECT batch, {}sum(load) AS l FROM {} WHERE {} GROUP BY {}) AS loads "
                  "USING ({})",
                  each_batch(store, grouping, *places), store.inner_join(), keys, store.table(), *totals,
                  columns, columns));
}

// Returns whether hourly sums can replace totals. They have no release. A batch with several events, or with
// several services in different units, is counted in several sums.
bool hours_suffice(const Selection& selection, const Grouping& grouping) {
  constexpr Key kOfHours[] = {Key::kHost, Key::kService, Key::kEvent, Key::kSource, Key::kUnit};
  const auto is_key = [&](Key key) { return std::ranges::find(grouping.keys, key) != grouping.keys.end(); };
  bool is_one_event = is_key(Key::kEvent) || !selection.event.empty();
  bool is_one_unit = is_key(Key::kUnit) || is_key(Key::kService) || !selection.service.empty();
  return is_one_event && is_one_unit && selection.release.empty() && grouping.bucket_s % kHour == 0 &&
         std::ranges::all_of(grouping.keys,
                             [&](Key key) { return std::ranges::find(kOfHours, key) != std::end(kOfHours); });
}

// Adds the sums of whole hours to the batches in the remaining parts of the first and the last hour.
Result<std::string> from_hours(const Store& store, const Selection& selection, const Grouping& grouping) {
  uint64_t from = selection.from_s.value_or(0), end = selection.to_s.value_or(0) / kHour * kHour;
  uint64_t begin = from / kHour * kHour + (from % kHour != 0 ? kHour : 0);
  bool by_service =
      std::ranges::find(grouping.keys, Key::kService) != grouping.keys.end() || !selection.service.empty();
  Selection whole = selection;
  whole.from_s = whole.to_s = {};
  Result<std::string> hours = condition_of(store, whole, Rows::kHours);
  if (!hours) return hours;
  *hours += by_service ? " AND service <> ''" : " AND service = ''";
  std::string ends;
  if (selection.from_s) {
    *hours += " AND hour >= " + store.time_literal(begin);
    ends = "time < " + store.time_literal(begin);
  }
  if (selection.to_s) {
    *hours += " AND hour < " + store.time_literal(end);
    ends += (ends.empty() ? "time >= " : " OR time >= ") + store.time_literal(end);
  }
  std::string seconds = store.seconds_of("hour");
  std::string parts = fmt::format(
      "SELECT {}s AS s_, b AS b_, x AS x_, l AS l_, xx AS xx_, ll AS ll_, xl AS xl_, {} AS first_, {} + {} "
      "AS "
      "last_ FROM {} WHERE {}",
      grouping.bucket_s != 0 ? grouping.bucket(seconds) : grouping.named(), seconds, seconds, kHour - 1,
      store.hours_table(), *hours);
  if (ends.empty()) return parts;
  Result<std::string> where = condition_of(store, selection, Rows::kTotals);
  if (!where) return where;
  return parts + " UNION ALL " + over_batches_of_totals(store, grouping, *where + " AND (" + ends + ")");
}

Result<std::string> from_batches(const Store& store, const Selection& selection, const Grouping& grouping,
                                 bool totals) {
  if (!totals) return over_batches_of_places(store, selection, grouping);
  Result<std::string> where = condition_of(store, selection, Rows::kTotals);
  if (!where) return where;
  return over_batches_of_totals(store, grouping, *where);
}

Result<Answer> sum(Store& store, const Selection& selection, const Grouping& grouping, bool totals) {
  Result<std::string> parts = totals && hours_suffice(selection, grouping)
                                  ? from_hours(store, selection, grouping)
                                  : from_batches(store, selection, grouping, totals);
  if (!parts) return parts.error();
  std::string selected = grouping.selected();
  return store.ask(
      fmt::format("SELECT {}sum(s_) AS samples_, sum(b_) AS batches_, sum(x_) AS count_, sum(l_) AS load_, "
                  "sum(xx_) AS xx, "
                  "sum(ll_) AS ll, sum(xl_) AS xl, min(first_) AS first, max(last_) AS last FROM ({}) AS "
                  "parts{} ORDER BY "
                  "count_ DESC{}{}",
                  grouping.select(), *parts, grouping.group_by(), selected.empty() ? "" : ", " + selected,
                  grouping.limit == 0 ? "" : fmt::format(" LIMIT {}", grouping.limit)));
}

Status check_width(const Answer& answer, size_t keys) {
  for (const std::vector<nlohmann::json>& row : answer) {
    if (row.size() != keys + kSums)
      return make_error(ErrorCode::kDamaged, "the store answers with {} columns in place of {}", row.size(),
                        keys + kSums);
  }
  return {};
}

Result<std::vector<Group>> sum_by_keys(Store& store, const Selection& selection, const std::vector<Key>& keys,
                                       size_t limit, bool totals) {
  Grouping grouping{.keys = keys, .limit = limit};
  for (Key key : keys) grouping.expressions.push_back(expression_of(store, selection, key));
  Result<Answer> answer = sum(store, selection, grouping, totals);
  if (!answer) return answer.error();
  if (Status right = check_width(*answer, keys.size()); !right) return right.error();
  std::vector<Group> groups;
  for (const std::vector<nlohmann::json>& row : *answer) {
    Group group = group_of(row);
    if (group.batches != 0) groups.push_back(std::move(group));  // sums over nothing still give a row
  }
  return groups;
}

Result<std::vector<Bucket>> sum_over_time(Store& store, const Selection& selection, uint64_t bucket_s,
                                          bool totals) {
  Result<Answer> answer = sum(store, selection, {.bucket_s = std::max<uint64_t>(bucket_s, 1)}, totals);
  if (!answer) return answer.error();
  if (Status right = check_width(*answer, 1); !right) return right.error();
  std::vector<Bucket> buckets;
  for (const std::vector<nlohmann::json>& row : *answer) {
    Bucket& bucket = buckets.emplace_back(Bucket{whole_of(row[0]), group_of(row)});
    bucket.sums.keys.clear();
  }
  std::ranges::sort(buckets, {}, &Bucket::begin_s);
  return buckets;
}

}  // namespace

Result<std::vector<Group>> sum_places(Store& store, const Selection& selection, const std::vector<Key>& keys,
                                      size_t limit) {
  return sum_by_keys(store, selection, keys, limit, false);
}

Result<std::vector<Group>> sum_totals(Store& store, const Selection& selection, const std::vector<Key>& keys,
                                      size_t limit) {
  return sum_by_keys(store, selection, keys, limit, true);
}

Status find_times(Store& store, const Selection& selection, Group& sum) {
  if (sum.batches == 0) return {};
  uint64_t first = sum.first_s / kHour * kHour, last = sum.last_s / kHour * kHour;
  Result<std::string> where = condition_of(store, selection, Rows::kTotals);
  if (!where) return where.error();
  std::string hours;
  for (uint64_t begin : {first, last})
    hours += fmt::format("{}(time >= {} AND time < {})", hours.empty() ? "" : " OR ",
                         store.time_literal(begin), store.time_literal(begin + kHour));
  Result<Answer> answer =
      store.ask(fmt::format("SELECT count(*), min({0}), max({0}) FROM {1} WHERE {2} AND ({3})",
                            store.seconds_of("time"), store.table(), *where, hours));
  if (!answer) return answer.error();
  if (answer->size() != 1 || answer->front().size() != 3)
    return make_error(ErrorCode::kDamaged, "the store does not return the times of its measurements");
  const std::vector<nlohmann::json>& row = answer->front();
  if (whole_of(row[0]) == 0) return {};
  if (uint64_t found = whole_of(row[1]); found < first + kHour) sum.first_s = found;
  if (uint64_t found = whole_of(row[2]); found >= last) sum.last_s = found;
  return {};
}

Result<std::vector<Bucket>> sum_places_over_time(Store& store, const Selection& selection,
                                                 uint64_t bucket_s) {
  return sum_over_time(store, selection, bucket_s, false);
}

Result<std::vector<Bucket>> sum_totals_over_time(Store& store, const Selection& selection,
                                                 uint64_t bucket_s) {
  return sum_over_time(store, selection, bucket_s, true);
}

Result<Extent> extent(Store& store) {
  Result<Answer> answer =
      store.ask(fmt::format("SELECT count(*), count(DISTINCT batch), count(DISTINCT host), count(DISTINCT "
                            "service), min({0}), max({0}) FROM {1}",
                            store.seconds_of("time"), store.table()));
  if (!answer) return answer.error();
  if (answer->size() != 1 || answer->front().size() != 6)
    return make_error(ErrorCode::kDamaged, "the store does not return its size");
  const std::vector<nlohmann::json>& row = answer->front();
  Extent extent{whole_of(row[0]), whole_of(row[1]), whole_of(row[2]), whole_of(row[3]), {}, {}};
  if (extent.rows == 0) return extent;
  extent.first_s = whole_of(row[4]);
  extent.last_s = whole_of(row[5]);
  return extent;
}

}  // namespace hm::store
