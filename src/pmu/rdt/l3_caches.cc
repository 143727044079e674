// SPDX-License-Identifier: MIT
#include "pmu/rdt/l3_caches.h"

#include <fmt/core.h>

#include <map>
#include <optional>

#include "base/byte_size.h"
#include "base/text_file.h"
#include "pmu/rdt/resctrl.h"

namespace hm::rdt {
namespace {

bool is_name_of_cpu(const std::string& name) {
  return name.starts_with("cpu") && parse_number(std::string_view(name).substr(3));
}

}  // namespace

std::vector<Domain> l3_caches(const std::string& cpus) {
  std::map<uint32_t, uint64_t> bytes_of;
  for (const std::string& name : folders_in(cpus)) {
    if (!is_name_of_cpu(name)) continue;
    std::string cache = fmt::format("{}/{}/cache/index3", cpus, name);
    std::optional<uint64_t> id = parse_number(read_text(cache + "/id").value_or(""));
    if (!id || *id > UINT32_MAX) continue;
    std::string size = read_text(cache + "/size").value_or("");
    bytes_of[static_cast<uint32_t>(*id)] = parse_byte_size(size.substr(0, size.find('\n'))).value_or(0);
  }
  std::vector<Domain> caches;
  caches.reserve(bytes_of.size());
  for (const auto& [id, bytes] : bytes_of) caches.push_back({id, bytes});
  return caches;
}

}  // namespace hm::rdt
