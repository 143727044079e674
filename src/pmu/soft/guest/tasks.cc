// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/tasks.h"

#include <sys/mman.h>

#include "pmu/soft/guest/guest_job.h"

namespace hm::soft::guest {
namespace {

constexpr uint32_t kCommBytes = 16, kMaxNameBytes = 256;
constexpr unsigned kMaxTasks = 1 << 16, kMaxParts = 512;
// vm_flags: include/linux/mm.h in the Linux source.
constexpr uint64_t kReads = 1, kWrites = 2, kExecutes = 4, kShared = 8;

uint32_t protection_of(uint64_t flags) {
  return static_cast<uint32_t>(((flags & kReads) != 0 ? PROT_READ : 0) |
                               ((flags & kWrites) != 0 ? PROT_WRITE : 0) |
                               ((flags & kExecutes) != 0 ? PROT_EXEC : 0));
}

// Returns the path on the host of a path in the guest's first root.
std::string path_on_host(std::string path) {
  for (std::string_view folder : {kProgramsRoot, kHostsRoot}) {
    if (path.starts_with(folder) && path.size() > folder.size() && path[folder.size()] == '/')
      return path.substr(folder.size());
  }
  return path;
}

}  // namespace

uint64_t Tasks::current(unsigned cpu) const {
  uint64_t base = memory_.load(at_.cpu_offsets + cpu * sizeof(uint64_t));
  return memory_.load(base + at_.current_task);
}

Task Tasks::read(uint64_t task) const {
  return {memory_.load<uint32_t>(task + at_.task.tgid), memory_.load<uint32_t>(task + at_.task.pid),
          memory_.text(task + at_.task.comm, kCommBytes)};
}

void Tasks::for_each(const std::function<void(const Task&)>& visit) const {
  uint64_t task = at_.init_task;
  for (unsigned i = 0; i < kMaxTasks; ++i) {
    visit(read(task));
    uint64_t next = memory_.load(task + at_.task.tasks);
    task = next - at_.task.tasks;
    if (next == 0 || task == at_.init_task) return;
  }
}

// Follows the folders to the root of the file system, and the file systems to the first one.
std::string Tasks::path_of(uint64_t file) const {
  uint64_t entry = memory_.load(file + at_.path_of_file + at_.path.entry);
  uint64_t mount = memory_.load(file + at_.path_of_file + at_.path.mount) - at_.mount.visible;
  std::string path;
  for (unsigned i = 0; i < kMaxParts && entry != 0; ++i) {
    uint64_t parent = memory_.load(entry + at_.entry.parent);
    bool is_root = entry == memory_.load(mount + at_.mount.visible + at_.root_of_mount) || parent == entry;
    if (is_root) {
      uint64_t parent_mount = memory_.load(mount + at_.mount.parent);
      if (parent_mount == 0 || parent_mount == mount) break;
      entry = memory_.load(mount + at_.mount.mountpoint);
      mount = parent_mount;
      continue;
    }
    uint64_t name = memory_.load(entry + at_.entry.name + at_.text_of_name);
    path = "/" + memory_.text(name, kMaxNameBytes) + path;
    entry = parent;
  }
  return path_on_host(std::move(path));
}

const char* Tasks::special_name(uint64_t area, const Mapping& mapping) const {
  uint64_t memory = memory_.load(area + at_.mapping.mm);
  if (memory_.load(memory + at_.memory.vdso) == mapping.start) return "[vdso]";
  uint64_t end = mapping.start + mapping.bytes;
  uint64_t stack = memory_.load(memory + at_.memory.start_stack);
  if (stack >= mapping.start && stack < end) return "[stack]";
  bool is_heap = mapping.start <= memory_.load(memory + at_.memory.brk) &&
                 end > memory_.load(memory + at_.memory.start_brk);
  return is_heap ? "[heap]" : "//anon";
}

NamedMapping Tasks::mapping_at(uint64_t area) const {
  NamedMapping named;
  Mapping& mapping = named.mapping;
  mapping.start = memory_.load(area + at_.mapping.start);
  mapping.bytes = memory_.load(area + at_.mapping.end) - mapping.start;
  uint64_t flags = memory_.load(area + at_.mapping.flags);
  mapping.protection = protection_of(flags);
  mapping.shared = (flags & kShared) != 0;
  uint64_t file = memory_.load(area + at_.mapping.file);
  if (file == 0) {
    named.name = special_name(area, mapping);
    return named;
  }
  mapping.of_file = true;
  mapping.file_offset = memory_.load(area + at_.mapping.page_offset) * kPageBytes;
  named.name = path_of(file);
  return named;
}

}  // namespace hm::soft::guest
