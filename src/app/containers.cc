// SPDX-License-Identifier: MIT
#include "app/containers.h"

#include <fmt/format.h>

#include <filesystem>

#include "base/json.h"
#include "base/take_until.h"
#include "base/text_file.h"

namespace hm::app {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLongestName = 200;  // labels may hold any text

// Returns the text at a JSON pointer, empty if there is none.
std::string text_at(const nlohmann::json& json, const nlohmann::json::json_pointer& place) {
  return json.contains(place) && json[place].is_string() ? json[place].get<std::string>() : std::string();
}

std::string label(const nlohmann::json& container, const std::string& name) {
  return text_at(container, nlohmann::json::json_pointer("/Config/Labels") / name);
}

}  // namespace

const std::string& Containers::name(std::string_view id) {
  auto [found, is_new] = known_.try_emplace(std::string(id));
  if (!is_new) return found->second;
  std::string name = find(found->first);
  if (name.size() <= kLongestName) found->second = std::move(name);
  return found->second;
}

std::string Containers::find(const std::string& id) {
  if (!kubernetes_) kubernetes_ = kubernetes();
  if (auto found = kubernetes_->find(id); found != kubernetes_->end()) return found->second;
  if (std::string name = docker(id); !name.empty()) return name;
  if (!podman_) podman_ = podman();
  auto found = podman_->find(id);
  return found != podman_->end() ? found->second : std::string();
}

// The kubelet creates a link for each container: "POD_NAMESPACE_CONTAINER-ID.log". The names contain no "_".
Containers::Names Containers::kubernetes() const {
  constexpr std::string_view kEnd = ".log";
  Names names;
  std::error_code error;
  for (fs::directory_iterator each(root_ + "/var/log/containers", error), end; !error && each != end;
       each.increment(error)) {
    std::string file = each->path().filename().string();
    std::string_view rest = file;
    take_until(rest, '_');
    std::string_view name_space = take_until(rest, '_');
    size_t dash = rest.rfind('-');
    if (name_space.empty() || dash == std::string_view::npos || !rest.ends_with(kEnd)) continue;
    std::string_view id = rest.substr(dash + 1, rest.size() - dash - 1 - kEnd.size());
    names[std::string(id)] = fmt::format("{}/{}", name_space, rest.substr(0, dash));
  }
  return names;
}

std::string Containers::docker(const std::string& id) const {
  std::string file = fmt::format("{}/var/lib/docker/containers/{}/config.v2.json", root_, id);
  nlohmann::json container = parse_json(read_text(file).value_or(""));
  std::string project = label(container, "com.docker.compose.project"),
              service = label(container, "com.docker.compose.service");
  if (!service.empty()) return project.empty() ? service : fmt::format("{}/{}", project, service);
  if (std::string swarms = label(container, "com.docker.swarm.service.name"); !swarms.empty()) return swarms;
  std::string name = text_at(container, nlohmann::json::json_pointer("/Name"));
  return name.starts_with('/') ? name.substr(1) : name;
}

// Reads containers/storage's list of containers with their IDs and names.
Containers::Names Containers::podman() const {
  Names names;
  std::string file = root_ + "/var/lib/containers/storage/overlay-containers/containers.json";
  nlohmann::json all = parse_json(read_text(file).value_or(""));
  if (!all.is_array()) return names;
  for (const nlohmann::json& each : all) {
    std::string id = text_at(each, nlohmann::json::json_pointer("/id")),
                name = text_at(each, nlohmann::json::json_pointer("/names/0"));
    if (!id.empty()) names[id] = name;
  }
  return names;
}

}  // namespace hm::app
