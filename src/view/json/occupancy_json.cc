// SPDX-License-Identifier: MIT
#include "view/json/occupancy_json.h"

#include <fmt/format.h>

#include "view/json/values.h"

namespace hm::json {
namespace {

Json row_json(const occupancy::Row& row) {
  Json domains = Json::array();
  for (const occupancy::InDomain& each : row.domains)
    domains.push_back({{"domain", each.domain}, {"occupancy_bytes", or_null(each.occupancy_bytes)}});
  bool measured = row.occupancy_bytes.has_value();
  return {{"key", row.key},
          {"name", row.name},
          {"pid", or_null(row.pid)},
          {"parent", text_or_null(row.parent)},
          {"members", row.members},
          {"occupancy_bytes", or_null(row.occupancy_bytes)},
          {"low_bytes", measured ? Json(row.low_bytes) : Json()},
          {"high_bytes", measured ? Json(row.high_bytes) : Json()},
          {"domains", std::move(domains)},
          {"is_foreign", row.is_foreign},
          {"ways", row.ways == 0 ? Json() : Json(fmt::format("{:x}", row.ways))},
          {"total_bytes", or_null(row.total_bytes)},
          {"total_bytes_per_s", or_null(row.total_bytes_per_s)},
          {"local_bytes_per_s", or_null(row.local_bytes_per_s)},
          {"measured_share", row.measured_share},
          {"age_s", static_cast<double>(row.age_ns) * 1e-9}};
}

}  // namespace

std::string occupancy_json(const occupancy::Snapshot& snapshot) {
  Json rows = Json::array();
  for (const occupancy::Row& row : snapshot.rows) rows.push_back(row_json(row));
  Json json{{"schema", kSchema},
            {"time_s", snapshot.elapsed_s},
            {"measured_by", snapshot.measured_by},
            {"is_modelled", snapshot.is_modelled},
            {"cache_bytes", snapshot.cache_bytes == 0 ? Json() : Json(snapshot.cache_bytes)},
            {"rows", std::move(rows)},
            {"remarks", snapshot.remarks}};
  return compact_json(json) + '\n';
}

}  // namespace hm::json
