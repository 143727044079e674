// SPDX-License-Identifier: MIT
// Runs the program `hardmeter`, and others, as a user does.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/temporary_folder.h"

namespace hm::soft_pmu_test {

using hm::TemporaryFolder;

struct Outcome {
  int status = -1;  // as a shell gives it
  std::string out;
  std::string err;
  // So long at least two of its threads, or its children's, ran at the same time: the processor time beyond
  // the time that passed.
  double together_s = 0;
};

using Words = std::vector<std::string>;

// The words of a line, parted by blanks.
Words words_of(const std::string& line);
Words operator+(Words left, const Words& right);

// A command that runs beside the test, standard input empty. Killed where the test does not wait for it.
class Running {
 public:
  explicit Running(const Words& command);
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running();

  // To its end; once.
  Outcome outcome();

 private:
  TemporaryFolder folder_;
  std::string out_ = folder_.file("out");
  std::string err_ = folder_.file("err");
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  int process_ = -1;
};

// To its end.
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

}  // namespace hm::soft_pmu_test
