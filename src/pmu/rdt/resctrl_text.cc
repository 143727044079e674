// SPDX-License-Identifier: MIT
#include <dirent.h>

#include <algorithm>
#include <charconv>
#include <memory>

#include "pmu/rdt/resctrl.h"

namespace hm::rdt {
namespace {

// More CPUs than Linux supports (CONFIG_NR_CPUS).
constexpr uint64_t kMaxCpus = 1 << 16;

bool is_folder(const std::string& parent, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
  std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir((parent + '/' + entry.d_name).c_str()), ::closedir);
  return folder != nullptr;
}

}  // namespace

std::optional<uint64_t> parse_number(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  uint64_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool whole = error == std::errc() && end == text.data() + text.size();
  return whole ? std::optional(value) : std::nullopt;
}

std::optional<std::vector<uint32_t>> parse_cpu_list(std::string_view text) {
  while (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  std::vector<uint32_t> cpus;
  while (!text.empty()) {
    std::string_view range = text.substr(0, text.find(','));
    text.remove_prefix(std::min(range.size() + 1, text.size()));
    size_t dash = range.find('-');
    std::optional<uint64_t> first = parse_number(range.substr(0, dash));
    std::optional<uint64_t> last = dash == range.npos ? first : parse_number(range.substr(dash + 1));
    if (!first || !last || *last >= kMaxCpus) return std::nullopt;
    for (uint64_t cpu = *first; cpu <= *last; ++cpu) cpus.push_back(static_cast<uint32_t>(cpu));
  }
  return cpus;
}

std::vector<std::string> folders_in(const std::string& path) {
  std::vector<std::string> names;
  std::unique_ptr<DIR, int (*)(DIR*)> folder(::opendir(path.c_str()), ::closedir);
  if (folder == nullptr) return names;
  while (const dirent* entry = ::readdir(folder.get())) {
    std::string_view name = entry->d_name;
    if (name != "." && name != ".." && is_folder(path, *entry)) names.emplace_back(name);
  }
  std::ranges::sort(names);
  return names;
}

std::optional<uint32_t> l3_domain_of(std::string_view folder_name) {
  constexpr std::string_view kPrefix = "mon_L3_";
  if (!folder_name.starts_with(kPrefix)) return std::nullopt;
  std::optional<uint64_t> number = parse_number(folder_name.substr(kPrefix.size()));
  return number && *number <= UINT32_MAX ? std::optional(static_cast<uint32_t>(*number)) : std::nullopt;
}

}  // namespace hm::rdt
