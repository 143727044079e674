// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "rdt/filesystem/counters.h"
#include "rdt/filesystem/groups.h"
#include "rdt/filesystem/threads.h"

namespace hm::resctrl_filesystem {

// What a path below the mount is.
struct Node {
  enum class Kind {
    kNone,
    kGroup,
    kMonitors,  // "mon_groups" of a control group
    kData,      // "mon_data" of a group
    kDomain,    // "mon_L3_00" in it
    kInfo,      // a folder below "info"
    kProc,      // ".proc" and ".proc/TID", in no list
    kGroupFile,
    kCounter,
    kInfoFile,
    kProcFile,  // ".proc/TID/cpu_resctrl_groups", as the kernel's /proc has
  };

  Kind kind = Kind::kNone;
  GroupId group = 0;
  uint32_t domain = 0;
  std::string name = {};  // of a file; of kInfo "info", "info/L3" or "info/L3_MON"; of kProcFile the thread

  [[nodiscard]] bool is_folder() const { return kind != Kind::kNone && kind < Kind::kGroupFile; }
};

// The whole file system, without FUSE. Functions return 0 or more, or the kernel's negative error number.
class Tree {
 public:
  Tree(const Processor& processor, std::string values) : groups_(processor), counters_(std::move(values)) {}

  // "": the root.
  [[nodiscard]] Node node_at(const std::string& path);
  [[nodiscard]] std::vector<std::string> names_in(const Node& folder);
  [[nodiscard]] bool is_written(const Node& file) const;
  // -ENODEV where its group, or its domain, is no more.
  int read(const Node& file, std::string& text);
  // `caller`: the process that writes, which is "0" among threads.
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

// "3" and "0-1" of CPUs 0 and 1, as the kernel prints and takes them; false for what is neither.
[[nodiscard]] std::string cpu_mask_text(const std::set<uint32_t>& cpus, size_t count);
[[nodiscard]] std::string cpu_list_text(const std::set<uint32_t>& cpus);
bool parse_cpu_mask(const std::string& text, std::set<uint32_t>& cpus);
bool parse_cpus_of_list(const std::string& text, std::set<uint32_t>& cpus);

}  // namespace hm::resctrl_filesystem
