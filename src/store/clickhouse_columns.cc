// SPDX-License-Identifier: MIT
#include "store/clickhouse_columns.h"

#include <fmt/format.h>

#include <iterator>
#include <utility>

namespace hm::store {
namespace {

constexpr std::pair<std::string_view, std::string_view> kColumns[] = {
    {"batch", "String"},    {"time", "DateTime"},   {"host", "String"},   {"service", "String"},
    {"release", "String"},  {"event", "String"},    {"source", "String"}, {"unit", "String"},
    {"is_total", "UInt8"},  {"build_id", "String"}, {"module", "String"}, {"offset", "UInt64"},
    {"function", "String"}, {"file", "String"},     {"line", "UInt32"},   {"miss_class", "String"},
    {"object", "String"},   {"samples", "UInt64"},  {"count", "Float64"}, {"load", "Float64"}};

void add_text(std::string& line, std::string_view text) {
  for (char c : text) {
    switch (c) {
      case '\t':
        line += "\\t";
        break;
      case '\n':
        line += "\\n";
        break;
      case '\\':
        line += "\\\\";
        break;
      case '\0':
        line += "\\0";
        break;
      default:
        line += c;
    }
  }
  line += '\t';
}

}  // namespace

std::string column_names() {
  std::string names;
  for (const auto& [name, type] : kColumns) names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
  return names;
}

std::string column_types() {
  std::string types;
  for (const auto& [name, type] : kColumns)
    types += fmt::format("{}{} {}", types.empty() ? "" : ", ", name, type);
  return types;
}

std::string tab_separated(const Batch& batch) {
  std::string text;
  for (const Row& row : batch.rows) {
    const Series& series = row.series;
    const CodeLocation& place = row.place;
    add_text(text, batch.id);
    text += fmt::format("{}\t", batch.time_s);
    for (const std::string* each :
         {&batch.host, &series.service, &series.release, &series.event, &series.source, &series.unit})
      add_text(text, *each);
    text += row.is_total ? "1\t" : "0\t";
    add_text(text, place.build_id);
    add_text(text, place.module);
    text += fmt::format("{}\t", place.offset);
    add_text(text, place.function);
    add_text(text, place.file);
    text += fmt::format("{}\t", place.line);
    add_text(text, place.miss_class);
    add_text(text, place.object);
    fmt::format_to(std::back_inserter(text), "{}\t{}\t{}\n", row.samples, row.count, row.load);
  }
  return text;
}

}  // namespace hm::store
