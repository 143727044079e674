// SPDX-License-Identifier: MIT
#include "rdt/filesystem/schemata.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <optional>
#include <sstream>

namespace hm::resctrl_filesystem {
namespace {

constexpr int kMinWays = 1;

std::optional<uint32_t> number_of(std::string_view text, int base) {
  uint32_t number = 0;
  if (base == 16 && text.starts_with("0x")) text.remove_prefix(2);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number, base);
  bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(number) : std::nullopt;
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](char c) { return c == ' ' || c == '\t'; });
  return text;
}

// Returns "" if a group can have these ways, else the kernel's message.
std::string fault_of_ways(uint32_t ways, const Processor& processor) {
  if (ways == 0 || ways >> processor.ways != 0) return "Mask out of range\n";
  uint32_t from_first = ways >> std::countr_zero(ways);
  if ((from_first & (from_first + 1)) != 0)
    return fmt::format("The mask {:x} has non-consecutive 1-bits\n", ways);
  if (std::popcount(ways) < kMinWays) return fmt::format("Need at least {} bits in the mask\n", kMinWays);
  return {};
}

// Parses "0=ff" into `ways_of`.
std::string take_domain(const std::string& word, const std::vector<uint32_t>& domains,
                        const Processor& processor, std::map<uint32_t, uint32_t>& ways_of) {
  size_t equals = word.find('=');
  std::optional<uint32_t> domain = number_of(std::string_view(word).substr(0, equals), 10);
  if (equals == word.npos || !domain) return "Missing '=' or non-numeric domain\n";
  if (std::ranges::find(domains, *domain) == domains.end())
    return fmt::format("Unknown domain {}\n", *domain);
  std::string mask = word.substr(equals + 1);
  std::optional<uint32_t> ways = number_of(mask, 16);
  if (!ways) return fmt::format("Non-hex character in the mask {}\n", mask);
  if (std::string fault = fault_of_ways(*ways, processor); !fault.empty()) return fault;
  if (!ways_of.try_emplace(*domain, *ways).second) return fmt::format("Duplicate domain {}\n", *domain);
  return {};
}

std::string take_line(const std::string& line, const std::vector<uint32_t>& domains,
                      const Processor& processor, std::map<uint32_t, uint32_t>& ways_of) {
  size_t colon = line.find(':');
  if (colon == line.npos) return "Missing ':'\n";
  std::string resource = line.substr(0, colon);
  if (resource != "L3") return fmt::format("Unknown or unsupported resource name '{}'\n", resource);
  std::istringstream words(line.substr(colon + 1));
  for (std::string word; std::getline(words, word, ';');) {
    if (std::string fault = take_domain(word, domains, processor, ways_of); !fault.empty()) return fault;
  }
  return {};
}

template <typename Text>
std::string text_of_domains(const Group& group, const std::vector<uint32_t>& domains, Text&& text) {
  std::string line = "L3:";
  for (uint32_t domain : domains)
    line +=
        fmt::format("{}{}={}", domain == domains.front() ? "" : ";", domain, text(group.ways_of.at(domain)));
  return line + '\n';
}

}  // namespace

std::string schemata_text(const Group& group, const std::vector<uint32_t>& domains,
                          const Processor& processor) {
  unsigned digits = (processor.ways + 3) / 4;
  return text_of_domains(group, domains, [&](uint32_t ways) { return fmt::format("{:0{}x}", ways, digits); });
}

std::string size_text(const Group& group, const std::vector<uint32_t>& domains, const Processor& processor) {
  return text_of_domains(group, domains, [&](uint32_t ways) {
    return fmt::format("{}", processor.cache_bytes / processor.ways * std::popcount(ways));
  });
}

int set_schemata(Group& group, const std::string& text, const std::vector<uint32_t>& domains,
                 const Processor& processor, std::string& status) {
  if (!text.ends_with('\n')) return -EINVAL;
  std::map<uint32_t, uint32_t> ways_of;
  std::string fault;
  std::istringstream lines(without_blanks(text));
  for (std::string line; fault.empty() && std::getline(lines, line);)
    fault = take_line(line, domains, processor, ways_of);
  if (!fault.empty()) {
    status = fault;
    return -EINVAL;
  }
  for (const auto& [domain, ways] : ways_of) group.ways_of[domain] = ways;
  return 0;
}

}  // namespace hm::resctrl_filesystem
