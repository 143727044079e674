// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

#include "app/llc/row_sources.h"

namespace hm::llc {
namespace {

constexpr size_t kShownDigits = 12;  // of a container's id, as docker ps shows it

struct Runtime {
  std::string_view prefix;  // of a scope's name under systemd
  std::string_view name;
};
constexpr std::array kRuntimes{Runtime{"docker-", "docker"}, Runtime{"cri-containerd-", "containerd"},
                               Runtime{"crio-", "cri-o"}, Runtime{"libpod-", "podman"}};

bool is_container_id(std::string_view text) {
  return text.size() == 64 &&
         std::ranges::all_of(text, [](unsigned char each) { return std::isxdigit(each); });
}

std::string_view without(std::string_view text, std::string_view suffix) {
  return text.ends_with(suffix) ? text.substr(0, text.size() - suffix.size()) : text;
}

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// "docker 0123456789ab"; empty where the folder is no container's. Without systemd it is named by the id
// alone, in a folder that names who made it.
std::string container_in(std::string_view path) {
  std::string_view name = without(last_part(path), ".scope");
  for (const Runtime& each : kRuntimes) {
    if (name.starts_with(each.prefix) && is_container_id(name.substr(each.prefix.size())))
      return fmt::format("{} {}", each.name, name.substr(each.prefix.size(), kShownDigits));
  }
  if (!is_container_id(name)) return {};
  std::string_view above = last_part(path.substr(0, path.size() - last_part(path).size() - 1));
  std::string_view maker = above == "docker" ? "docker" : "container";
  return fmt::format("{} {}", maker, name.substr(0, kShownDigits));
}

// Kubernetes' pod: ".../kubepods-burstable-pod01234567_89ab_....slice/..." or
// ".../kubepods/burstable/pod0123...".
std::string pod_in(std::string_view path) {
  if (path.find("kubepods") == std::string_view::npos) return {};
  size_t at = path.rfind("pod");
  for (; at != std::string_view::npos && at != 0; at = path.rfind("pod", at - 1)) {
    std::string_view rest = path.substr(at + 3);
    bool begins_word = path[at - 1] == '-' || path[at - 1] == '/';
    if (!begins_word || rest.empty() || !std::isxdigit(static_cast<unsigned char>(rest[0]))) continue;
    std::string uid(rest.substr(0, std::min(rest.find('/'), rest.find(".slice"))));
    std::ranges::replace(uid, '_', '-');
    return fmt::format("pod {}", uid);
  }
  return {};
}

}  // namespace

std::string cgroup_name(const std::string& path) {
  std::string container = container_in(path), pod = pod_in(path);
  if (!pod.empty()) return container.empty() ? pod : fmt::format("{}, {}", pod, container);
  if (!container.empty()) return container;
  std::string_view last = last_part(path);
  bool is_unit = last.ends_with(".service") || last.ends_with(".scope") || last.ends_with(".slice");
  return is_unit ? std::string(last) : path;
}

}  // namespace hm::llc
