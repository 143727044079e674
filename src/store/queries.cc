// SPDX-License-Identifier: MIT
#include "store/queries.h"

#include <algorithm>
#include <iterator>

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

// The condition, from the columns by which both stores are ordered to the others.
Result<std::string> condition(const Store& store, const Selection& selection, std::string text) {
  const std::pair<std::string_view, const std::string*> equal[] = {{"service", &selection.service},
                                                                   {"event", &selection.event},
                                                                   {"host", &selection.host},
                                                                   {"source", &selection.source},
                                                                   {"function", &selection.function}};
  for (const auto& [column, value] : equal) {
    if (!value->empty()) text += fmt::format(" AND {} = {}", column, store.quoted(*value));
  }
  if (selection.from_s) text += " AND time >= " + store.time_literal(*selection.from_s);
  if (selection.to_s) text += " AND time < " + store.time_literal(*selection.to_s);
  const std::pair<std::string_view, const std::string*> beginnings[] = {{"release", &selection.release},
                                                                        {"build_id", &selection.build_id}};
  for (const auto& [column, value] : beginnings) {
    if (value->empty()) continue;
    if (!is_build_id(*value))
      return make_error(ErrorCode::kInvalidArgument,
                        "'{}' is no build-id, nor the beginning of one: digits and a to f", *value);
    text += fmt::format(" AND {} LIKE '{}%'", column, *value);
  }
  return text;
}

uint64_t whole_of(const nlohmann::json& cell) { return static_cast<uint64_t>(number_of(cell)); }

// "a, b, c", and behind or before something else.
struct Columns {
  explicit Columns(const std::vector<Key>& keys) {
    for (Key key : keys) names += fmt::format("{}{}", names.empty() ? "" : ", ", column_of(key));
  }
  [[nodiscard]] std::string before() const { return names.empty() ? "" : names + ", "; }
  [[nodiscard]] std::string after() const { return names.empty() ? "" : ", " + names; }
  std::string names;
};

// The sums of each batch: s samples, the count x and the load l. The load stands in each row of a series, but
// those of totals add up.
std::string each_batch(const Store& store, const Columns& columns, const std::string& where, bool totals) {
  return fmt::format(
      "SELECT batch, {}sum(samples) AS s, sum(count) AS x, {}(load) AS l FROM {} WHERE {} GROUP BY "
      "batch{}",
      columns.before(), totals ? "sum" : "max", store.table(), where, columns.after());
}

// Sums of these over batches.
std::string over_batches(const Columns& columns, const std::string& each) {
  return fmt::format(
      "SELECT {}sum(s) AS s_, count(*) AS b_, sum(x) AS x_, sum(l) AS l_, sum(x * x) AS xx_, sum(l "
      "* l) AS ll_, sum(x * l) AS xl_ FROM ({}) AS each_batch{}",
      columns.before(), each, columns.names.empty() ? "" : " GROUP BY " + columns.names);
}

// Sums of sums.
std::string added_up(const Columns& columns, const std::string& parts) {
  return fmt::format(
      "SELECT {}sum(s_) AS samples_, sum(b_) AS batches_, sum(x_) AS count_, sum(l_) AS load_, "
      "sum(xx_) AS xx, sum(ll_) AS ll, sum(xl_) AS xl FROM ({}) AS parts{}",
      columns.before(), parts, columns.names.empty() ? "" : " GROUP BY " + columns.names);
}

// Whether the hourly sums tell it, which know of no release and no place.
bool hours_tell(const Selection& selection, const std::vector<Key>& keys) {
  constexpr Key kOfHours[] = {Key::kHost, Key::kService, Key::kEvent, Key::kSource, Key::kUnit};
  return selection.release.empty() && selection.build_id.empty() && selection.function.empty() &&
         std::ranges::all_of(keys,
                             [&](Key key) { return std::ranges::find(kOfHours, key) != std::end(kOfHours); });
}

