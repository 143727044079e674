// SPDX-License-Identifier: MIT
#include "store/queries.h"

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
Result<std::string> condition(const Store& store, const Selection& selection, bool totals) {
  std::string text = totals ? "is_total = 1" : "is_total = 0";
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

Result<std::vector<Group>> sum(Store& store, const Selection& selection, const std::vector<Key>& keys,
                               size_t limit, bool totals) {
  Result<std::string> where = condition(store, selection, totals);
  if (!where) return where.error();
  std::string columns;
  for (Key key : keys) columns += fmt::format("{}{}", columns.empty() ? "" : ", ", column_of(key));
  // A batch's rows of one group first. The load stands in each of them, but totals' add up.
  std::string sql = fmt::format(
      "SELECT {0}{1}sum(s) AS samples_, count(*) AS batches_, sum(x) AS count_, sum(l) AS load_, sum(x * x) "
      "AS xx_, "
      "sum(l * l) AS ll_, sum(x * l) AS xl_ FROM (SELECT batch, {0}{1}sum(samples) AS s, sum(count) AS x, "
      "{2}(load) AS l "
      "FROM {3} WHERE {4} GROUP BY batch{5}{0}) AS each_batch {6}{0} ORDER BY count_ DESC{5}{0}{7}",
      columns, columns.empty() ? "" : ", ", totals ? "sum" : "max", store.table(), *where,
      columns.empty() ? "" : ", ", columns.empty() ? "" : "GROUP BY ",
      limit == 0 ? "" : fmt::format(" LIMIT {}", limit));
  Result<Answer> answer = store.ask(sql);
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
  return sum(store, selection, keys, limit, false);
}

Result<std::vector<Group>> sum_totals(Store& store, const Selection& selection, const std::vector<Key>& keys,
                                      size_t limit) {
  return sum(store, selection, keys, limit, true);
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
