// SPDX-License-Identifier: MIT
// Tasks and mappings are read from a made kernel: its structures are as the layout says.
#include "pmu/soft/guest/tasks.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <string>

#include "pmu/soft/guest/test_kernel_memory.h"

namespace hm::soft::guest {
namespace {

// Offsets that differ from each other.
KernelLayout example_layout() {
  KernelLayout at;
  at.cpu_offsets = 0x1000;
  at.current_task = 0x40;
  at.init_task = 0x2000;
  at.task = {8, 12, 16, 40, 48};
  at.mapping = {0, 8, 16, 24, 32, 40};
  at.memory = {0, 8, 16, 24};
  at.path_of_file = 16;
  at.path = {0, 8};
  at.entry = {24, 32};
  at.text_of_name = 8;
  at.mount = {32, 0, 8};
  at.root_of_mount = 16;
  return at;
}

class Kernel : public FakeMemory {
 public:
  Kernel() {
    put_task(layout.init_task, 0, 0, "swapper", kShell);
    put_task(kShell, 70, 70, "sh", kThread);
    put_task(kThread, 70, 71, "a long name of 1", layout.init_task);
    put<uint64_t>(layout.cpu_offsets + 8, 0x9000);  // of the second CPU
    put<uint64_t>(0x9000 + layout.current_task, kThread);
    put<uint64_t>(kSpace + layout.memory.start_brk, 0x600000);
    put<uint64_t>(kSpace + layout.memory.brk, 0x601000);
    put<uint64_t>(kSpace + layout.memory.start_stack, 0x7000800);
    put<uint64_t>(kSpace + layout.memory.vdso, 0x7100000);
  }
  void put_task(uint64_t at, uint32_t pid, uint32_t tid, const std::string& name, uint64_t next) {
    put(at + layout.task.tgid, pid);
    put(at + layout.task.pid, tid);
    put_text(at + layout.task.comm, name.substr(0, 15));
    put(at + layout.task.tasks, next + layout.task.tasks);
  }
  NamedMapping mapping(uint64_t start, uint64_t end, uint64_t flags, uint64_t file) {
    put(kArea + layout.mapping.start, start);
    put(kArea + layout.mapping.end, end);
    put<uint64_t>(kArea + layout.mapping.page_offset, 3);
    put(kArea + layout.mapping.flags, flags);
    put(kArea + layout.mapping.file, file);
    put(kArea + layout.mapping.mm, kSpace);
    return Tasks(layout, memory()).mapping_at(kArea);
  }
  // A folder or file; `parent` of a root is itself.
  uint64_t entry(const std::string& name, uint64_t parent) {
    uint64_t at = next_ += 0x200;
    put(at + layout.entry.parent, parent == 0 ? at : parent);
    put(at + layout.entry.name + layout.text_of_name, at + 0x100);
    put_text(at + 0x100, name);
    return at;
  }
  uint64_t mount(uint64_t root, uint64_t parent, uint64_t mountpoint) {
    uint64_t at = next_ += 0x200;
    put(at + layout.mount.visible + layout.root_of_mount, root);
    put(at + layout.mount.parent, parent == 0 ? at : parent);
    put(at + layout.mount.mountpoint, mountpoint);
    return at;
  }
  uint64_t file(uint64_t mount, uint64_t entry) {
    uint64_t at = next_ += 0x200;
    put(at + layout.path_of_file + layout.path.mount, mount + layout.mount.visible);
    put(at + layout.path_of_file + layout.path.entry, entry);
    return at;
  }

  static constexpr uint64_t kShell = 0x3000, kThread = 0x4000, kArea = 0x5000, kSpace = 0x6000;
  const KernelLayout layout = example_layout();

 private:
  uint64_t next_ = 0x10000;
};

constexpr uint64_t kReadsAndRuns = 5, kReadsAndWrites = 3, kReadsShared = 9;

TEST(Tasks, ReadsTheRunningOne) {
  Kernel kernel;
  Tasks tasks(kernel.layout, kernel.memory());
  Task task = tasks.read(tasks.current(1));
  EXPECT_EQ(task.pid, 70u);
  EXPECT_EQ(task.tid, 71u);
  EXPECT_EQ(task.name, "a long name of ");
}

TEST(Tasks, ReadsAll) {
  Kernel kernel;
  std::vector<std::string> names;
  Tasks(kernel.layout, kernel.memory()).for_each([&](const Task& task) { names.push_back(task.name); });
  EXPECT_EQ(names, (std::vector<std::string>{"swapper", "sh", "a long name of "}));
}

TEST(Tasks, NamesMemoryWithoutAFile) {
  Kernel kernel;
  EXPECT_EQ(kernel.mapping(0x600000, 0x621000, kReadsAndWrites, 0).name, "[heap]");
  EXPECT_EQ(kernel.mapping(0x7000000, 0x7021000, kReadsAndWrites, 0).name, "[stack]");
  EXPECT_EQ(kernel.mapping(0x7100000, 0x7102000, kReadsAndRuns, 0).name, "[vdso]");
  NamedMapping other = kernel.mapping(0x8000000, 0x8001000, kReadsShared, 0);
  EXPECT_EQ(other.name, "//anon");
  EXPECT_TRUE(other.mapping.shared);
  EXPECT_FALSE(other.mapping.of_file);
}

// The program's root is an overlay that is mounted at /root of the first file system; the host's files are at
// /host.
TEST(Tasks, PathsAreThoseOfTheHost) {
  Kernel kernel;
  uint64_t first = kernel.entry("/", 0), first_mount = kernel.mount(first, 0, 0);
  for (const char* folder : {"root", "host"}) {
    uint64_t root = kernel.entry("/", 0), at = kernel.entry(folder, first);
    uint64_t mount = kernel.mount(root, first_mount, at);
    uint64_t library = kernel.entry("libc.so.6", kernel.entry("lib", root));
    NamedMapping mapping = kernel.mapping(0x1000, 0x3000, kReadsAndRuns, kernel.file(mount, library));
    EXPECT_EQ(mapping.name, "/lib/libc.so.6") << folder;
    EXPECT_TRUE(mapping.mapping.of_file);
    EXPECT_EQ(mapping.mapping.bytes, 0x2000u);
    EXPECT_EQ(mapping.mapping.file_offset, 0x3000u);
    EXPECT_EQ(mapping.mapping.protection, uint32_t{PROT_READ | PROT_EXEC});
  }
  uint64_t own = kernel.entry("init", first);
  EXPECT_EQ(kernel.mapping(0x1000, 0x3000, kReadsAndRuns, kernel.file(first_mount, own)).name, "/init");
}

TEST(Tasks, DamagedMemoryEndsTheSearch) {
  Kernel kernel;
  uint64_t loop = kernel.entry("loop", 0), root = kernel.entry("/", 0);
  kernel.put(loop + kernel.layout.entry.parent, kernel.entry("x", loop));
  (void)kernel.mapping(0, 0, 0, kernel.file(kernel.mount(root, 0, 0), loop));
  (void)kernel.mapping(0, 0, 0, 0xdead0000);
  FakeMemory nothing;
  Tasks tasks(kernel.layout, nothing.memory());
  EXPECT_EQ(tasks.read(tasks.current(0)).pid, 0u);
}

}  // namespace
}  // namespace hm::soft::guest
