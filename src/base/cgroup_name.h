// SPDX-License-Identifier: MIT
#pragma once

#include <string>

namespace hm {

// Returns the common name of a control group: "docker 0123456789ab" for "/system.slice/docker-0123...scope".
// Supports containerd, CRI-O, podman, Kubernetes and systemd's units. Returns other paths unchanged.
[[nodiscard]] std::string cgroup_name(const std::string& path);

}  // namespace hm
