// SPDX-License-Identifier: MIT
#include "store/sqlite_database.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include <cerrno>

#include "base/unique_fd.h"
#include "store/sqlite_value_of.h"

namespace hm::store {
namespace {

constexpr int kTimeoutMs = 10'000;  // wait for other writers

std::string path_of(sqlite3* database) {
  const char* path = sqlite3_db_filename(database, "main");
  return path == nullptr ? std::string() : path;
}

Error error_of(sqlite3* database) {
  return make_error(ErrorCode::kIo, "SQLite, {}: {}", path_of(database), sqlite3_errmsg(database));
}

}  // namespace

Statement::~Statement() { sqlite3_finalize(statement_); }

void Statement::bind(int place, std::string_view text) {
  sqlite3_bind_text(statement_, place, text.data() == nullptr ? "" : text.data(),
                    static_cast<int>(text.size()), SQLITE_STATIC);
}
void Statement::bind(int place, int64_t number) { sqlite3_bind_int64(statement_, place, number); }
void Statement::bind(int place, double number) { sqlite3_bind_double(statement_, place, number); }

Result<bool> Statement::step() {
  int state = sqlite3_step(statement_);
  if (state == SQLITE_ROW) return true;
  if (state == SQLITE_DONE) return false;
  return error_of(sqlite3_db_handle(statement_));
}

void Statement::reset() { sqlite3_reset(statement_); }

int Statement::columns() const { return sqlite3_column_count(statement_); }
bool Statement::is_integer(int column) const {
  return sqlite3_column_type(statement_, column) == SQLITE_INTEGER;
}
bool Statement::is_real(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_FLOAT; }
int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }
double Statement::real(int column) const { return sqlite3_column_double(statement_, column); }
std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
  return text == nullptr ? std::string()
                         : std::string(text, static_cast<size_t>(sqlite3_column_bytes(statement_, column)));
}

Result<Database> Database::open(const std::string& path, bool makes) {
  // SQLite would make the file readable for everyone, and would block forever on a pipe.
  UniqueFd made(::open(path.c_str(), O_RDWR | O_NONBLOCK | O_CLOEXEC | (makes ? O_CREAT : 0), 0640));
  if (!made.valid())
    return make_error(errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kIo, "cannot open {}: {}", path,
                      errno_text(errno));
  struct stat about {};
  if (::fstat(made.get(), &about) != 0 || !S_ISREG(about.st_mode))
    return make_error(ErrorCode::kIo, "cannot open {}: it is not a regular file", path);
  sqlite3* handle = nullptr;
  int opened = sqlite3_open_v2(path.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(handle);
  if (opened != SQLITE_OK)
    return make_error(ErrorCode::kIo, "cannot open {}: {}", path, sqlite3_errstr(opened));
  sqlite3_busy_timeout(handle, kTimeoutMs);
  add_value_of(handle);
  return database;
}

Database::~Database() { sqlite3_close(database_); }

Result<Statement> Database::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_, sql.data(), static_cast<int>(sql.size()), &statement, nullptr) !=
      SQLITE_OK)
    return error_of(database_);
  return Statement(statement);
}

Status Database::run(const std::string& sql) {
  if (sqlite3_exec(database_, sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK)
    return error_of(database_);
  return {};
}

Result<int64_t> Database::number(std::string_view sql) {
  Result<Statement> statement = prepare(sql);
  if (!statement) return statement.error();
  Result<bool> found = statement->step();
  if (!found) return found.error();
  return *found ? statement->integer(0) : 0;
}

std::string Database::path() const { return path_of(database_); }

std::string sqlite_version() { return sqlite3_libversion(); }

}  // namespace hm::store
