// SPDX-License-Identifier: MIT
// The kernel's resctrl file system: the use of last-level caches and of memory bandwidth by groups of threads
// and CPUs (Documentation/arch/x86/resctrl.rst in the Linux source; Intel CMT and MBM, AMD PQoS, Arm MPAM).
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "pmu/rdt/owned_folder.h"

namespace hm::rdt {

// Returns the mount point of resctrl: HARDMETER_RESCTRL, or the usual one. A program with more rights than
// its caller ignores the environment.
[[nodiscard]] std::string resctrl_root();

// The folders that are read; tests replace them.
struct ResctrlPlaces {
  std::string root = resctrl_root();
  std::string cpus = "/sys/devices/system/cpu";
  std::string proc = "/proc";
};

// The processor's monitoring capabilities.
struct Monitoring {
  uint32_t ids = 0;  // RMIDs: maximum number of groups at a time, including the root
  bool occupancy = false;
  bool total_bandwidth = false, local_bandwidth = false;

  bool operator==(const Monitoring&) const = default;
};

// An existing group. Paths are below the root: "", "mon_groups/NAME", "CONTROL", "CONTROL/mon_groups/NAME".
struct GroupFolder {
  std::string path;
  std::string control;      // the group's control group, or the group itself
  bool is_monitor = false;  // otherwise a control group, which also has its own share of the cache

  bool operator==(const GroupFolder&) const = default;
};

class Resctrl {
 public:
  // Opens resctrl at `places.root`, or at its mount point in /proc/mounts. Fails with kNotFound if it is not
  // mounted or cannot monitor caches, and with kPermission if no group can be made. Makes no group.
  [[nodiscard]] static Result<Resctrl> open(const ResctrlPlaces& places = {});

  [[nodiscard]] const std::string& root() const { return root_; }
  [[nodiscard]] const Monitoring& monitoring() const { return monitoring_; }
  [[nodiscard]] std::string whole_path(const std::string& group) const;

  // Returns all existing groups, including those of other programs; the root's first.
  [[nodiscard]] std::vector<GroupFolder> groups() const;
  // For a control group, includes the threads of its monitor groups. Empty if the group no longer exists.
  [[nodiscard]] std::vector<pid_t> threads(const std::string& group) const;
  [[nodiscard]] std::vector<uint32_t> cpus(const std::string& group) const;

  // Makes a monitor group in a control group ("": the root's).
  [[nodiscard]] Result<OwnedFolder> make_monitor_group(const std::string& control = "") const;

  // Removes the groups of this tool's processes that no longer exist. Returns the number removed.
  size_t remove_leftovers() const;

 private:
  Resctrl(std::string root, const Monitoring& monitoring) : root_(std::move(root)), monitoring_(monitoring) {}

  std::string root_;
  Monitoring monitoring_;
};

// Parse the text of files of resctrl and /sys: "4096\n", and "0-2,5\n". Return nullopt for any other text,
// such as "Unavailable".
[[nodiscard]] std::optional<uint64_t> parse_number(std::string_view text);
[[nodiscard]] std::optional<std::vector<uint32_t>> parse_cpu_list(std::string_view text);

[[nodiscard]] std::vector<std::string> folders_in(const std::string& path);
// Returns the number in the name of a mon_data folder such as "mon_L3_00"; nullopt for other resources.
[[nodiscard]] std::optional<uint32_t> l3_domain_of(std::string_view folder_name);

}  // namespace hm::rdt
