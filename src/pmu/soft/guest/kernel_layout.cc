// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/kernel_layout.h"

#include <algorithm>

#include "base/hex.h"
#include "base/take_until.h"

namespace hm::soft::guest {
namespace {

struct WantedSymbol {
  std::string_view name;
  uint64_t* address;
  bool found = false;
};

struct WantedMember {
  const char* structure;
  const char* member;
  uint32_t* offset;
};

// Lines "ADDRESS TYPE NAME". Symbols of modules follow the kernel's own.
template <size_t kCount>
void find_symbols(std::string_view kallsyms, WantedSymbol (&wanted)[kCount]) {
  while (!kallsyms.empty()) {
    std::string_view line = take_until(kallsyms, '\n');
    std::string_view address = take_until(line, ' ');
    (void)take_until(line, ' ');
    auto* symbol = std::ranges::find(wanted, line, &WantedSymbol::name);
    if (symbol == std::end(wanted) || symbol->found) continue;
    *symbol->address = hex_number(address).value_or(0);
    symbol->found = true;
  }
}

}  // namespace

std::optional<KernelLayout> find_layout(std::string_view kallsyms, const Btf& types, std::string& missing) {
  KernelLayout layout;
  uint64_t hot = 0;  // since Linux 6.2, until 6.15, the current task is the first member of this structure
  WantedSymbol symbols[] = {
      {"perf_event_mmap", &layout.reports.mapping}, {"perf_event_comm", &layout.reports.name},
      {"perf_event_fork", &layout.reports.fork},    {"perf_event_exit_task", &layout.reports.exit},
      {"__per_cpu_offset", &layout.cpu_offsets},    {"init_task", &layout.init_task},
      {"current_task", &layout.current_task},       {"pcpu_hot", &hot}};
  find_symbols(kallsyms, symbols);
  if (!symbols[6].found && symbols[7].found) {
    layout.current_task = hot;
    symbols[6].found = true;
  }
  symbols[7].found = true;
  const auto* lacking = std::ranges::find(symbols, false, &WantedSymbol::found);
  if (lacking != std::end(symbols)) {
    missing = lacking->name;
    return std::nullopt;
  }
  uint32_t context = 0;
  const WantedMember members[] = {{"task_struct", "pid", &layout.task.pid},
                                  {"task_struct", "tgid", &layout.task.tgid},
                                  {"task_struct", "comm", &layout.task.comm},
                                  {"task_struct", "mm", &layout.task.mm},
                                  {"task_struct", "tasks", &layout.task.tasks},
                                  {"vm_area_struct", "vm_start", &layout.mapping.start},
                                  {"vm_area_struct", "vm_end", &layout.mapping.end},
                                  {"vm_area_struct", "vm_pgoff", &layout.mapping.page_offset},
                                  {"vm_area_struct", "vm_flags", &layout.mapping.flags},
                                  {"vm_area_struct", "vm_file", &layout.mapping.file},
                                  {"vm_area_struct", "vm_mm", &layout.mapping.mm},
                                  {"mm_struct", "start_brk", &layout.memory.start_brk},
                                  {"mm_struct", "brk", &layout.memory.brk},
                                  {"mm_struct", "start_stack", &layout.memory.start_stack},
                                  {"mm_struct", "context", &context},
                                  {"mm_context_t", "vdso", &layout.memory.vdso},
                                  {"file", "f_path", &layout.path_of_file},
                                  {"path", "mnt", &layout.path.mount},
                                  {"path", "dentry", &layout.path.entry},
                                  {"dentry", "d_parent", &layout.entry.parent},
                                  {"dentry", "d_name", &layout.entry.name},
                                  {"qstr", "name", &layout.text_of_name},
                                  {"mount", "mnt", &layout.mount.visible},
                                  {"mount", "mnt_parent", &layout.mount.parent},
                                  {"mount", "mnt_mountpoint", &layout.mount.mountpoint},
                                  {"vfsmount", "mnt_root", &layout.root_of_mount}};
  for (const WantedMember& each : members) {
    std::optional<uint32_t> offset = types.offset_of(each.structure, each.member);
    if (!offset) {
      missing = std::string(each.structure) + "." + each.member;
      return std::nullopt;
    }
    *each.offset = *offset;
  }
  layout.memory.vdso += context;
  return layout;
}

}  // namespace hm::soft::guest
