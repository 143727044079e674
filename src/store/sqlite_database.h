// SPDX-License-Identifier: MIT
// Wrapper for the parts of SQLite's C interface that the store uses.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace hm::store {

// A prepared statement, which can be run repeatedly.
class Statement {
 public:
  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}
  Statement(Statement&& other) noexcept : statement_(std::exchange(other.statement_, nullptr)) {}
  Statement& operator=(Statement&&) = delete;
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;
  ~Statement();

  // `place` counts from 1. The text must stay valid until reset().
  void bind(int place, std::string_view text);
  void bind(int place, int64_t number);
  void bind(int place, double number);

  // Returns whether there is another row.
  [[nodiscard]] Result<bool> step();
  // Allows to run the statement again with other values.
  void reset();

  [[nodiscard]] int columns() const;
  [[nodiscard]] bool is_integer(int column) const;
  [[nodiscard]] bool is_real(int column) const;
  [[nodiscard]] int64_t integer(int column) const;
  [[nodiscard]] double real(int column) const;
  [[nodiscard]] std::string text(int column) const;

 private:
  sqlite3_stmt* statement_;
};

class Database {
 public:
  // Creates the file if `makes` is set, readable by its user and group. Fails with kNotFound if it does not
  // exist otherwise.
  [[nodiscard]] static Result<Database> open(const std::string& path, bool makes);
  Database(Database&& other) noexcept : database_(std::exchange(other.database_, nullptr)) {}
  Database& operator=(Database&&) = delete;
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;
  ~Database();

  [[nodiscard]] Result<Statement> prepare(std::string_view sql);
  // Runs any number of statements without parameters.
  Status run(const std::string& sql);
  // Returns the first number of the first row.
  [[nodiscard]] Result<int64_t> number(std::string_view sql);
  [[nodiscard]] std::string path() const;

 private:
  explicit Database(sqlite3* database) : database_(database) {}

  sqlite3* database_;
};

[[nodiscard]] std::string sqlite_version();

}  // namespace hm::store
