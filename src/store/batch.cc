// SPDX-License-Identifier: MIT
#include "store/batch.h"

#include <fmt/format.h>

#include <cmath>

#include "base/json.h"
#include "base/take_until.h"

namespace hm::store {
namespace {

using nlohmann::json;

constexpr int kFormat = 1;
constexpr size_t kSeriesFields = 5, kRowFields = kSeriesFields + 12;

json to_json(const Row& row) {
  const Series& series = row.series;
  const CodeLocation& place = row.place;
  return json::array({series.service, series.release, series.event, series.source, series.unit, row.is_total,
                      place.build_id, place.module, place.offset, place.function, place.file, place.line,
                      place.miss_class, place.object, row.samples, row.count, row.load});
}

bool is_number(const json& value) {
  return value.is_number() && std::isfinite(value.get<double>()) && value.get<double>() >= 0;
}

// Returns whether the members have the types that to_json() writes.
bool is_row(const json& row) {
  if (!row.is_array() || row.size() != kRowFields) return false;
  for (size_t i : {0, 1, 2, 3, 4, 6, 7, 9, 10, 12, 13})
    if (!row[i].is_string()) return false;
  return row[5].is_boolean() && row[8].is_number_unsigned() && row[11].is_number_unsigned() &&
         row[11].get<uint64_t>() <= UINT32_MAX && row[14].is_number_unsigned() && is_number(row[15]) &&
         is_number(row[16]);
}

Row to_row(const json& row) {
  const auto text = [&](size_t i) { return row[i].get<std::string>(); };
  return {{text(0), text(1), text(2), text(3), text(4)},
          row[5].get<bool>(),
          {text(6), text(7), row[8].get<uint64_t>(), text(9), text(10), row[11].get<uint32_t>(), text(12),
           text(13)},
          row[14].get<uint64_t>(),
          row[15].get<double>(),
          row[16].get<double>()};
}

bool is_head(const json& head) {
  return head.is_object() && head.value("format", json()) == kFormat && head.contains("batch") &&
         head["batch"].is_string() && head.contains("host") && head["host"].is_string() &&
         head.contains("time") && head["time"].is_number_unsigned();
}

bool is_end(const json& end, size_t rows) {
  return end.is_object() && end.contains("rows") && end["rows"] == rows;
}

}  // namespace

std::string write_batch(const Batch& batch) {
  std::string text =
      json_line({{"format", kFormat}, {"batch", batch.id}, {"host", batch.host}, {"time", batch.time_s}});
  text += '\n';
  for (const Row& row : batch.rows) text += json_line(to_json(row)) + '\n';
  return text + json_line({{"rows", batch.rows.size()}}) + '\n';
}

Result<Batch> read_batch(std::string_view text, const std::string& name) {
  const auto damaged = [&](std::string_view what) {
    return make_error(ErrorCode::kDamaged, "{}: {}", name, what);
  };
  json head = parse_json(take_until(text, '\n'));
  if (!is_head(head)) return damaged("it is not a batch of measurements");
  Batch batch{head["batch"], head["host"], head["time"], {}};
  while (!text.empty()) {
    json line = parse_json(take_until(text, '\n'));
    if (is_end(line, batch.rows.size())) return batch;
    if (!is_row(line)) return damaged(fmt::format("row {} is none", batch.rows.size() + 1));
    if (batch.rows.size() == kMaxRows) return damaged(fmt::format("it has more than {} rows", kMaxRows));
    batch.rows.push_back(to_row(line));
  }
  return damaged("its end is missing");
}

}  // namespace hm::store
