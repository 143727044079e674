// SPDX-License-Identifier: MIT
// Files in a store's place that are not stores: init() and queries fail with one sentence and do not change
// the file.
#include "store/sqlite_store.h"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "base/temporary_folder.h"
#include "base/text_file.h"
#include "store/sqlite_database.h"

namespace hm::store {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

class OtherFiles : public ::testing::Test {
 protected:
  // The error messages of init() and of a query.
  [[nodiscard]] std::string of_init() const {
    Status made = open_sqlite(folder_.file(""))->init();
    return made ? "" : made.error().message;
  }
  [[nodiscard]] std::string of_question() const {
    Result<Answer> answer = open_sqlite(folder_.file(""))->ask("SELECT count(*) FROM rows");
    return answer ? "" : answer.error().message;
  }
  void make(const std::string& statements) {
    std::filesystem::remove(path_);
    Result<Database> database = Database::open(path_, true);
    ASSERT_TRUE(database);
    ASSERT_TRUE(database->run(statements));
  }
  void expect_refused(const std::string& what) {
    EXPECT_THAT(of_init(), HasSubstr(what));
    EXPECT_THAT(of_question(), HasSubstr(what));
  }

  TemporaryFolder folder_;
  const std::string path_ = folder_.file("hardmeter.sqlite");
};

TEST_F(OtherFiles, OfAnotherProgramAreRefusedAndStay) {
  for (const char* version : {"-1", "-2147483648", "0", "1", "2", "3", "1000000", "2147483647"}) {
    make(std::string("CREATE TABLE x (y); PRAGMA user_version = ") + version);
    std::optional<std::string> before = read_text(path_);
    expect_refused("another program");
    EXPECT_EQ(read_text(path_), before) << "version " << version;
  }
}

TEST_F(OtherFiles, OfNegativeVersionWithoutTablesAreRefused) {
  make("PRAGMA user_version = -1");
  expect_refused("another program");
}

TEST_F(OtherFiles, WithAPartOfTheTablesAreRefused) {
  make("CREATE TABLE texts (id); CREATE TABLE settings (id); PRAGMA user_version = 1");
  expect_refused("another program");
}

TEST_F(OtherFiles, OfALaterHardmeterNeedIt) {
  make("");
  ASSERT_EQ(of_init(), "");
  {
    Result<Database> database = Database::open(path_, false);
    ASSERT_TRUE(database && database->run("PRAGMA user_version = 3"));
  }
  expect_refused("use a later version");
}

TEST_F(OtherFiles, ThatAreEmptyBecomeAStore) {
  std::ofstream(path_).close();
  EXPECT_THAT(of_question(), HasSubstr("hardmeter store init"));
  EXPECT_EQ(of_init(), "");
  EXPECT_EQ(of_question(), "");
}

TEST_F(OtherFiles, ThatAreNoDatabaseAreRefused) {
  std::ofstream(path_) << std::string(5000, 'x');
  expect_refused("file is not a database");
}

TEST_F(OtherFiles, ThatAreCutAreRefused) {
  ASSERT_EQ(of_init(), "");
  for (uintmax_t bytes : {100, 512, 4095, 4096, 8192}) {
    std::filesystem::resize_file(path_, bytes);
    std::filesystem::remove(path_ + "-wal");
    EXPECT_NE(of_init(), "") << bytes;
    EXPECT_NE(of_question(), "") << bytes;
    std::filesystem::remove(path_);
    ASSERT_EQ(of_init(), "");
  }
}

TEST_F(OtherFiles, ThatAreNoRegularFilesAreRefused) {
  std::filesystem::create_directory(path_);
  expect_refused("hardmeter.sqlite");
  std::filesystem::remove(path_);
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  expect_refused("not a regular file");
  std::filesystem::remove(path_);
  std::filesystem::create_symlink("/dev/zero", path_);
  expect_refused("not a regular file");
}

}  // namespace
}  // namespace hm::store
