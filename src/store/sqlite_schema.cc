// SPDX-License-Identifier: MIT
#include "store/sqlite_schema.h"

#include <fmt/format.h>

#include <array>

#include "store/store.h"

namespace hm::store {
namespace {

// Upgrades from version 0 to 1, and so on. Repeated values are stored once and referenced by number: a row of
// `samples` takes about 40 bytes. `rows` is the view for queries. Its joins go from few series to their
// samples, which are ordered by series and time. `hours` is the table of Store::hours_table().
constexpr std::array<const char*, kSchemaVersion> kSteps = {R"(
CREATE TABLE texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);
CREATE TABLE batches (id INTEGER PRIMARY KEY, batch TEXT NOT NULL UNIQUE, time INTEGER NOT NULL);
CREATE TABLE series (id INTEGER PRIMARY KEY, host TEXT NOT NULL, service TEXT NOT NULL, release TEXT NOT NULL,
  event TEXT NOT NULL, source TEXT NOT NULL, unit TEXT NOT NULL,
  UNIQUE (service, event, host, release, source, unit));
CREATE TABLE places (id INTEGER PRIMARY KEY, build_id INTEGER NOT NULL, module INTEGER NOT NULL,
  offset INTEGER NOT NULL, function INTEGER NOT NULL, file INTEGER NOT NULL, line INTEGER NOT NULL,
  UNIQUE (function, offset, build_id, module, file, line));
CREATE TABLE samples (series INTEGER NOT NULL, is_total INTEGER NOT NULL, time INTEGER NOT NULL,
  batch INTEGER NOT NULL, place INTEGER NOT NULL, miss_class INTEGER NOT NULL, object INTEGER NOT NULL,
  samples INTEGER NOT NULL, count REAL NOT NULL, load REAL NOT NULL,
  PRIMARY KEY (series, is_total, time, batch, place, miss_class, object)) WITHOUT ROWID;
CREATE INDEX batches_by_time ON batches (time);
CREATE VIEW rows AS SELECT series.host, series.service, series.release, series.event, series.source, series.unit,
  samples.is_total, samples.time, samples.batch, build_ids.text AS build_id, modules.text AS module, places.offset,
  functions.text AS function, files.text AS file, places.line, classes.text AS miss_class, objects.text AS object,
  samples.samples, samples.count, samples.load
FROM series CROSS JOIN samples ON samples.series = series.id
  CROSS JOIN places ON places.id = samples.place
  CROSS JOIN texts AS build_ids ON build_ids.id = places.build_id
  CROSS JOIN texts AS modules ON modules.id = places.module
  CROSS JOIN texts AS functions ON functions.id = places.function
  CROSS JOIN texts AS files ON files.id = places.file
  CROSS JOIN texts AS classes ON classes.id = samples.miss_class
  CROSS JOIN texts AS objects ON objects.id = samples.object;
)",
                                                            R"(
CREATE TABLE hours (hour INTEGER NOT NULL, host TEXT NOT NULL, service TEXT NOT NULL, event TEXT NOT NULL,
  source TEXT NOT NULL, unit TEXT NOT NULL, s INTEGER NOT NULL, b INTEGER NOT NULL, x REAL NOT NULL,
  l REAL NOT NULL, xx REAL NOT NULL, ll REAL NOT NULL, xl REAL NOT NULL,
  PRIMARY KEY (service, event, hour, host, source, unit)) WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value INTEGER NOT NULL);
WITH totals AS (SELECT samples.batch, samples.time / 3600 * 3600 AS hour, series.host, series.service, series.event,
    series.source, series.unit, samples.samples AS s, samples.count AS x, samples.load AS l
  FROM series JOIN samples ON samples.series = series.id AND samples.is_total = 1),
named AS (SELECT * FROM totals UNION ALL SELECT batch, hour, host, '', event, source, unit, s, x, l FROM totals),
each_batch AS (SELECT hour, host, service, event, source, unit, sum(s) AS s, sum(x) AS x, sum(l) AS l
  FROM named GROUP BY batch, hour, host, service, event, source, unit)
INSERT INTO hours SELECT hour, host, service, event, source, unit, sum(s), count(*), sum(x), sum(l), sum(x * x),
  sum(l * l), sum(x * l) FROM each_batch GROUP BY hour, host, service, event, source, unit;
)"};

// Number of tables in each version: the first entries of kTables.
constexpr std::array<const char*, 7> kTables = {"texts",   "batches", "series",  "places",
                                                "samples", "hours",   "settings"};
constexpr std::array<size_t, kSchemaVersion + 1> kTablesOfVersion = {0, 5, 7};

struct Contents {
  int64_t version = 0, tables = 0, own_tables = 0;
};

// Uses a single statement, because another process may create the tables at this moment.
Result<Contents> contents_of(Database& database) {
  std::string names;
  for (const char* each : kTables) names += fmt::format("{}'{}'", names.empty() ? "" : ", ", each);
  Result<Statement> statement = database.prepare(fmt::format(
      "SELECT user_version, (SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name NOT LIKE "
      "'sqlite%'),"
      " (SELECT count(*) FROM sqlite_master WHERE type = 'table' AND name IN ({})) FROM pragma_user_version",
      names));
  if (!statement) return statement.error();
  Result<bool> found = statement->step();
  if (!found) return found.error();
  return Contents{statement->integer(0), statement->integer(1), statement->integer(2)};
}

// True for a store of any version, including later ones.
bool is_store(const Contents& contents) {
  if (contents.version < 0) return false;
  if (contents.version > kSchemaVersion) return contents.own_tables != 0;
  auto expected = static_cast<int64_t>(kTablesOfVersion[static_cast<size_t>(contents.version)]);
  return contents.own_tables == expected && (contents.version != 0 || contents.tables == 0);
}

// Returns the version of a store's tables, 0 for a new file. Fails with kUnsupported if this version of
// hardmeter cannot use the file.
Result<int64_t> usable_version(Database& database) {
  Result<Contents> contents = contents_of(database);
  if (!contents) return contents.error();
  if (!is_store(*contents))
    return make_error(
        ErrorCode::kUnsupported,
        "{} is not a store: it has tables of another program (user_version {}). Name another folder",
        database.path(), contents->version);
  if (contents->version > kSchemaVersion)
    return make_error(
        ErrorCode::kUnsupported,
        "the store's tables have version {}, and this version of hardmeter supports up to {}: use a later version",
        contents->version, kSchemaVersion);
  return contents->version;
}

}  // namespace

Status make_schema(Database& database) {
  // Other processes may do this at the same time, so the check and the changes are one transaction.
  if (Status begun = database.run("BEGIN IMMEDIATE"); !begun) return begun;
  Result<int64_t> version = usable_version(database);
  Status made = version ? Status() : Status(version.error());
  for (int64_t i = version ? *version : kSchemaVersion; made && i < kSchemaVersion; ++i)
    made = database.run(kSteps[static_cast<size_t>(i)] + fmt::format("PRAGMA user_version = {};", i + 1));
  Status ended = database.run(made ? "COMMIT" : "ROLLBACK");
  return made ? ended : made;
}

Status check_schema(Database& database, bool may_be_older) {
  Result<int64_t> version = usable_version(database);
  if (!version) return version.error();
  if (may_be_older || *version == kSchemaVersion) return {};
  return make_error(ErrorCode::kUnsupported,
                    "the store has no tables of this version yet: run hardmeter store init");
}

}  // namespace hm::store
