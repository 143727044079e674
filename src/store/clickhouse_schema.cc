// SPDX-License-Identifier: MIT
#include "store/clickhouse_schema.h"

#include <fmt/format.h>

#include "store/clickhouse_columns.h"
#include "store/store.h"

namespace hm::store {
namespace {

// The order of `samples` keeps the totals and the places of a service together, sorted by time. Each day is a
// partition, so that old data is deleted with its files.
std::string samples_table() {
  return fmt::format(
      "CREATE TABLE IF NOT EXISTS samples ({}) ENGINE = MergeTree() PARTITION BY toYYYYMMDD(time) "
      "ORDER BY (is_total, service, event, time, host)",
      column_types());
}

constexpr std::string_view kVersionsTable =
    "CREATE TABLE IF NOT EXISTS schema_versions (version UInt32, time DateTime) ENGINE = MergeTree() "
    "PARTITION BY tuple() ORDER BY version";

// Hours and days are in UTC, whatever the server's time zone.
constexpr std::string_view kHoursTable =
    "CREATE TABLE IF NOT EXISTS hours (hour DateTime, host String, service String, event String, source "
    "String, unit String, s UInt64, b UInt64, x Float64, l Float64, xx Float64, ll Float64, xl Float64) "
    "ENGINE = SummingMergeTree() PARTITION BY intDiv(toUInt32(hour), 86400) ORDER BY (service, event, hour, "
    "host, source, unit)";

// Sums each batch by service, or over all services. A view processes one inserted block at a time, which is
// one batch of one machine and time.
std::string hours_of(bool of_services, std::string_view condition) {
  return fmt::format(
      "SELECT toDateTime(intDiv(toUInt32(time), 3600) * 3600) AS hour, host, {}service, event, source, unit, "
      "sum(samples) AS s, toUInt64(1) AS b, sum(count) AS x, sum(load) AS l, x * x AS xx, l * l AS ll, "
      "x * l AS xl FROM samples WHERE is_total = 1{} GROUP BY batch, time, host, {}event, source, unit",
      of_services ? "" : "'' AS ", condition, of_services ? "service, " : "");
}

std::string hours_view(std::string_view name, bool of_services) {
  return fmt::format("CREATE MATERIALIZED VIEW IF NOT EXISTS {} TO hours AS {}", name,
                     hours_of(of_services, ""));
}

}  // namespace

std::vector<std::string> schema_statements(const Address& address) {
  std::vector<std::string> statements = {std::string(kVersionsTable), samples_table(),
                                         std::string(kHoursTable), hours_view("hours_of_services", true),
                                         hours_view("hours_of_all_services", false)};
  if (address.cluster.empty()) return statements;
  for (std::string_view table : {"samples", "hours"})
    statements.push_back(
        fmt::format("CREATE TABLE IF NOT EXISTS {0}_all AS {0} ENGINE = Distributed({1}, {2}, {0})", table,
                    address.cluster, address.database));
  return statements;
}

std::string version_statement() {
  return fmt::format(
      "INSERT INTO schema_versions SELECT {0}, now() WHERE (SELECT count() FROM schema_versions WHERE "
      "version = {0}) = 0",
      kSchemaVersion);
}

std::string days_question() {
  return "SELECT day, sum(of_rows), sum(of_services), sum(of_all) FROM (SELECT intDiv(toUInt32(time), 86400) "
         "AS "
         "day, sum(samples) AS of_rows, toUInt64(0) AS of_services, toUInt64(0) AS of_all FROM samples WHERE "
         "is_total = 1 GROUP BY day UNION ALL SELECT intDiv(toUInt32(hour), 86400) AS day, toUInt64(0) AS "
         "of_rows, "
         "sumIf(s, service != '') AS of_services, sumIf(s, service = '') AS of_all FROM hours GROUP BY day) "
         "GROUP "
         "BY day HAVING sum(of_rows) > 0 ORDER BY day";
}

std::vector<std::string> rebuild_statements(uint64_t day) {
  std::string condition =
      fmt::format(" AND time >= toDateTime({}) AND time < toDateTime({})", day * 86400, (day + 1) * 86400);
  std::vector<std::string> statements = {fmt::format("ALTER TABLE hours DROP PARTITION {}", day)};
  for (bool of_services : {true, false})
    statements.push_back("INSERT INTO hours " + hours_of(of_services, condition));
  return statements;
}

}  // namespace hm::store
