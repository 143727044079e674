// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "rdt/filesystem/counters.h"
#include "rdt/filesystem/groups.h"
#include "rdt/filesystem/threads.h"

namespace hm::resctrl_filesystem {

// The meaning of a path below the mount point.
struct Node {
  enum class Kind {
    kNone,
    kGroup,
    kMonitors,  // "mon_groups" of a control group
    kData,      // "mon_data" of a group
    kDomain,    // "mon_L3_00" in it
    kInfo,      // a folder below "info"
    kProc,      // ".proc" and ".proc/TID", not listed
    kGroupFile,
    kCounter,
    kInfoFile,
    kProcFile,  // ".proc/TID/cpu_resctrl_groups", like the kernel's in /proc
  };

  Kind kind = Kind::kNone;
  GroupId group = 0;
  uint32_t domain = 0;
  std::string name = {};  // name of a file; for kInfo "info", "info/L3" or "info/L3_MON"; for kProcFile the
                          // thread

  [[nodiscard]] bool is_folder() const { return kind != Kind::kNone && kind < Kind::kGroupFile; }
};

// The whole file system, without FUSE. Functions return 0 or more, or the kernel's negative error number.
class Tree {
 public:
  Tree(const Processor& processor, std::string values) : groups_(processor), counters_(std::move(values)) {}

  // "" is the root.
  [[nodiscard]] Node node_at(const std::string& path);
  [[nodiscard]] std::vector<std::string> names_in(const Node& folder);
  [[nodiscard]] bool is_written(const Node& file) const;
  // Fails with -ENODEV if the file's group or domain no longer exists.
  int read(const Node& file, std::string& text);
  // `caller`: the writing process, which is "0" in lists of threads.
  int write(const Node& file, const std::string& text, pid_t caller);

  int make_folder(const std::string& path);
  int remove_folder(const std::string& path);

 private:
  [[nodiscard]] std::vector<uint32_t> domains();
  [[nodiscard]] Node node_in_group(const Group& group, const std::string& rest);
  [[nodiscard]] Node node_in_data(const Group& group, const std::string& rest);
  [[nodiscard]] std::string group_file_text(const Group& group, const std::string& name);
  [[nodiscard]] std::string info_file_text(const std::string& name);
  [[nodiscard]] std::string proc_file_text(pid_t thread);
  int write_group_file(Group& group, const std::string& name, const std::string& text, pid_t caller);
  int write_threads(const Group& group, const std::string& text, pid_t caller);
  int write_mode(const std::string& text);
  int move_thread(const Group& group, pid_t thread);

  Groups groups_;
  Threads threads_;
  Counters counters_;
  uint64_t threshold_bytes_ = 65536;
};

// Convert between CPUs 0 and 1 and the kernel's formats "3" and "0-1"; return false for other texts.
[[nodiscard]] std::string cpu_mask_text(const std::set<uint32_t>& cpus, size_t count);
[[nodiscard]] std::string cpu_list_text(const std::set<uint32_t>& cpus);
bool parse_cpu_mask(const std::string& text, std::set<uint32_t>& cpus);
bool parse_cpus_of_list(const std::string& text, std::set<uint32_t>& cpus);

}  // namespace hm::resctrl_filesystem
