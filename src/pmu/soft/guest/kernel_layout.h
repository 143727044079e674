// SPDX-License-Identifier: MIT
// Where the guest's kernel keeps its tasks and mappings: addresses from /proc/kallsyms, offsets from BTF.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/btf.h"

namespace hm::soft::guest {

struct KernelLayout {
  // The functions that the kernel calls to report to perf: each mapping, name, new task and ended task.
  struct {
    uint64_t mapping = 0, name = 0, fork = 0, exit = 0;
  } reports;
  uint64_t cpu_offsets = 0;   // __per_cpu_offset
  uint64_t current_task = 0;  // offset in the memory of each CPU
  uint64_t init_task = 0;

  // Offsets of members.
  struct {
    uint32_t pid = 0, tgid = 0, comm = 0, mm = 0, tasks = 0;
  } task;
  struct {
    uint32_t start = 0, end = 0, page_offset = 0, flags = 0, file = 0, mm = 0;
  } mapping;
  struct {
    uint32_t start_brk = 0, brk = 0, start_stack = 0, vdso = 0;
  } memory;
  uint32_t path_of_file = 0;  // file.f_path
  struct {
    uint32_t mount = 0, entry = 0;
  } path;
  struct {
    uint32_t parent = 0, name = 0;
  } entry;
  uint32_t text_of_name = 0;  // qstr.name
  struct {
    uint32_t visible = 0, parent = 0, mountpoint = 0;
  } mount;
  uint32_t root_of_mount = 0;  // vfsmount.mnt_root
};

// Returns nullopt if the kernel lacks one of them; `missing` is then its name.
[[nodiscard]] std::optional<KernelLayout> find_layout(std::string_view kallsyms, const Btf& types,
                                                      std::string& missing);

}  // namespace hm::soft::guest
