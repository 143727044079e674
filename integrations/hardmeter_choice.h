/* SPDX-License-Identifier: MIT
 *
 * Chooses one benchmark of a program by an environment variable, for harnesses that cannot list their
 * benchmarks or cannot run one alone. hardmeter_benchmarks.py sets the variable HARDMETER_BENCHMARK.
 */
#ifndef HARDMETER_CHOICE_H
#define HARDMETER_CHOICE_H

#include <cstdio>
#include <cstdlib>
#include <string>

namespace hardmeter {

// Returns true if the harness must not run its benchmarks, because the variable lists them or chooses one.
inline bool chooses() { return std::getenv("HARDMETER_BENCHMARK") != nullptr; }

// Returns true if the caller must run one iteration of this benchmark now: once for the name in the variable.
// If the variable is empty, prints the name and returns false. Not thread-safe.
inline bool is_chosen(const std::string& name) {
  static bool has_run = false;
  const char* variable = std::getenv("HARDMETER_BENCHMARK");
  const std::string choice = variable == nullptr ? "" : variable;
  if (choice.empty()) std::printf("hardmeter benchmark: %s\n", name.c_str());
  if (has_run || choice.empty() || choice != name) return false;
  return has_run = true;
}

}  // namespace hardmeter

#endif