// From the sums of whole hours, and from the batches of what is left of the first and the last.
Result<std::string> from_hours(const Store& store, const Selection& selection, const std::vector<Key>& keys) {
  Columns columns(keys);
  uint64_t begin = selection.from_s.value_or(0), end = selection.to_s.value_or(0) / 3600 * 3600;
  begin = begin / 3600 * 3600 + (begin % 3600 != 0 ? 3600 : 0);
  bool by_service = std::ranges::find(keys, Key::kService) != keys.end() || !selection.service.empty();
  Selection whole = selection;
  whole.from_s = whole.to_s = {};
  Result<std::string> anytime = condition(store, whole, by_service ? "service <> ''" : "service = ''");
  if (!anytime) return anytime;
  std::string hours = *anytime, ends;
  if (selection.from_s) {
    hours += " AND hour >= " + store.time_literal(begin);
    ends = "time < " + store.time_literal(begin);
  }
  if (selection.to_s) {
    hours += " AND hour < " + store.time_literal(end);
    ends += (ends.empty() ? "time >= " : " OR time >= ") + store.time_literal(end);
  }
  std::string parts = fmt::format(
      "SELECT {}s AS s_, b AS b_, x AS x_, l AS l_, xx AS xx_, ll AS ll_, xl AS xl_ FROM {} "
      "WHERE {}",
      columns.before(), store.hours_table(), hours);
  if (ends.empty()) return parts;
  Result<std::string> where = condition(store, selection, "is_total = 1");
  if (!where) return where;
  return parts + " UNION ALL " +
         over_batches(columns, each_batch(store, columns, *where + " AND (" + ends + ")", true));
}

Result<std::string> from_batches(const Store& store, const Selection& selection, const std::vector<Key>& keys,
                                 bool totals) {
  Columns columns(keys);
  Result<std::string> where = condition(store, selection, totals ? "is_total = 1" : "is_total = 0");
  if (!where) return where;
  return over_batches(columns, each_batch(store, columns, *where, totals));
}

Result<std::vector<Group>> ask_for(Store& store, const Result<std::string>& parts,
                                   const std::vector<Key>& keys, size_t limit) {
  if (!parts) return parts.error();
  Result<Answer> answer =
      store.ask(added_up(Columns(keys), *parts) + " ORDER BY count_ DESC" + Columns(keys).after() +
                (limit == 0 ? "" : fmt::format(" LIMIT {}", limit)));
  if (!answer) return answer.error();
  std::vector<Group> groups;
  for (const std::vector<nlohmann::json>& row : *answer) {
    if (row.size() != keys.size() + 7)
      return make_error(ErrorCode::kDamaged, "the store answers with {} columns in place of {}", row.size(),
                        keys.size() + 7);
    Group& group = groups.emplace_back();
    for (size_t i = 0; i < keys.size(); ++i) group.keys.push_back(text_of(row[i]));
    const nlohmann::json* sums = row.data() + keys.size();
    group.samples = whole_of(sums[0]);
    group.batches = whole_of(sums[1]);
    group.count = number_of(sums[2]);
    group.load = number_of(sums[3]);
    group.count_squares = number_of(sums[4]);
    group.load_squares = number_of(sums[5]);
    group.products = number_of(sums[6]);
  }
  return groups;
}

}  // namespace

Result<std::vector<Group>> sum_places(Store& store, const Selection& selection, const std::vector<Key>& keys,
                                      size_t limit) {
  return ask_for(store, from_batches(store, selection, keys, false), keys, limit);
}

Result<std::vector<Group>> sum_totals(Store& store, const Selection& selection, const std::vector<Key>& keys,
                                      size_t limit) {
  return ask_for(store,
                 hours_tell(selection, keys) ? from_hours(store, selection, keys)
                                             : from_batches(store, selection, keys, true),
                 keys, limit);
}

Result<Extent> extent(Store& store) {
  Result<Answer> answer =
      store.ask(fmt::format("SELECT count(*), count(DISTINCT batch), count(DISTINCT host), count(DISTINCT "
                            "service), min({0}), max({0}) FROM {1}",
                            store.time_column(), store.table()));
  if (!answer) return answer.error();
  if (answer->size() != 1 || answer->front().size() != 6)
    return make_error(ErrorCode::kDamaged, "the store does not say how much it holds");
  const std::vector<nlohmann::json>& row = answer->front();
  Extent extent{whole_of(row[0]), whole_of(row[1]), whole_of(row[2]), whole_of(row[3]), {}, {}};
  if (extent.rows == 0) return extent;
  extent.first_s = whole_of(row[4]);
  extent.last_s = whole_of(row[5]);
  return extent;
}

}  // namespace hm::store
