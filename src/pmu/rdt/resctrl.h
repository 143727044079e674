// SPDX-License-Identifier: MIT
// The kernel's resctrl file system: how much of the last-level caches, and of the memory's bandwidth, groups
// of threads and of CPUs hold (Documentation/arch/x86/resctrl.rst in the Linux source; Intel CMT and MBM, AMD
// PQoS, Arm MPAM).
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

// Where resctrl is mounted: HARDMETER_RESCTRL says, else where it usually is. A program that has more rights
// than who started it does not ask the environment.
[[nodiscard]] std::string resctrl_root();

// Where the system keeps what is needed; a test has its own.
struct ResctrlPlaces {
  std::string root = resctrl_root();
  std::string cpus = "/sys/devices/system/cpu";
  std::string proc = "/proc";
};

// What the processor can monitor.
struct Monitoring {
  uint32_t ids = 0;  // RMIDs: so many groups at a time, the root's among them
  bool occupancy = false;
  bool total_bandwidth = false, local_bandwidth = false;

  bool operator==(const Monitoring&) const = default;
};

// A group that is there. Paths are below the root: "", "mon_groups/NAME", "CONTROL",
// "CONTROL/mon_groups/NAME".
struct GroupFolder {
  std::string path;
  std::string control;      // the control group that it is in, or itself
  bool is_monitor = false;  // only monitored; else it has a share of the cache of its own, too

  bool operator==(const GroupFolder&) const = default;
};

class Resctrl {
 public:
  // Where it is not at `places.root` but mounted at another place (/proc/mounts), it is used there. kNotFound
  // where it is mounted nowhere or monitors no cache; kPermission where no group can be made. Makes none.
  [[nodiscard]] static Result<Resctrl> open(const ResctrlPlaces& places = {});

  [[nodiscard]] const std::string& root() const { return root_; }
  [[nodiscard]] const Monitoring& monitoring() const { return monitoring_; }
  [[nodiscard]] std::string whole_path(const std::string& group) const;

  // All that are there now, whoever made them; the root's first.
  [[nodiscard]] std::vector<GroupFolder> groups() const;
  // Of a control group also those of its monitor groups. Empty where the group is no more.
  [[nodiscard]] std::vector<pid_t> threads(const std::string& group) const;
  [[nodiscard]] std::vector<uint32_t> cpus(const std::string& group) const;

  // In a control group ("": the root's).
  [[nodiscard]] Result<OwnedFolder> make_monitor_group(const std::string& control = "") const;

  // Removes the groups of processes of this tool that are no more; how many.
  size_t remove_leftovers() const;

 private:
  Resctrl(std::string root, const Monitoring& monitoring) : root_(std::move(root)), monitoring_(monitoring) {}

  std::string root_;
  Monitoring monitoring_;
};

// What the files of resctrl and of /sys hold: "4096\n"; and "0-2,5\n". nullopt for what is neither, such as
// "Unavailable".
[[nodiscard]] std::optional<uint64_t> parse_number(std::string_view text);
[[nodiscard]] std::optional<std::vector<uint32_t>> parse_cpu_list(std::string_view text);

[[nodiscard]] std::vector<std::string> folders_in(const std::string& path);
// The number of the folder "mon_L3_00" of a group's mon_data; nullopt for other resources.
[[nodiscard]] std::optional<uint32_t> l3_domain_of(std::string_view folder_name);

}  // namespace hm::rdt
