// SPDX-License-Identifier: MIT
#include "pmu/soft/guest/kernel_layout.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <iterator>

#include "pmu/soft/guest/kernel_code.h"

namespace hm::soft::guest {
namespace {

constexpr char kSymbols[] =
    "ffffffff81000000 T _text\n"
    "ffffffff81000100 T perf_event_mmap\n"
    "ffffffff81000200 T perf_event_comm\n"
    "ffffffff81000300 T perf_event_fork\n"
    "ffffffff81000400 T perf_event_exit_task\n"
    "ffffffff81002000 T _etext\n"
    "ffffffff82000000 D __per_cpu_offset\n"
    "ffffffff82000100 D init_task\n"
    "0000000000017bc0 A current_task\n"
    "ffffffffc0000000 t perf_event_mmap\t[of_a_module]\n";

std::string text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

TEST(KernelLayout, ComesFromSymbolsAndTypes) {
  std::string types = text_of("/sys/kernel/btf/vmlinux");
  if (types.empty()) GTEST_SKIP() << "this kernel has no /sys/kernel/btf/vmlinux";
  std::optional<Btf> btf = Btf::parse(std::as_bytes(std::span(types)));
  ASSERT_TRUE(btf);
  std::string missing;
  std::optional<KernelLayout> layout = find_layout(kSymbols, *btf, missing);
  ASSERT_TRUE(layout) << missing;
  EXPECT_EQ(layout->reports.mapping, 0xffffffff81000100);
  EXPECT_EQ(layout->current_task, 0x17bc0u);
  EXPECT_EQ(layout->task.tgid, layout->task.pid + 4);
  EXPECT_GT(layout->memory.vdso, layout->memory.brk);
  EXPECT_EQ(layout->mapping.end, layout->mapping.start + 8);
}

TEST(KernelLayout, WhatIsMissingIsNamed) {
  std::string missing;
  EXPECT_FALSE(find_layout(kSymbols, Btf(), missing));
  EXPECT_EQ(missing, "task_struct.pid");
  std::string symbols(kSymbols);
  symbols.erase(symbols.find("ffffffff82000100"), 40);
  EXPECT_FALSE(find_layout(symbols, Btf(), missing));
  EXPECT_EQ(missing, "init_task");
}

TEST(KernelCode, IsAnElfFile) {
  constexpr uint64_t kText = 0xffffffff81000000, kModule = 0xffffffffc0000000;
  std::vector<CodeRange> ranges =
      code_ranges(kSymbols, "of_a_module 4096 0 - Live 0xffffffffc0000000\nother 4096 0 - Loading 0x0\n");
  ASSERT_EQ(ranges.size(), 2u);
  EXPECT_EQ(ranges[0].start, kText);
  EXPECT_EQ(ranges[0].bytes, 0x2000u);
  KernelMemory memory([](uint64_t address, void* to, uint32_t bytes) {
    if (address == kText + 0x1000) return false;  // a page that is not mapped
    std::memset(to, address >= kModule ? 2 : 1, bytes);
    return true;
  });
  std::string file = kernel_code(memory, ranges);
  Elf64_Ehdr header;
  std::memcpy(&header, file.data(), sizeof(header));
  ASSERT_EQ(std::memcmp(header.e_ident, ELFMAG, SELFMAG), 0);
  ASSERT_EQ(header.e_phnum, 2);
  Elf64_Phdr segments[2];
  std::memcpy(segments, file.data() + header.e_phoff, sizeof(segments));
  EXPECT_EQ(segments[0].p_vaddr, kText);
  EXPECT_EQ(segments[1].p_vaddr, kModule);
  EXPECT_EQ(file[segments[0].p_offset], 1);
  EXPECT_EQ(file[segments[0].p_offset + 0x1000], 0);
  EXPECT_EQ(file[segments[1].p_offset], 2);
  EXPECT_EQ(file.size(), segments[1].p_offset + segments[1].p_filesz);
}

}  // namespace
}  // namespace hm::soft::guest
