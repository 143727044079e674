// SPDX-License-Identifier: MIT
#include "rdt/filesystem/counters.h"

#include <cstring>
#include <fstream>
#include <optional>
#include <sstream>

namespace hm::resctrl_filesystem {
namespace {

bool same_file(const struct stat& a, const struct stat& b) {
  return a.st_ino == b.st_ino && a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == text.npos;
}

}  // namespace

void Counters::take_line(const std::string& line) {
  std::istringstream words(line);
  std::string first, domain, counter, text;
  words >> first;
  if (first == "limbo") {
    words >> limbo_;
  } else if (first == "offline") {
    uint32_t number = 0;
    if (words >> number) offline_.insert(number);
  } else if (first == "rate") {
    double bytes = 0;
    if (words >> first >> domain >> counter >> bytes)
      values_[first + ' ' + domain + ' ' + counter].bytes_each_second = bytes;
  } else if (words >> domain >> counter >> text) {
    values_[first + ' ' + domain + ' ' + counter].text = text;
  }
}

void Counters::look() {
  struct stat found = {};
  if (::stat(file_.c_str(), &found) != 0 || same_file(found, seen_)) return;
  seen_ = found;
  values_.clear();
  limbo_ = 0;
  offline_.clear();
  std::ifstream lines(file_);
  for (std::string line; std::getline(lines, line);) take_line(line);
}

const Counters::Value* Counters::value_of(const Group& group, const std::string& domain_and_counter) const {
  auto found = values_.find((group.path.empty() ? "-" : group.path) + domain_and_counter);
  if (found == values_.end() && !group.is_control()) found = values_.find("*" + domain_and_counter);
  return found == values_.end() ? nullptr : &found->second;
}

std::string Counters::text(Groups& groups, const Group& group, uint32_t domain, const std::string& counter) {
  look();
  std::string name = ' ' + std::to_string(domain) + ' ' + counter;
  std::optional<uint64_t> sum;
  std::string failure;
  const auto add = [&](const Group& one) {
    static const Value kNone;
    const Value* found = value_of(one, name);
    const Value& value = found == nullptr ? kNone : *found;
    if (!is_number(value.text)) {
      if (failure.empty()) failure = value.text;
      return;
    }
    std::chrono::duration<double> age = std::chrono::steady_clock::now() - one.made;
    sum = sum.value_or(0) + std::stoull(value.text) +
          static_cast<uint64_t>(value.bytes_each_second * age.count());
  };
  add(group);
  if (group.is_control()) {
    for (const Group* monitor : groups.monitors_of(group.id)) add(*monitor);
  }
  return (sum ? std::to_string(*sum) : failure) + '\n';
}

size_t Counters::ids_in_limbo() {
  look();
  return limbo_;
}

bool Counters::is_online(uint32_t domain) {
  look();
  return !offline_.contains(domain);
}

}  // namespace hm::resctrl_filesystem
