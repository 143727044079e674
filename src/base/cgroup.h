// SPDX-License-Identifier: MIT
// Control groups and their folders in the file system (cgroups(7)).
#pragma once

#include <sys/types.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hm {

// Mount points of the hierarchies: version 2 alone, version 2 beside version 1, and version 1's controller
// perf_event.
inline constexpr std::array<std::string_view, 3> kCgroupRoots = {"/sys/fs/cgroup/", "/sys/fs/cgroup/unified/",
                                                                 "/sys/fs/cgroup/perf_event/"};

// Returns the folder of a control group below `root`, one of kCgroupRoots. If `name` is an absolute path,
// returns `name`.
[[nodiscard]] std::string cgroup_folder(std::string_view root, const std::string& name);

// Returns the processes in a control group and in its descendants, sorted by process ID. Fails with kNotFound
// if there is no control group of that name.
[[nodiscard]] Result<std::vector<pid_t>> processes_in_cgroup(const std::string& name);

// Parses the text of /proc/PID/cgroup. Returns the path in the version 2 hierarchy, else the path in
// systemd's hierarchy, or "/" if the process is in the root of both.
[[nodiscard]] std::string cgroup_in(std::string_view proc_cgroup);

struct Container {
  std::string_view runtime;  // "docker", "containerd", "cri-o", "podman"; empty if unknown
  std::string_view id;       // 64 hex digits
};
// Recognizes a container's control group by its folder name: "docker-ID.scope" under systemd, else "ID".
[[nodiscard]] std::optional<Container> container_in(std::string_view folder_name);
// Returns the innermost container around the control group at a path, which may be a group in the container.
[[nodiscard]] std::optional<Container> innermost_container(std::string_view path);
inline constexpr size_t kShownOfContainerId = 12;  // digits, as many as docker ps shows

// Returns the error for a control group that cannot be opened; `error` is an errno value.
[[nodiscard]] Error no_such_cgroup(const std::string& name, int error);

}  // namespace hm
