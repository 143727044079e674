// SPDX-License-Identifier: MIT
// Runs the program `hardmeter`, and others, as a user does.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace hm::soft_pmu_test {

struct Outcome {
  int status = -1;  // as a shell gives it
  std::string out;
  std::string err;
};

using Words = std::vector<std::string>;

// The words of a line, parted by blanks.
Words words_of(const std::string& line);
Words operator+(Words left, const Words& right);

// Runs a command to its end, standard input empty.
Outcome run(const Words& command);
Outcome hardmeter(const Words& arguments);

// What runs programs for the software PMU here, as --engine names it: the tests run once with each. From the
// environment variable HARDMETER_TEST_ENGINE; valgrind where there is none.
const std::string& engine();
void choose_engine(const std::string& name);
// The options that ask for it.
Words soft_pmu();

// Of a program that this build made: of tests/programs, of examples/.
std::string program(const std::string& name);
std::string example(const std::string& name);

// Is there such a command in PATH?
bool installed(const std::string& command);

// A folder of its own, removed with all in it.
class TemporaryFolder {
 public:
  TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder();
  [[nodiscard]] std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace hm::soft_pmu_test
