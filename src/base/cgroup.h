// SPDX-License-Identifier: MIT
// Control groups, by their folders (cgroups(7)).
#pragma once

#include <sys/types.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hm {

// Where they are mounted: version 2 (alone, and beside version 1), and version 1's controller perf_event.
inline constexpr std::array<std::string_view, 3> kCgroupRoots = {"/sys/fs/cgroup/", "/sys/fs/cgroup/unified/",
                                                                 "/sys/fs/cgroup/perf_event/"};

// The folder of a control group below one of these; `name` may be a whole path.
[[nodiscard]] std::string cgroup_folder(std::string_view root, const std::string& name);

// The processes in a control group and in those below it, by number. kNotFound: there is none of that name.
[[nodiscard]] Result<std::vector<pid_t>> processes_in_cgroup(const std::string& name);

// The path in the text of /proc/PID/cgroup: that of version 2's hierarchy, else systemd's; "/" where both are
// the root.
[[nodiscard]] std::string cgroup_in(std::string_view proc_cgroup);

struct Container {
  std::string_view runtime;  // "docker", "containerd", "cri-o", "podman"; empty where the name does not say
  std::string_view id;       // 64 hex digits
};
// A control group that is a container's, by its folder's name: "docker-ID.scope" under systemd, else "ID".
[[nodiscard]] std::optional<Container> container_in(std::string_view folder_name);
inline constexpr size_t kShownOfContainerId = 12;  // digits, as docker ps shows it

// Of one that nobody can open; `error` is an errno.
[[nodiscard]] Error no_such_cgroup(const std::string& name, int error);

}  // namespace hm
