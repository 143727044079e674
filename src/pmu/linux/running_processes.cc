// SPDX-License-Identifier: MIT
// Sources: proc(5) for the files; perf-report(1), "--kallsyms", and machine__create_kernel_maps() in
// tools/perf/util/machine.c for perf's name of the kernel mapping.
#include "pmu/linux/running_processes.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <charconv>
#include <iterator>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/elf_notes.h"
#include "base/hex.h"
#include "base/take_until.h"
#include "pmu/linux/pid_and_cpu.h"
#include "record/comm.h"
#include "record/ksymbol.h"
#include "record/mmap.h"
#include "record/perf_record.h"
#include "record/sample_id.h"
#include "record/task.h"

namespace hm::linux_pmu {
namespace {

constexpr uint32_t kKernelPid = UINT32_MAX;

void append(uint32_t type, uint16_t misc, ByteWriter& payload, const perf_event_attr& attr, uint32_t pid,
            uint32_t tid, ByteWriter& out) {
  record::encode_sample_id(attr, {.type = attr.sample_type & record::kSampleIdFields, .pid = pid, .tid = tid},
                           payload);
  (void)record::append_record(out, type, misc, payload.bytes());  // omitted if the path is too long
}

uint64_t hex(std::string_view text) { return hex_number(text).value_or(0); }

template <typename Number>
Number decimal(std::string_view text) {
  Number value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

void describe_threads(Kernel& kernel, pid_t pid, const perf_event_attr& attr, ByteWriter& out) {
  auto process = static_cast<uint32_t>(pid);
  for (pid_t thread : threads_of(kernel, pid)) {
    auto tid = static_cast<uint32_t>(thread);
    std::optional<std::string> name = kernel.file(fmt::format("/proc/{}/task/{}/comm", pid, tid));
    if (!name) continue;
    if (tid != process) {
      ByteWriter fork;
      record::encode_task({.pid = process, .parent_pid = process, .tid = tid, .parent_tid = process}, fork);
      append(PERF_RECORD_FORK, PERF_RECORD_MISC_USER, fork, attr, process, tid, out);
    }
    ByteWriter comm;
    record::encode_comm({.pid = process, .tid = tid, .name = *name}, comm);
    append(PERF_RECORD_COMM, PERF_RECORD_MISC_USER, comm, attr, process, tid, out);
  }
}

// Parses a line "START-END PERMISSIONS OFFSET MAJOR:MINOR INODE PATH".
record::Mmap parse_mapping(std::string_view line, uint32_t pid) {
  record::Mmap mmap{.pid = pid, .tid = pid};
  mmap.address = hex(take_until(line, '-'));
  mmap.length = hex(take_until(line, ' ')) - mmap.address;
  std::string_view permissions = take_until(line, ' ');
  mmap.protection = record::protection_of(permissions);
  mmap.executable = (*mmap.protection & PROT_EXEC) != 0;
  mmap.flags = permissions.find('s') == std::string_view::npos ? MAP_PRIVATE : MAP_SHARED;
  mmap.file_offset = hex(take_until(line, ' '));
  record::FileIdentity identity;
  identity.major = static_cast<uint32_t>(hex(take_until(line, ':')));
  identity.minor = static_cast<uint32_t>(hex(take_until(line, ' ')));
  identity.inode = decimal<uint64_t>(take_until(line, ' '));
  mmap.identity = identity;
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  mmap.path = line.empty() ? "//anon" : line;
  return mmap;
}

void describe_mappings(Kernel& kernel, pid_t pid, const perf_event_attr& attr, bool data_too,
                       ByteWriter& out) {
  std::optional<std::string> maps = kernel.file(fmt::format("/proc/{}/maps", pid));
  if (!maps) return;
  for (std::string_view rest = *maps; !rest.empty();) {
    record::Mmap mmap = parse_mapping(take_until(rest, '\n'), static_cast<uint32_t>(pid));
    if (!mmap.executable && !data_too) continue;
    ByteWriter payload;
    record::encode_mmap(mmap, payload);
    auto misc = static_cast<uint16_t>(PERF_RECORD_MISC_USER | record::misc_bits_of(mmap));
    append(record::record_type_of(mmap), misc, payload, attr, mmap.pid, mmap.tid, out);
  }
}

void append_kernel_map(const record::Mmap& mmap, const perf_event_attr& attr, ByteWriter& out) {
  ByteWriter payload;
  record::encode_mmap(mmap, payload);
  append(PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL, payload, attr, kKernelPid, 0, out);
}

struct KernelText {
  uint64_t start = 0;
  uint64_t end = 0;
};

KernelText find_kernel_text(std::string_view kallsyms) {
  KernelText text;
  while (!kallsyms.empty() && (text.start == 0 || text.end == 0)) {
    std::string_view line = take_until(kallsyms, '\n');
    uint64_t address = hex(take_until(line, ' '));
    (void)take_until(line, ' ');
    if (line == "_text") text.start = address;
    if (line == "_etext") text.end = address;
  }
  return text;
}

// Parses lines "NAME SIZE USERS USED_BY STATE 0xADDRESS".
void describe_modules(const KernelFiles& read, const perf_event_attr& attr, ByteWriter& out) {
  std::optional<std::string> modules = read("/proc/modules");
  if (!modules) return;
  for (std::string_view rest = *modules; !rest.empty();) {
    std::string_view line = take_until(rest, '\n');
    std::string path = fmt::format("[{}]", take_until(line, ' '));
    auto bytes = decimal<uint64_t>(take_until(line, ' '));
    for (int field = 0; field < 3; ++field) (void)take_until(line, ' ');
    uint64_t address = hex(take_until(line, ' '));
    if (address == 0) continue;
    append_kernel_map({.pid = kKernelPid, .address = address, .length = bytes, .path = path}, attr, out);
  }
}

// Describes the BPF programs that were loaded before, which /proc/kallsyms lists as "ADDRESS t NAME\t[bpf]"
// without their sizes: a program ends at the next one, or where its last page must have ended.
void describe_bpf_programs(std::string_view kallsyms, const perf_event_attr& attr, ByteWriter& out) {
  constexpr std::string_view kBpf = "\t[bpf]";
  constexpr uint64_t kPageBytes = 4096;
  constexpr uint64_t kMaxProgramBytes = uint64_t{1} << 20;
  std::map<uint64_t, std::string_view> programs;
  while (!kallsyms.empty()) {
    std::string_view line = take_until(kallsyms, '\n');
    if (!line.ends_with(kBpf)) continue;
    line.remove_suffix(kBpf.size());
    uint64_t address = hex(take_until(line, ' '));
    (void)take_until(line, ' ');
    if (address != 0 && !line.empty()) programs[address] = line;
  }
  for (auto program = programs.begin(); program != programs.end(); ++program) {
    uint64_t start = program->first, end = start - start % kPageBytes + 2 * kPageBytes;
    auto next = std::next(program);
    if (next != programs.end() && next->first - start < kMaxProgramBytes) end = next->first;
    ByteWriter payload;
    record::encode_ksymbol({.address = start,
                            .bytes = static_cast<uint32_t>(end - start),
                            .kind = PERF_RECORD_KSYMBOL_TYPE_BPF,
                            .flags = 0,
                            .name = program->second},
                           payload);
    append(PERF_RECORD_KSYMBOL, PERF_RECORD_MISC_KERNEL, payload, attr, kKernelPid, 0, out);
  }
}

}  // namespace

void describe_process(Kernel& kernel, pid_t pid, const perf_event_attr& attr, bool data_too,
                      ByteWriter& out) {
  describe_threads(kernel, pid, attr, out);
  describe_mappings(kernel, pid, attr, data_too, out);
}

std::vector<pid_t> running_processes(Kernel& kernel) {
  std::vector<pid_t> pids;
  for (const std::string& name : kernel.folder("/proc")) {
    if (auto pid = decimal<pid_t>(name); pid > 0) pids.push_back(pid);
  }
  std::ranges::sort(pids);
  return pids;
}

pid_t process_of(Kernel& kernel, pid_t tid) {
  constexpr std::string_view kField = "\nTgid:\t";
  std::string status = kernel.file(fmt::format("/proc/{}/status", tid)).value_or("");
  size_t found = status.find(kField);
  return found == std::string::npos ? tid
                                    : decimal<pid_t>(std::string_view(status).substr(found + kField.size()));
}

KernelFiles files_of(Kernel& kernel) {
  return [&kernel](const std::string& path) { return kernel.file(path); };
}

void describe_kernel(const KernelFiles& read, const perf_event_attr& attr, ByteWriter& out) {
  std::optional<std::string> kallsyms = read("/proc/kallsyms");
  if (!kallsyms) return;
  KernelText text = find_kernel_text(*kallsyms);
  if (text.start == 0 || text.end <= text.start) return;
  append_kernel_map({.pid = kKernelPid,
                     .address = text.start,
                     .length = text.end - text.start,
                     .file_offset = text.start,
                     .path = "[kernel.kallsyms]_text"},
                    attr, out);
  describe_modules(read, attr, out);
  describe_bpf_programs(*kallsyms, attr, out);
}

void add_kernel_build_id(const KernelFiles& read, record::Features& features) {
  std::string notes = read("/sys/kernel/notes").value_or("");
  Bytes id = build_id_in_notes(std::as_bytes(std::span(notes)));
  if (id.empty() || id.size() > record::kMaxBuildIdBytes) return;
  features.build_ids.push_back(
      {.misc = PERF_RECORD_MISC_KERNEL, .id = {id.begin(), id.end()}, .path = "[kernel.kallsyms]"});
}

std::vector<std::string> module_names(std::string_view modules) {
  std::vector<std::string> names;
  while (!modules.empty()) {
    std::string_view line = take_until(modules, '\n');
    names.emplace_back(take_until(line, ' '));
  }
  return names;
}

}  // namespace hm::linux_pmu
