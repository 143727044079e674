// SPDX-License-Identifier: MIT
#include "base/cgroup_name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "base/cgroup.h"

namespace hm {
namespace {

std::string_view last_part(std::string_view path) { return path.substr(path.rfind('/') + 1); }

// Returns "docker 0123456789ab", or an empty string if there is no container. Without systemd, the folder is
// named by the ID alone, and its parent folder by the container runtime.
std::string container_name(std::string_view path) {
  std::optional<Container> container = innermost_container(path);
  if (!container) return {};
  size_t begin = static_cast<size_t>(container->id.data() - path.data());
  std::string_view above = path.substr(0, begin == 0 ? 0 : begin - 1);
  std::string_view maker = !container->runtime.empty()    ? container->runtime
                           : last_part(above) == "docker" ? "docker"
                                                          : "container";
  return fmt::format("{} {}", maker, container->id.substr(0, kShownOfContainerId));
}

// Extracts the Kubernetes pod from ".../kubepods-burstable-pod01234567_89ab_....slice/..." or
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
  std::string container = container_name(path), pod = pod_in(path);
  if (!pod.empty()) return container.empty() ? pod : fmt::format("{}, {}", pod, container);
  if (!container.empty()) return container;
  std::string_view last = last_part(path);
  bool is_unit = last.ends_with(".service") || last.ends_with(".scope") || last.ends_with(".slice");
  return is_unit ? std::string(last) : path;
}

}  // namespace hm
