// SPDX-License-Identifier: MIT
#include "store/sqlite_store.h"

#include <array>
#include <ctime>
#include <filesystem>
#include <map>
#include <optional>
#include <unordered_map>

#include "base/json.h"
#include "store/sqlite_database.h"
#include "store/sqlite_schema.h"

namespace hm::store {
namespace {

// Gives what repeats its number, and remembers it.
class Numbers {
 public:
  explicit Numbers(Database& database) : database_(database) {}

  Result<int64_t> text(const std::string& text) {
    auto [found, is_new] = texts_.try_emplace(text, 0);
    if (!is_new) return found->second;
    Result<int64_t> number =
        number_of("INSERT OR IGNORE INTO texts (text) VALUES (?)", "SELECT id FROM texts WHERE text = ?",
                  [&](Statement& statement) { statement.bind(1, text); });
    if (number) found->second = *number;
    return number;
  }

  Result<int64_t> place(const Place& place) {
    std::array<int64_t, 6> ids{};
    const std::string* texts[] = {&place.function, &place.build_id, &place.module, &place.file};
    constexpr size_t kAt[] = {0, 2, 3, 4};
    for (size_t i = 0; i < std::size(kAt); ++i) {
      Result<int64_t> number = text(*texts[i]);
      if (!number) return number;
      ids[kAt[i]] = *number;
    }
    ids[1] = static_cast<int64_t>(place.offset);
    ids[5] = place.line;
    auto [found, is_new] = places_.try_emplace(ids, 0);
    if (!is_new) return found->second;
    Result<int64_t> number = number_of(
        "INSERT OR IGNORE INTO places (function, offset, build_id, module, file, line) VALUES (?, ?, ?, ?, "
        "?, ?)",
        "SELECT id FROM places WHERE function = ? AND offset = ? AND build_id = ? AND module = ? AND file = "
        "? "
        "AND line = ?",
        [&](Statement& statement) {
          for (size_t i = 0; i < ids.size(); ++i) statement.bind(static_cast<int>(i) + 1, ids[i]);
        });
    if (number) found->second = *number;
    return number;
  }

  // Rows of a series come one after another: the last one is remembered.
  Result<int64_t> series(const std::string& host, const Series& series) {
    if (last_series_ && *last_series_ == series) return last_series_number_;
    Result<int64_t> number = number_of(
        "INSERT OR IGNORE INTO series (host, service, release, event, source, unit) VALUES (?, ?, ?, ?, ?, "
        "?)",
        "SELECT id FROM series WHERE host = ? AND service = ? AND release = ? AND event = ? AND source = ? "
        "AND "
        "unit = ?",
        [&](Statement& statement) {
          const std::string* texts[] = {&host,         &series.service, &series.release,
                                        &series.event, &series.source,  &series.unit};
          for (size_t i = 0; i < std::size(texts); ++i) statement.bind(static_cast<int>(i) + 1, *texts[i]);
        });
    if (!number) return number;
    last_series_ = series;
    last_series_number_ = *number;
    return number;
  }

 private:
  template <typename Bind>
  Result<int64_t> number_of(std::string_view insert, std::string_view select, Bind&& bind) {
    for (std::string_view sql : {select, insert, select}) {
      Result<Statement> statement = database_.prepare(sql);
      if (!statement) return statement.error();
      bind(*statement);
      Result<bool> found = statement->step();
      if (!found) return found.error();
      if (*found) return statement->integer(0);
    }
    return make_error(ErrorCode::kIo, "SQLite: a row that was written is not there");
  }

  Database& database_;
  std::unordered_map<std::string, int64_t> texts_;
  std::map<std::array<int64_t, 6>, int64_t> places_;
  std::optional<Series> last_series_;  // of the batch's host
  int64_t last_series_number_ = 0;
};

class SqliteStore final : public Store {
 public:
  explicit SqliteStore(const std::string& folder) : folder_(folder), path_(folder + "/hardmeter.sqlite") {}

  Status init() override {
    std::error_code error;
    std::filesystem::create_directories(folder_, error);
    if (error) return make_error(ErrorCode::kIo, "cannot make the folder {}: {}", folder_, error.message());
    if (Status opened = open(true); !opened) return opened;
    return make_schema(*database_);
  }

