// SPDX-License-Identifier: MIT
#include "store/sqlite_store.h"

#include <fmt/format.h>

#include <ctime>
#include <filesystem>
#include <optional>

#include "base/json.h"
#include "store/sqlite_database.h"
#include "store/sqlite_insert.h"
#include "store/sqlite_schema.h"

namespace hm::store {
namespace {

class SqliteStore final : public Store {
 public:
  explicit SqliteStore(const std::string& folder) : folder_(folder), path_(folder + "/hardmeter.sqlite") {}

  Status init() override {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) return make_error(ErrorCode::kIo, "cannot create the folder {}: {}", folder_, error.message());
    if (Status opened = open(true); !opened) return opened;
    return make_schema(*database_);
  }

  Status insert(const Batch& batch) override {
    if (Status ready = open(false); !ready) return ready;
    if (Status begun = database_->run("BEGIN IMMEDIATE"); !begun) return begun;
    Status written = insert_batch(*database_, batch);
    if (written) written = forget_old(batch.time_s);
    Status ended = database_->run(written ? "COMMIT" : "ROLLBACK");
    return written ? ended : written;
  }

  Status prune(uint64_t before_s, uint64_t hours_before_s) override {
    if (Status ready = open(false); !ready) return ready;
    return database_->run("BEGIN IMMEDIATE;" + forget(before_s) +
                          fmt::format("DELETE FROM hours WHERE hour < {}; COMMIT; VACUUM;", hours_before_s));
  }

  Status keep_for(uint64_t days) override {
    if (Status ready = open(false); !ready) return ready;
    return database_->run(fmt::format(
        "INSERT INTO settings VALUES ('keep_days', {0}) ON CONFLICT DO UPDATE SET value = {0};", days));
  }

  // The sums are updated in the same transaction as the rows.
  Result<uint64_t> stale_days() override { return uint64_t{0}; }

  Result<uint64_t> time_s() override { return static_cast<uint64_t>(std::time(nullptr)); }

  Result<Answer> ask(const std::string& sql) override {
    if (Status ready = open(false); !ready) return ready.error();
    Result<Statement> statement = database_->prepare(sql);
    if (!statement) return statement.error();
    Answer answer;
    for (Result<bool> found = statement->step();; found = statement->step()) {
      if (!found) return found.error();
      if (!*found) return answer;
      std::vector<nlohmann::json>& row = answer.emplace_back();
      for (int i = 0; i < statement->columns(); ++i) row.push_back(cell(*statement, i));
    }
  }

  [[nodiscard]] std::string table() const override { return "rows"; }
  [[nodiscard]] std::string hours_table() const override { return "hours"; }
  [[nodiscard]] std::string quoted(std::string_view text) const override {
    std::string literal = "'";
    for (char c : text) {
      if (c != '\0') literal += c;
      if (c == '\'') literal += c;
    }
    return literal + '\'';
  }
  [[nodiscard]] std::string seconds_of(std::string_view column) const override { return std::string(column); }
  [[nodiscard]] std::string by_place(const std::vector<PlaceValue>& values,
                                     const std::string& otherwise) const override {
    nlohmann::json by_place = nlohmann::json::object();
    for (const PlaceValue& each : values)
      by_place[fmt::format("{} {}", each.build_id, each.offset)] = each.value;
    return fmt::format("ifnull(value_of({}, build_id || ' ' || offset), {})", quoted(json_line(by_place)),
                       otherwise);
  }
  [[nodiscard]] std::string time_literal(uint64_t seconds) const override {
    return fmt::format("{}", seconds);
  }

  Result<std::optional<uint64_t>> bytes() override {
    uint64_t bytes = 0;
    for (const char* part : {"", "-wal"}) {
      std::error_code error;
      uint64_t size = std::filesystem::file_size(path_ + part, error);
      if (!error) bytes += size;
    }
    return std::optional(bytes);
  }

  Result<std::string> description() override { return fmt::format("SQLite {}, {}", sqlite_version(), path_); }

 private:
  static nlohmann::json cell(const Statement& statement, int column) {
    if (statement.is_integer(column)) return statement.integer(column);
    if (statement.is_real(column)) return statement.real(column);
    return statement.text(column);
  }

  static std::string forget(uint64_t before_s) {
    return fmt::format(
        "DELETE FROM samples WHERE time < {0};"
        "DELETE FROM batches WHERE time < {0};"
        "DELETE FROM series WHERE id NOT IN (SELECT series FROM samples);"
        "DELETE FROM places WHERE id NOT IN (SELECT place FROM samples);"
        "DELETE FROM texts WHERE id NOT IN (SELECT build_id FROM places UNION SELECT module FROM places "
        "UNION "
        "SELECT function FROM places UNION SELECT file FROM places UNION SELECT miss_class FROM samples "
        "UNION "
        "SELECT object FROM samples);",
        before_s);
  }

  // Deletes old rows once for each day of measurements, as set by keep_for(). The file reuses the space.
  Status forget_old(uint64_t time_s) {
    Result<int64_t> days =
        database_->number("SELECT coalesce(max(value), 0) FROM settings WHERE name = 'keep_days'");
    if (!days) return days.error();
    uint64_t day = time_s / 86400;
    if (*days == 0 || day <= static_cast<uint64_t>(*days)) return {};
    Result<int64_t> last =
        database_->number("SELECT coalesce(max(value), 0) FROM settings WHERE name = 'kept_on'");
    if (!last) return last.error();
    if (static_cast<uint64_t>(*last) >= day) return {};
    return database_->run(
        forget((day - static_cast<uint64_t>(*days)) * 86400) +
        fmt::format("INSERT INTO settings VALUES ('kept_on', {0}) ON CONFLICT DO UPDATE SET value = {0};",
                    day));
  }

  // Opens the database at the first call. The tables are then of this version, unless the caller `makes`
  // them.
  Status open(bool makes) {
    if (database_) return {};
    Result<Database> database = Database::open(path_, makes);
    if (!database && database.error().code == ErrorCode::kNotFound)
      return make_error(ErrorCode::kNotFound, "{} has no store: create one with hardmeter store init",
                        folder_);
    if (!database) return database.error();
    // Checks the file before changing it, because it may belong to another program.
    if (Status right = check_schema(*database, makes); !right) return right;
    // With a write-ahead log, readers do not wait for writers. Committed data survives a crash, and, because
    // it is synced, a power loss.
    Status set =
        database->run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8000;");
    if (!set) return set;
    database_.emplace(*std::move(database));
    return {};
  }

  std::string folder_, path_;
  std::optional<Database> database_;
};

}  // namespace

std::unique_ptr<Store> open_sqlite(const std::string& folder) {
  return std::make_unique<SqliteStore>(folder);
}

}  // namespace hm::store
