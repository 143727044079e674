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
  int status = -1;  // like a shell's $?
  std::string out;
  std::string err;
  // Time in seconds in which at least two of the command's threads, or its children's, ran at the same time:
  // the processor time beyond the elapsed time.
  double together_s = 0;
};

using Words = std::vector<std::string>;

// Splits a line at blanks.
Words words_of(const std::string& line);
Words operator+(Words left, const Words& right);

// A command that runs beside the test, with empty standard input. Killed if the test does not wait for it.
class Running {
 public:
  explicit Running(const Words& command);
  Running(const Running&) = delete;
  Running& operator=(const Running&) = delete;
  ~Running();

  // Waits for the end of the command. Call it once.
  Outcome outcome();

 private:
  TemporaryFolder folder_;
  std::string out_ = folder_.file("out");
  std::string err_ = folder_.file("err");
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
  int process_ = -1;
};

// Run to the end.
Outcome run(const Words& command);
Outcome hardmeter(const Words& arguments);

// The engine of the software PMU in this test run, as in --engine: the tests run once with each. From the
// environment variable HARDMETER_TEST_ENGINE; default: valgrind.
const std::string& engine();
void choose_engine(const std::string& name);
// Returns whether this build has the engine; the Valgrind engine is optional.
bool is_built(const std::string& engine);
// Returns the options that select this engine.
Words soft_pmu();

// Return the path of a built program, from tests/programs or from examples/.
std::string program(const std::string& name);
std::string example(const std::string& name);

// Returns whether /proc/cpuinfo lists the processor flag.
bool processor_has(const std::string& flag);

// Returns whether PATH contains the command.
bool installed(const std::string& command);

}  // namespace hm::soft_pmu_test
