// SPDX-License-Identifier: MIT
// Storage for the measurements of many machines. There are two implementations: SQLite in a folder, and
// ClickHouse over HTTP. Both have a table `samples` with the columns of store/batch.h, and accept the same
// SQL (store/queries.h).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"
#include "base/result.h"
#include "store/answer.h"
#include "store/batch.h"

namespace hm::store {

// Value for the code at one place: a text or a number.
struct PlaceValue {
  std::string build_id;
  uint64_t offset = 0;
  nlohmann::json value;
};

// Each member of the structs in batch.h is a column of that name, except is_total (1 or 0), batch (its ID)
// and time.
class Store {
 public:
  virtual ~Store() = default;

  // Creates the tables, or upgrades older ones. Does nothing if they are up to date.
  virtual Status init() = 0;

  // Inserts the batch completely, unless the store has it already. Fails with kUnsupported if the tables are
  // of another version. After any other error, the batch can be sent again at any time.
  virtual Status insert(const Batch& batch) = 0;

  // Returns the time of the store's own clock, in seconds since 1970.
  virtual Result<uint64_t> time_s() = 0;

  // Deletes measurements before `before_s`, and hourly sums before `hours_before_s`, in seconds since 1970.
  // Deletes whole days only, if the store works by days.
  virtual Status prune(uint64_t before_s, uint64_t hours_before_s) = 0;

  // Deletes measurements automatically when they are `days` old. Fails with kUnsupported if the store cannot
  // do that.
  virtual Status keep_for(uint64_t days) = 0;

  // Returns the number of days with hourly sums that differ from their rows; init() rebuilds them.
  virtual Result<uint64_t> stale_days() = 0;

  // `sql` is a SELECT from table(), the name of `samples`.
  virtual Result<Answer> ask(const std::string& sql) = 0;
  [[nodiscard]] virtual std::string table() const = 0;
  // Table of the hourly sums over totals of each machine and series without its release: hour (a time), host,
  // service, event, source, unit; s samples in b batches; and the sums x, l, xx, ll, xl of a batch's count x
  // and load l (store::Group). Rows with an empty service are of all services together.
  [[nodiscard]] virtual std::string hours_table() const = 0;
  // Returns an SQL literal of the text.
  [[nodiscard]] virtual std::string quoted(std::string_view text) const = 0;
  // Returns an SQL expression: the value for a row's place, or the expression `otherwise` if there is none.
  [[nodiscard]] virtual std::string by_place(const std::vector<PlaceValue>& values,
                                             const std::string& otherwise) const = 0;
  // Return a time column as seconds since 1970, and a literal to compare a time column with.
  [[nodiscard]] virtual std::string seconds_of(std::string_view column) const = 0;
  [[nodiscard]] virtual std::string time_literal(uint64_t seconds) const = 0;

  // Returns the SQL keywords of an inner join.
  [[nodiscard]] virtual std::string_view inner_join() const { return "JOIN"; }

  // Returns the size on disk in bytes; nullopt if unknown.
  virtual Result<std::optional<uint64_t>> bytes() = 0;
  // Returns a readable name: "SQLite 3.40.1 in /var/lib/hardmeter".
  [[nodiscard]] virtual Result<std::string> description() = 0;
};

// Schema version, for error messages and upgrades.
inline constexpr int kSchemaVersion = 2;

}  // namespace hm::store
