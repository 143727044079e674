// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cstdlib>
#include <sstream>

#include "pmu/rdt/resctrl.h"
#include "rdt/filesystem/tree.h"

namespace hm::resctrl_filesystem {
namespace {

constexpr uint32_t kBitsInWord = 32;

}  // namespace

std::string cpu_mask_text(const std::set<uint32_t>& cpus, size_t count) {
  std::vector<uint32_t> words((count + kBitsInWord - 1) / kBitsInWord);
  for (uint32_t cpu : cpus) words.at(cpu / kBitsInWord) |= 1U << (cpu % kBitsInWord);
  std::string text;
  for (size_t i = words.size(); i-- > 0;) {
    size_t bits = i + 1 < words.size() || count % kBitsInWord == 0 ? kBitsInWord : count % kBitsInWord;
    text += fmt::format("{}{:0{}x}", text.empty() ? "" : ",", words[i], (bits + 3) / 4);
  }
  return text + '\n';
}

std::string cpu_list_text(const std::set<uint32_t>& cpus) {
  std::string text;
  for (auto first = cpus.begin(); first != cpus.end();) {
    auto end = first;
    uint32_t last = *first;
    while (end != cpus.end() && *end - *first == static_cast<uint32_t>(std::distance(first, end)))
      last = *end++;
    text += (text.empty() ? "" : ",") + std::to_string(*first);
    if (last != *first) text += '-' + std::to_string(last);
    first = end;
  }
  return text + '\n';
}

bool parse_cpu_mask(const std::string& text, std::set<uint32_t>& cpus) {
  std::istringstream words(text.substr(0, text.find('\n')));
  std::vector<uint32_t> found;
  for (std::string word; std::getline(words, word, ',');) {
    if (word.empty() || word.find_first_not_of("0123456789abcdefABCDEF") != word.npos) return false;
    found.insert(found.begin(), static_cast<uint32_t>(std::strtoul(word.c_str(), nullptr, 16)));
  }
  for (uint32_t i = 0; i < found.size() * kBitsInWord; ++i) {
    if (found[i / kBitsInWord] >> (i % kBitsInWord) & 1) cpus.insert(i);
  }
  return true;
}

bool parse_cpus_of_list(const std::string& text, std::set<uint32_t>& cpus) {
  std::optional<std::vector<uint32_t>> found = rdt::parse_cpu_list(text);
  if (found) cpus.insert(found->begin(), found->end());
  return found.has_value();
}

}  // namespace hm::resctrl_filesystem
