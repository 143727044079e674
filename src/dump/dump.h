// SPDX-License-Identifier: MIT
// The text dump of the original hardmeter: a header of # lines, then a line of hexadecimal registers for each
// sample. docs/dump.md describes it.
#pragma once

#include <asm/perf_regs.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dump/details.h"
#include "record/build_id.h"
#include "record/features.h"
#include "record/mmap.h"
#include "record/sample.h"

namespace hm::dump {

// What the first line begins with.
inline constexpr std::string_view kMagic = "# hardmeter dump";
inline constexpr std::string_view kFirstLine = "# hardmeter dump 1: samples of one event, a line each";

struct Column {
  std::string_view name;
  std::string_view name_32;  // as the original had it on IA-32; empty where that has no such register
  unsigned perf_register;    // PERF_REG_X86_*
};

inline constexpr std::array<Column, 18> kColumns{{
    {"rflags", "eflags", PERF_REG_X86_FLAGS},
    {"linear_ip", "linear_ip", PERF_REG_X86_IP},
    {"rax", "eax", PERF_REG_X86_AX},
    {"rbx", "ebx", PERF_REG_X86_BX},
    {"rcx", "ecx", PERF_REG_X86_CX},
    {"rdx", "edx", PERF_REG_X86_DX},
    {"rsi", "esi", PERF_REG_X86_SI},
    {"rdi", "edi", PERF_REG_X86_DI},
    {"rbp", "ebp", PERF_REG_X86_BP},
    {"rsp", "esp", PERF_REG_X86_SP},
    {"r8", "", PERF_REG_X86_R8},
    {"r9", "", PERF_REG_X86_R9},
    {"r10", "", PERF_REG_X86_R10},
    {"r11", "", PERF_REG_X86_R11},
    {"r12", "", PERF_REG_X86_R12},
    {"r13", "", PERF_REG_X86_R13},
    {"r14", "", PERF_REG_X86_R14},
    {"r15", "", PERF_REG_X86_R15},
}};
inline constexpr size_t kIpColumn = 1;

struct Thread {
  uint32_t pid = 0;
  uint32_t tid = 0;
  bool operator==(const Thread&) const = default;
};

struct Sample {
  Thread thread;
  std::array<uint64_t, kColumns.size()> values{};  // by column
  uint32_t known = 0;                              // a bit for each; what is not known is written as "-"
  Details details;                                 // what was measured beside the registers

  [[nodiscard]] bool knows(size_t column) const { return (known >> column & 1) != 0; }
  void set(size_t column, uint64_t value) {
    values[column] = value;
    known |= uint32_t{1} << column;
  }
  bool operator==(const Sample&) const = default;
};

// The instruction pointer, those of the registers at the event that were recorded, and the details.
[[nodiscard]] Sample sample_of(const record::Sample& sample);

// Adds the registers, except for the instruction pointer, which a sample has beside them.
void take_registers(const record::Registers& registers, Sample& result);

// The process id of the kernel's mappings.
inline constexpr uint32_t kKernelPid = UINT32_MAX;

// Memory that is mapped but not executed: what data addresses are looked up in.
struct DataPages {
  uint32_t protection = 0;        // PROT_* of mmap(2)
  bool shared = false;            // MAP_SHARED of mmap(2)
  record::FileIdentity identity;  // all zero if the recording has none
  bool operator==(const DataPages&) const = default;
};

struct Mapping {
  uint32_t pid = 0;
  uint64_t start = 0;
  uint64_t end = 0;
  uint64_t file_offset = 0;
  std::string path;
  std::optional<DataPages> data{};  // nullopt: code that can be executed
  bool operator==(const Mapping&) const = default;
};

// The process runs another program from here on: its mappings are gone.
struct Exec {
  uint32_t pid = 0;
  std::string comm;
  bool operator==(const Exec&) const = default;
};

// The process begins with the mappings of its parent.
struct Fork {
  uint32_t pid = 0;
  uint32_t parent = 0;
  bool operator==(const Fork&) const = default;
};

// A place that allocates heap blocks, which details refer to by its number (record/extension.h).
struct HeapSite {
  uint32_t number = 0;
  bool any_caller = false;       // several paths lead there, of which the stack is one
  uint64_t return_address = 0;   // of the call of the allocator
  Sample at;                     // the thread and its registers at the allocator's first instruction
  std::vector<std::byte> stack;  // from the stack pointer up
  bool operator==(const HeapSite&) const = default;
};

// The site that a sample of the heap sites' event describes; nullopt if it describes none.
[[nodiscard]] std::optional<HeapSite> heap_site_of(const record::Sample& sample);

// How often the event occurred in a thread, by a counter.
struct Counted {
  Thread thread;
  uint64_t value = 0;
  uint64_t time_enabled_ns = 0;
  uint64_t time_running_ns = 0;
  bool operator==(const Counted&) const = default;
};

// How many events a sample stands for.
struct Period {
  uint64_t mean = 0;
  // Equal where all samples stand for as many events.
  uint64_t min = 0;
  uint64_t max = 0;
  bool operator==(const Period&) const = default;
};

// What is not known is nullopt or empty.
struct Header {
  std::string date;
  std::string command;
  std::string event;
  std::string pmu;              // "software", "hardware" or "kernel"
  std::optional<bool> precise;  // a sample names the very instruction that caused the event
  std::string counter;          // what it was programmed with
  std::vector<record::CacheInfo> caches;
  std::optional<Period> events_per_sample;    // as measured
  std::optional<uint64_t> samples_to_buffer;  // how many the PMU keeps before somebody has to take them
  std::string sample_type;                    // "user", "kernel", "user and kernel"
  std::optional<uint64_t> max_samples;
  std::string extent;  // "all", or what part of the run the samples are of
  std::optional<uint64_t> collected;
  std::optional<uint64_t> dropped;
  std::string file;
  bool operator==(const Header&) const = default;
};

}  // namespace hm::dump
