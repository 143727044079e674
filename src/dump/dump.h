// SPDX-License-Identifier: MIT
// The text dump format of the original hardmeter: a header of # lines, then a line of hexadecimal registers
// for each sample. docs/dump.md describes the format.
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

// Prefix of the first line.
inline constexpr std::string_view kMagic = "# hardmeter dump";
// Member of the run description with the processor (record::Features::cpu_id).
inline constexpr const char* kCpuId = "cpu_id";
inline constexpr std::string_view kFirstLine = "# hardmeter dump 1: samples of one event, a line each";

struct Column {
  std::string_view name;
  std::string_view name_32;  // name in the original's dumps on IA-32; empty if IA-32 has no such register
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
  uint32_t known = 0;  // one bit for each column; unknown values are written as "-"
  Details details;     // measured attributes other than registers

  [[nodiscard]] bool knows(size_t column) const { return (known >> column & 1) != 0; }
  void set(size_t column, uint64_t value) {
    values[column] = value;
    known |= uint32_t{1} << column;
  }
  bool operator==(const Sample&) const = default;
};

// Returns the sample's instruction pointer, its recorded registers at the event, and its details.
[[nodiscard]] Sample sample_of(const record::Sample& sample);

// Adds all registers except the instruction pointer, which a sample stores separately.
void take_registers(const record::Registers& registers, Sample& result);

// Process ID of the kernel's mappings.
inline constexpr uint32_t kKernelPid = UINT32_MAX;

// Attributes of mapped memory that is not executable; used to resolve data addresses.
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
  std::optional<DataPages> data{};  // nullopt: executable code
  bool operator==(const Mapping&) const = default;
};

// The process executes another program from here on: its earlier mappings are gone.
struct Exec {
  uint32_t pid = 0;
  std::string comm;
  bool operator==(const Exec&) const = default;
};

// The process starts with the mappings of its parent.
struct Fork {
  uint32_t pid = 0;
  uint32_t parent = 0;
  bool operator==(const Fork&) const = default;
};

// A code location that allocates heap blocks; details refer to it by its number (record/extension.h).
struct HeapSite {
  uint32_t number = 0;
  bool any_caller = false;      // true if several call paths lead to the allocation; the stack is one of them
  uint64_t return_address = 0;  // of the call to the allocator
  Sample at;                    // thread and registers at the allocator's first instruction
  std::vector<std::byte> stack;  // copy of the stack, upwards from the stack pointer
  bool operator==(const HeapSite&) const = default;
};

// Returns the allocation site that a sample of the heap-site event describes; nullopt if it describes none.
[[nodiscard]] std::optional<HeapSite> heap_site_of(const record::Sample& sample);

// Exact event count of a thread, from a counter.
struct Counted {
  Thread thread;
  uint64_t value = 0;
  uint64_t time_enabled_ns = 0;
  uint64_t time_running_ns = 0;
  bool operator==(const Counted&) const = default;
};

// Sampling period: number of events that a sample represents.
struct Period {
  uint64_t mean = 0;
  // Both equal `mean` if all samples represent the same number of events.
  uint64_t min = 0;
  uint64_t max = 0;
  bool operator==(const Period&) const = default;
};

// Unknown values are nullopt or empty.
struct Header {
  std::string date;
  std::string command;
  std::string event;
  std::string pmu;              // "software", "hardware" or "kernel"
  std::optional<bool> precise;  // samples name the very instruction that caused the event
  std::string counter;          // configuration of the counter
  std::vector<record::CacheInfo> caches;
  std::optional<Period> events_per_sample;    // as measured
  std::optional<uint64_t> samples_to_buffer;  // number of samples the PMU buffers before they must be read
  std::string sample_type;                    // "user", "kernel", "user and kernel"
  std::optional<uint64_t> max_samples;
  std::string extent;  // "all", or a description of the part of the run that was sampled
  std::optional<uint64_t> collected;
  std::optional<uint64_t> dropped;
  std::string file;
  bool operator==(const Header&) const = default;
};

}  // namespace hm::dump