  Status insert(const Batch& batch) override {
    if (Status ready = open(false); !ready) return ready;
    if (Status begun = database_->run("BEGIN IMMEDIATE"); !begun) return begun;
    Status written = insert_rows(batch);
    Status ended = database_->run(written ? "COMMIT" : "ROLLBACK");
    return written ? ended : written;
  }

  Status prune(uint64_t before_s) override {
    if (Status ready = open(false); !ready) return ready;
    return database_->run(
        fmt::format("BEGIN IMMEDIATE;"
                    "DELETE FROM samples WHERE time < {0};"
                    "DELETE FROM batches WHERE time < {0};"
                    "DELETE FROM series WHERE id NOT IN (SELECT series FROM samples);"
                    "DELETE FROM places WHERE id NOT IN (SELECT place FROM samples);"
                    "DELETE FROM texts WHERE id NOT IN (SELECT build_id FROM places UNION SELECT module FROM "
                    "places UNION "
                    "SELECT function FROM places UNION SELECT file FROM places UNION SELECT miss_class FROM "
                    "samples UNION "
                    "SELECT object FROM samples);"
                    "COMMIT; VACUUM;",
                    before_s));
  }

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
  [[nodiscard]] std::string quoted(std::string_view text) const override {
    std::string literal = "'";
    for (char c : text) {
      if (c != '\0') literal += c;
      if (c == '\'') literal += c;
    }
    return literal + '\'';
  }
  [[nodiscard]] std::string time_column() const override { return "time"; }
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

  // Once; its tables are this version's then, but where it `makes` them.
  Status open(bool makes) {
    if (database_) return {};
    Result<Database> database = Database::open(path_, makes);
    if (!database && database.error().code == ErrorCode::kNotFound)
      return make_error(ErrorCode::kNotFound, "there is no store in {}: make one with hardmeter store init",
                        folder_);
    if (!database) return database.error();
    // A write-ahead log: whoever asks does not wait for whoever writes. What is committed outlives a kill,
    // and, as it is synced, a loss of power.
    Status set =
        database->run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -8000;");
    if (set && !makes) set = check_schema(*database);
    if (!set) return set;
    database_.emplace(*std::move(database));
    return {};
  }

  Status insert_rows(const Batch& batch) {
    Result<Statement> head = database_->prepare("INSERT OR IGNORE INTO batches (batch, time) VALUES (?, ?)");
    if (!head) return head.error();
    head->bind(1, batch.id);
    head->bind(2, static_cast<int64_t>(batch.time_s));
    if (Result<bool> written = head->step(); !written) return written.error();
    Result<int64_t> is_new = database_->number("SELECT changes()");
    if (!is_new) return is_new.error();
    if (*is_new == 0) return {};
    Result<int64_t> id = database_->number("SELECT last_insert_rowid()");
    if (!id) return id.error();
    // Rows that differ in nothing that is kept are added up.
    Result<Statement> samples = database_->prepare(
        "INSERT INTO samples (series, is_total, time, batch, place, miss_class, object, samples, count, "
        "load) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET samples = samples + "
        "excluded.samples, "
        "count = count + excluded.count");
    if (!samples) return samples.error();
    Numbers numbers(*database_);
    for (const Row& row : batch.rows) {
      if (Status written = insert_row(*samples, numbers, batch, row, *id); !written) return written;
    }
    return {};
  }

  static Status insert_row(Statement& samples, Numbers& numbers, const Batch& batch, const Row& row,
                           int64_t batch_id) {
    Result<int64_t> ids[] = {numbers.series(batch.host, row.series), numbers.place(row.place),
                             numbers.text(row.place.miss_class), numbers.text(row.place.object)};
    for (const Result<int64_t>& id : ids) {
      if (!id) return id.error();
    }
    int place = 0;
    for (int64_t value : {*ids[0], static_cast<int64_t>(row.is_total), static_cast<int64_t>(batch.time_s),
                          batch_id, *ids[1], *ids[2], *ids[3], static_cast<int64_t>(row.samples)})
      samples.bind(++place, value);
    samples.bind(++place, row.count);
    samples.bind(++place, row.load);
    Result<bool> written = samples.step();
    samples.reset();
    return written ? Status() : Status(written.error());
  }

  std::string folder_, path_;
  std::optional<Database> database_;
};

}  // namespace

std::unique_ptr<Store> open_sqlite(const std::string& folder) {
  return std::make_unique<SqliteStore>(folder);
}

}  // namespace hm::store
