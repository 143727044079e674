// SPDX-License-Identifier: MIT
#include "expectations.h"

#include <fstream>

namespace hm::soft_pmu_test {
namespace {

Expectation expectation_of(const std::string& line) {
  size_t remark = line.find("  ", line.find_first_not_of("/ "));
  Words words = words_of(line.substr(0, remark));  // "//", "expect", event, count, "at", labels
  Expectation expectation{words.at(2), std::stoull(words.at(3)), {}};
  if (words.size() > 4 && words[4] == "at") expectation.labels.assign(words.begin() + 5, words.end());
  return expectation;
}

}  // namespace

ProgramComment read_comment(const std::string& source_path) {
  ProgramComment comment;
  std::ifstream file(source_path);
  for (std::string line; std::getline(file, line);) {
    Words words = words_of(line);
    if (words.size() < 2 || words[0] != "//") continue;
    Words rest(words.begin() + 2, words.end());
    if (words[1] == "needs") comment.needs = rest;
    if (words[1] == "engine") comment.engine = rest.at(0);
    if (words[1] == "machine") comment.cases.push_back({rest, 7, {}});
    if (words[1] == "every") comment.cases.at(comment.cases.size() - 1).period = std::stoull(rest.at(0));
    if (words[1] == "expect")
      comment.cases.at(comment.cases.size() - 1).expectations.push_back(expectation_of(line));
  }
  return comment;
}

}  // namespace hm::soft_pmu_test
