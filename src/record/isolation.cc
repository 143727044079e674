// SPDX-License-Identifier: MIT
#include "record/isolation.h"

#include <utility>

#include "record/run_description.h"

namespace hm::record {
namespace {

constexpr const char* kIsolation = "isolation";

// Returns the numbers of an object by name.
std::map<std::string, uint64_t> numbers_in(const nlohmann::json& json, const char* key) {
  std::map<std::string, uint64_t> numbers;
  auto found = json.find(key);
  if (found == json.end() || !found->is_object()) return numbers;
  for (const auto& [name, number] : found->items()) {
    if (number.is_number_unsigned()) numbers[name] = number.get<uint64_t>();
  }
  return numbers;
}

}  // namespace

std::string with_isolation(const std::string& run, const IsolatedProcesses& processes) {
  nlohmann::json list = nlohmann::json::array();
  for (const auto& [isolation, pids] : processes) {
    list.push_back({{"cgroup", isolation.cgroup},
                    {"container", isolation.container},
                    {"namespaces", isolation.namespaces},
                    {"pids", pids}});
  }
  return with_list(run, kIsolation, std::move(list));
}

IsolatedProcesses isolated_processes(const Features& features) {
  IsolatedProcesses processes;
  nlohmann::json run = run_description(features);
  for (const nlohmann::json& each : list_in(run, kIsolation)) {
    if (!each.is_object()) continue;
    Isolation isolation{text_in(each, "cgroup"), text_in(each, "container"), numbers_in(each, "namespaces")};
    for (const nlohmann::json& pid : list_in(each, "pids")) {
      if (pid.is_number_unsigned() && pid.get<uint64_t>() <= UINT32_MAX)
        processes[isolation].push_back(pid.get<uint32_t>());
    }
  }
  return processes;
}

}  // namespace hm::record
