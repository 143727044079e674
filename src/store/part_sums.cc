// SPDX-License-Identifier: MIT
#include "store/part_sums.h"

#include <fmt/format.h>

#include <algorithm>

#include "store/answer.h"

namespace hm::store {
namespace {

bool is_number(Key key) { return key == Key::kLine || key == Key::kOffset; }

// SQL expressions with numbered columns: k0, ... for keys, s0, x0, ... for parts.
struct PartSql {
  std::string expressions, columns;  // of the keys
  std::string of_batch, of_all;      // of the parts
};

PartSql sql_of(const Store& store, const Selection& selection, const std::vector<Key>& keys, Key part,
               const std::vector<std::string>& values) {
  PartSql sql;
  for (size_t i = 0; i < keys.size(); ++i) {
    sql.expressions += fmt::format(", {} AS k{}", expression_of(store, selection, keys[i]), i);
    sql.columns += fmt::format("k{}, ", i);
  }
  std::string column = expression_of(store, selection, part);
  for (size_t i = 0; i < values.size(); ++i) {
    std::string is_it = fmt::format("{} = {}", column, store.quoted(values[i]));
    sql.of_batch += fmt::format(
        ", sum(CASE WHEN {0} THEN samples ELSE 0 END) AS s{1}, sum(CASE WHEN {0} THEN count ELSE 0 END) AS x{1}",
        is_it, i);
    sql.of_all += fmt::format(", sum(s{0}), sum(x{0}), sum(x{0} * x{0}), sum(x{0} * l)", i);
  }
  return sql;
}

// Key expressions may be long, so rows are compared by the columns that hold their values.
std::string condition_of_rows(const Store& store, const std::vector<Key>& keys,
                              const std::vector<std::vector<std::string>>& rows) {
  std::string text;
  for (const std::vector<std::string>& row : rows) {
    text += text.empty() ? " WHERE (" : " OR (";
    for (size_t i = 0; i < keys.size(); ++i) {
      std::string value = is_number(keys[i]) ? row[i] : store.quoted(row[i]);
      text += fmt::format("{}k{} = {}", i == 0 ? "" : " AND ", i, value);
    }
    text += ')';
  }
  return text;
}

PartSums read_row(const std::vector<nlohmann::json>& row, size_t keys, size_t values) {
  PartSums sums;
  for (size_t i = 0; i < keys; ++i) sums.keys.push_back(text_of(row[i]));
  const auto number = [&](size_t at) { return number_of(row[keys + at]); };
  Group& known = sums.known;
  known.samples = static_cast<uint64_t>(number(0));
  known.batches = static_cast<uint64_t>(number(1));
  known.count = known.load = number(2);
  known.count_squares = known.load_squares = known.products = number(3);
  for (size_t i = 0; i < values; ++i) {
    Group& part = sums.parts.emplace_back(known);
    part.samples = static_cast<uint64_t>(number(4 + 4 * i));
    part.count = number(5 + 4 * i);
    part.count_squares = number(6 + 4 * i);
    part.products = number(7 + 4 * i);
  }
  return sums;
}

}  // namespace

Result<std::vector<PartSums>> sum_parts(Store& store, const Selection& selection,
                                        const std::vector<Key>& keys, Key part,
                                        const std::vector<std::string>& values,
                                        const std::vector<std::vector<std::string>>& rows) {
  Result<std::string> where = condition_of(store, selection, Rows::kPlaces);
  if (!where) return where.error();
  PartSql sql = sql_of(store, selection, keys, part, values);
  std::string_view commas = sql.columns;
  commas.remove_suffix(std::min<size_t>(2, commas.size()));
  Result<Answer> answer = store.ask(
      fmt::format("SELECT {0}sum(s), count(*), sum(l), sum(l * l){1} FROM (SELECT batch{2}, sum(samples) AS "
                  "s, sum(count) AS l{3} FROM {4} WHERE {5} AND {6} <> '' GROUP BY batch, {7}) AS each_batch"
                  "{8} GROUP BY {7}",
                  sql.columns, sql.of_all, sql.expressions, sql.of_batch, store.table(), *where,
                  expression_of(store, selection, part), commas, condition_of_rows(store, keys, rows)));
  if (!answer) return answer.error();
  std::vector<PartSums> sums;
  for (const std::vector<nlohmann::json>& row : *answer) {
    size_t columns = keys.size() + 4 + 4 * values.size();
    if (row.size() != columns)
      return make_error(ErrorCode::kDamaged, "the store answers with {} columns in place of {}", row.size(),
                        columns);
    sums.push_back(read_row(row, keys.size(), values.size()));
  }
  return sums;
}

}  // namespace hm::store
