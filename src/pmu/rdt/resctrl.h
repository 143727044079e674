// SPDX-License-Identifier: MIT
// The kernel's resctrl file system: occupancy of the last-level caches and use of memory bandwidth by groups
// of threads and CPUs (Documentation/arch/x86/resctrl.rst in the Linux source; Intel CMT and MBM, AMD PQoS,
// Arm MPAM).
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

// Returns the mount point of resctrl: HARDMETER_RESCTRL if set, otherwise the usual one. A program with more
// rights than its caller ignores the environment.
[[nodiscard]] std::string resctrl_root();

// System paths; tests use their own.
struct ResctrlPlaces {
  std::string root = resctrl_root();
  std::string cpus = "/sys/devices/system/cpu";
  std::string proc = "/proc";
};

// Monitoring features of the processor.
struct Monitoring {
  uint32_t ids = 0;  // RMIDs: maximum number of groups, including the root group
  bool occupancy = false;
  bool total_bandwidth = false, local_bandwidth = false;

  bool operator==(const Monitoring&) const = default;
};

// An existing group. Paths are relative to the root: "", "mon_groups/NAME", "CONTROL",
// "CONTROL/mon_groups/NAME".
struct GroupFolder {
  std::string path;
  std::string control;      // path of its control group, or its own path
  bool is_monitor = false;  // only monitored; otherwise it also has a cache allocation

  bool operator==(const GroupFolder&) const = default;
};

class Resctrl {
 public:
  // Opens resctrl at `places.root`, or at another mount point from /proc/mounts. Fails with kNotFound if
  // resctrl is not mounted or monitors no cache, and with kPermission if no group can be made. Creates no
  // group.
  [[nodiscard]] static Result<Resctrl> open(const ResctrlPlaces& places = {});

  [[nodiscard]] const std::string& root() const { return root_; }
  [[nodiscard]] const Monitoring& monitoring() const { return monitoring_; }
  [[nodiscard]] std::string whole_path(const std::string& group) const;

  // Returns all existing groups of all programs; the root group is first.
  [[nodiscard]] std::vector<GroupFolder> groups() const;
  // A control group's threads and CPUs include those of its monitor groups. Empty if the group no longer
  // exists.
  [[nodiscard]] std::vector<pid_t> threads(const std::string& group) const;
  [[nodiscard]] std::vector<uint32_t> cpus(const std::string& group) const;

  // Creates a group in a control group ("": the root group).
  [[nodiscard]] Result<OwnedFolder> make_monitor_group(const std::string& control = "") const;

  // Removes the groups of hardmeter processes that have ended. Returns the number of removed groups.
  size_t remove_leftovers() const;

 private:
  Resctrl(std::string root, const Monitoring& monitoring) : root_(std::move(root)), monitoring_(monitoring) {}

  std::string root_;
  Monitoring monitoring_;
};

// Parse contents of files in resctrl and /sys, for example "4096\n" and "0-2,5\n". Return nullopt for other
// text, for example "Unavailable".
[[nodiscard]] std::optional<uint64_t> parse_number(std::string_view text);
[[nodiscard]] std::optional<std::vector<uint32_t>> parse_cpu_list(std::string_view text);

[[nodiscard]] std::vector<std::string> folders_in(const std::string& path);
// Returns the number in a folder name "mon_L3_00" of a group's mon_data; nullopt for other resources.
[[nodiscard]] std::optional<uint32_t> l3_domain_of(std::string_view folder_name);

}  // namespace hm::rdt
