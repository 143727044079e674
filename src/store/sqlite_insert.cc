// SPDX-License-Identifier: MIT
#include "store/sqlite_insert.h"

#include <array>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>

namespace hm::store {
namespace {

// Assigns numbers to repeated values, and caches them.
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

  Result<int64_t> place(const CodeLocation& place) {
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

  // Rows of a series are consecutive, so only the last series is cached.
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
  std::optional<Series> last_series_;  // for the batch's host
  int64_t last_series_number_ = 0;
};

Status insert_row(Statement& samples, Numbers& numbers, const Batch& batch, const Row& row,
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

Status insert_rows(Database& database, const Batch& batch, int64_t id) {
  // Adds up rows that only differ in columns that are not stored.
  Result<Statement> samples = database.prepare(
      "INSERT INTO samples (series, is_total, time, batch, place, miss_class, object, samples, count, "
      "load) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET samples = samples + "
      "excluded.samples, count = count + excluded.count");
  if (!samples) return samples.error();
  Numbers numbers(database);
  for (const Row& row : batch.rows) {
    if (Status written = insert_row(*samples, numbers, batch, row, id); !written) return written;
  }
  return {};
}

// Adds the batch's totals, by service and over all services, to the sums of the hour.
Status add_to_hours(Database& database, const Batch& batch) {
  struct Sums {
    uint64_t samples = 0;
    double count = 0, load = 0;
  };
  std::map<std::array<std::string, 4>, Sums> all;  // by service, event, source, unit
  for (const Row& row : batch.rows) {
    if (!row.is_total) continue;
    for (const std::string& service : {row.series.service, std::string()}) {
      Sums& sums = all[{service, row.series.event, row.series.source, row.series.unit}];
      sums.samples += row.samples;
      sums.count += row.count;
      sums.load += row.load;
    }
  }
  Result<Statement> hours = database.prepare(
      "INSERT INTO hours (service, event, source, unit, host, hour, s, b, x, l, xx, ll, xl) VALUES (?, ?, ?, "
      "?, "
      "?, ?, ?, 1, ?, ?, ?, ?, ?) ON CONFLICT DO UPDATE SET s = s + excluded.s, b = b + 1, x = x + "
      "excluded.x, "
      "l = l + excluded.l, xx = xx + excluded.xx, ll = ll + excluded.ll, xl = xl + excluded.xl");
  if (!hours) return hours.error();
  for (const auto& [names, sums] : all) {
    int place = 0;
    for (const std::string& name : names) hours->bind(++place, name);
    hours->bind(++place, batch.host);
    hours->bind(++place, static_cast<int64_t>(batch.time_s / 3600 * 3600));
    hours->bind(++place, static_cast<int64_t>(sums.samples));
    for (double sum :
         {sums.count, sums.load, sums.count * sums.count, sums.load * sums.load, sums.count * sums.load})
      hours->bind(++place, sum);
    if (Result<bool> written = hours->step(); !written) return written.error();
    hours->reset();
  }
  return {};
}

}  // namespace

Status insert_batch(Database& database, const Batch& batch) {
  Result<Statement> head = database.prepare("INSERT OR IGNORE INTO batches (batch, time) VALUES (?, ?)");
  if (!head) return head.error();
  head->bind(1, batch.id);
  head->bind(2, static_cast<int64_t>(batch.time_s));
  if (Result<bool> written = head->step(); !written) return written.error();
  Result<int64_t> is_new = database.number("SELECT changes()");
  if (!is_new) return is_new.error();
  if (*is_new == 0) return {};
  Result<int64_t> id = database.number("SELECT last_insert_rowid()");
  if (!id) return id.error();
  if (Status written = insert_rows(database, batch, *id); !written) return written;
  return add_to_hours(database, batch);
}

}  // namespace hm::store
