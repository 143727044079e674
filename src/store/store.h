// SPDX-License-Identifier: MIT
// Where the measurements of many machines are kept. Two stand behind this interface: SQLite in a folder, and
// ClickHouse over HTTP. Both have a table `samples` with the columns of store/batch.h, and are asked in the
// same SQL (store/queries.h).
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

// What is said of the code at one place: a text or a number.
struct PlaceValue {
  std::string build_id;
  uint64_t offset = 0;
  nlohmann::json value;
};

// Each member of batch.h is a column of that name, but for: is_total (1 or 0), batch (its id), time.
class Store {
 public:
  virtual ~Store() = default;

  // Makes the tables, or brings those of an older version up to date. Nothing where they are there.
  virtual Status init() = 0;

  // Takes the batch, whole; nothing where it has it already. kUnsupported where its tables are not those of
  // this version. After any other error the same batch may be sent again, at any time, as often as one likes.
  virtual Status insert(const Batch& batch) = 0;

  // By the store's own clock, in seconds since 1970.
  virtual Result<uint64_t> time_s() = 0;

  // Forgets what was measured before that time, in seconds since 1970, and sums of hours before the other. By
  // whole days, where the store does it by days.
  virtual Status prune(uint64_t before_s, uint64_t hours_before_s) = 0;

  // From now on it forgets by itself what is older than so many days. kUnsupported where it cannot.
  virtual Status keep_for(uint64_t days) = 0;

  // Of how many days the sums of hours are not those of the rows: init() makes them anew.
  virtual Result<uint64_t> stale_days() = 0;

  // `sql`: a SELECT of `samples`, which table() calls.
  virtual Result<Answer> ask(const std::string& sql) = 0;
  [[nodiscard]] virtual std::string table() const = 0;
  // The table of sums over the totals of each hour, machine and series but for its release: hour (a time),
  // host, service, event, source, unit; s samples in b batches; and, of a batch's count x and load l, the
  // sums x, l, xx, ll, xl (store::Group). Rows with an empty service are of all services together.
  [[nodiscard]] virtual std::string hours_table() const = 0;
  // A literal of this text.
  [[nodiscard]] virtual std::string quoted(std::string_view text) const = 0;
  // An expression: the value of a row's place, else what the expression `otherwise` says.
  [[nodiscard]] virtual std::string by_place(const std::vector<PlaceValue>& values,
                                             const std::string& otherwise) const = 0;
  // A column that is a time, as seconds since 1970; and a literal to compare it with.
  [[nodiscard]] virtual std::string seconds_of(std::string_view column) const = 0;
  [[nodiscard]] virtual std::string time_literal(uint64_t seconds) const = 0;

  // The words of a join that leaves out what has no partner.
  [[nodiscard]] virtual std::string_view inner_join() const { return "JOIN"; }

  // How many bytes it takes on its disks; nullopt where it cannot tell.
  virtual Result<std::optional<uint64_t>> bytes() = 0;
  // Which it is, for people: "SQLite 3.40.1 in /var/lib/hardmeter".
  [[nodiscard]] virtual Result<std::string> description() = 0;
};

// For messages and for the order of schema changes.
inline constexpr int kSchemaVersion = 2;

}  // namespace hm::store
