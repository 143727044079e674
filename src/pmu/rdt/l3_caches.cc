// SPDX-License-Identifier: MIT
#include "pmu/rdt/l3_caches.h"

#include <map>

#include "base/byte_size.h"
#include "base/text_file.h"
#include "pmu/rdt/resctrl.h"

namespace hm::rdt {
namespace {

bool is_name_of_cpu(const std::string& name) {
  return name.starts_with("cpu") && parse_number(std::string_view(name).substr(3));
}

// Returns the folder with the files of a CPU's third-level cache.
std::string l3_folder(const std::string& cpus, const std::string& name) {
  return cpus + '/' + name + "/cache/index3";
}

std::optional<uint32_t> l3_id_in(const std::string& folder) {
  std::optional<uint64_t> id = parse_number(read_text(folder + "/id").value_or(""));
  if (!id || *id > UINT32_MAX) return std::nullopt;
  return static_cast<uint32_t>(*id);
}

}  // namespace

std::vector<Domain> l3_caches(const std::string& cpus) {
  std::map<uint32_t, uint64_t> bytes_of;
  for (const std::string& name : folders_in(cpus)) {
    if (!is_name_of_cpu(name)) continue;
    std::string cache = l3_folder(cpus, name);
    std::optional<uint32_t> id = l3_id_in(cache);
    if (!id) continue;
    std::string size = read_text(cache + "/size").value_or("");
    bytes_of[*id] = parse_byte_size(size.substr(0, size.find('\n'))).value_or(0);
  }
  std::vector<Domain> caches;
  caches.reserve(bytes_of.size());
  for (const auto& [id, bytes] : bytes_of) caches.push_back({id, bytes});
  return caches;
}

std::optional<uint32_t> l3_cache_of(uint32_t cpu, const std::string& cpus) {
  return l3_id_in(l3_folder(cpus, "cpu" + std::to_string(cpu)));
}

}  // namespace hm::rdt
