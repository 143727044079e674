// SPDX-License-Identifier: MIT
// For tests: runs perf and other commands.
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace hm::record::example {

struct Outcome {
  int status = -1;
  std::string text;  // standard output and error together
};

inline Outcome run(const std::string& command) {
  Outcome outcome;
  std::FILE* pipe = ::popen((command + " 2>&1 < /dev/null").c_str(), "r");
  if (pipe == nullptr) return outcome;
  std::array<char, 4096> buffer{};
  while (size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
    outcome.text.append(buffer.data(), got);
  outcome.status = ::pclose(pipe);
  return outcome;
}

inline size_t occurrences(const std::string& text, const std::string& word) {
  size_t count = 0;
  for (size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) ++count;
  return count;
}

inline bool has_perf() { return run("perf --version").status == 0; }

}  // namespace hm::record::example
