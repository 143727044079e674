// SPDX-License-Identifier: MIT
#include "pmu/rdt/resctrl.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>

#include "base/text_file.h"

namespace hm::rdt {
namespace {

constexpr std::string_view kMonitorGroups = "mon_groups";

std::string below(const std::string& folder, std::string_view name) {
  return folder.empty() ? std::string(name) : folder + '/' + std::string(name);
}

bool is_resctrl(const std::string& folder) { return ::access((folder + "/tasks").c_str(), F_OK) == 0; }

// Returns the first mount point of type "resctrl". A line is "DEVICE PLACE TYPE ...".
std::optional<std::string> place_of_mount(const std::string& proc) {
  std::istringstream lines(read_text(proc + "/mounts").value_or(""));
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string device, place, type;
    if (words >> device >> place >> type && type == "resctrl" && is_resctrl(place)) return place;
  }
  return std::nullopt;
}

// True if the kernel lists the file system, as it does if the processor supports control or monitoring.
bool kernel_has_resctrl(const std::string& proc) {
  std::istringstream words(read_text(proc + "/filesystems").value_or(""));
  for (std::string word; words >> word;) {
    if (word == "resctrl") return true;
  }
  return false;
}

Error not_mounted(const ResctrlPlaces& places) {
  if (kernel_has_resctrl(places.proc))
    return make_error(ErrorCode::kNotFound,
                      "resctrl is not mounted at {0}: as root, mount -t resctrl resctrl {0}", places.root);
  return make_error(
      ErrorCode::kNotFound,
      "resctrl is not at {}, and the kernel does not have that file system here: it needs a processor that monitors its caches (Intel RDT, AMD PQoS) outside a virtual machine, and a kernel with CONFIG_X86_CPU_RESCTRL",
      places.root);
}

// Tries to make a group, because permissions, a read-only mount or a container's rules may prevent it. The
// name contains a newline, which the kernel rejects with EINVAL, so no group is created.
Status try_to_make_group(const std::string& root) {
  std::string parent = root + '/' + std::string(kMonitorGroups), impossible = parent + "/hardmeter\n";
  if (::mkdir(impossible.c_str(), 0755) == 0) {
    ::rmdir(impossible.c_str());
    return {};
  }
  if (errno == EINVAL) return {};
  return cannot_make_group(parent, errno);
}

Monitoring monitoring_from(const std::string& root, const std::string& features) {
  Monitoring monitoring;
  std::istringstream words(features);
  for (std::string word; words >> word;) {
    monitoring.occupancy |= word == "llc_occupancy";
    monitoring.total_bandwidth |= word == "mbm_total_bytes";
    monitoring.local_bandwidth |= word == "mbm_local_bytes";
  }
  std::optional<uint64_t> ids = parse_number(read_text(root + "/info/L3_MON/num_rmids").value_or(""));
  monitoring.ids = static_cast<uint32_t>(ids.value_or(0));
  return monitoring;
}

}  // namespace

std::string resctrl_root() {
  const char* wanted = ::secure_getenv("HARDMETER_RESCTRL");
  return wanted == nullptr || *wanted == '\0' ? "/sys/fs/resctrl" : wanted;
}

Result<Resctrl> Resctrl::open(const ResctrlPlaces& places) {
  std::string root = places.root;
  if (!is_resctrl(root)) {
    if (errno == EACCES)
      return make_error(ErrorCode::kPermission, "cannot read {}: {}; run as root", root, errno_text(EACCES));
    std::optional<std::string> mounted = place_of_mount(places.proc);
    if (!mounted) return not_mounted(places);
    root = *mounted;
  }
  std::optional<std::string> features = read_text(root + "/info/L3_MON/mon_features");
  if (!features)
    return make_error(ErrorCode::kNotFound,
                      "resctrl is mounted at {}, but the processor monitors no cache: {} does not exist",
                      root, "info/L3_MON");
  Status made = try_to_make_group(root);
  if (!made.ok()) return made.error();
  return Resctrl(root, monitoring_from(root, *features));
}

std::string Resctrl::whole_path(const std::string& group) const {
  return group.empty() ? root_ : root_ + '/' + group;
}

std::vector<GroupFolder> Resctrl::groups() const {
  std::vector<GroupFolder> all;
  const auto add_with_monitors = [&](const std::string& control) {
    all.push_back({control, control, false});
    std::string monitors = below(control, kMonitorGroups);
    for (const std::string& name : folders_in(whole_path(monitors)))
      all.push_back({below(monitors, name), control, true});
  };
  add_with_monitors("");
  for (const std::string& name : folders_in(root_)) {
    if (name != "info" && name != "mon_data" && name != kMonitorGroups) add_with_monitors(name);
  }
  return all;
}

std::vector<pid_t> Resctrl::threads(const std::string& group) const {
  std::vector<pid_t> threads;
  std::istringstream lines(read_text(whole_path(group) + "/tasks").value_or(""));
  for (pid_t thread = 0; lines >> thread;) threads.push_back(thread);
  return threads;
}

std::vector<uint32_t> Resctrl::cpus(const std::string& group) const {
  std::optional<std::string> text = read_text(whole_path(group) + "/cpus_list");
  return parse_cpu_list(text.value_or("")).value_or(std::vector<uint32_t>{});
}

Result<OwnedFolder> Resctrl::make_monitor_group(const std::string& control) const {
  return OwnedFolder::make(whole_path(below(control, kMonitorGroups)));
}

size_t Resctrl::remove_leftovers() const {
  size_t removed = 0;
  for (const GroupFolder& group : groups()) {
    std::string_view name = std::string_view(group.path).substr(group.path.rfind('/') + 1);
    if (has_name_of_ours(name) && remove_leftover(whole_path(group.path))) ++removed;
  }
  return removed;
}

}  // namespace hm::rdt
