// SPDX-License-Identifier: MIT
// For tests and fuzzers: a small recording of two events that covers every field of a sample.
#pragma once

#include <linux/perf_event.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "base/temporary_folder.h"
#include "record/comm.h"
#include "record/event.h"
#include "record/extension.h"
#include "record/lost.h"
#include "record/mmap.h"
#include "record/sample.h"
#include "record/sample_id.h"
#include "record/task.h"

namespace hm::record::example {

inline constexpr uint32_t kPid = 4242;
inline constexpr uint64_t kTextAddress = 0x400000;
inline constexpr uint64_t kTextBytes = 0x10000;
inline constexpr uint64_t kPeriod = 1000;
inline constexpr uint64_t kAllSampleFields = PERF_SAMPLE_MAX - 1;

inline EventDescription event(const std::string& name, uint64_t config, uint64_t id, uint64_t sample_type) {
  EventDescription event{.name = name, .attr = {}, .ids = {id}};
  event.attr.type = PERF_TYPE_SOFTWARE;
  event.attr.size = sizeof event.attr;
  event.attr.config = config;
  event.attr.sample_period = kPeriod;
  event.attr.sample_type = sample_type;
  event.attr.sample_id_all = 1;
  event.attr.read_format = PERF_FORMAT_ID | PERF_FORMAT_GROUP;
  event.attr.branch_sample_type = PERF_SAMPLE_BRANCH_ANY | PERF_SAMPLE_BRANCH_HW_INDEX;
  event.attr.sample_regs_user = 0x3;
  event.attr.sample_regs_intr = 0x7;
  event.attr.sample_stack_user = 16;
  event.attr.exclude_kernel = 1;
  return event;
}

// Fields that a profiler of memory accesses records.
inline constexpr uint64_t kMemorySample =
    PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR |
    PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | PERF_SAMPLE_CALLCHAIN | PERF_SAMPLE_RAW |
    PERF_SAMPLE_BRANCH_STACK | PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC;

inline std::vector<EventDescription> events(uint64_t sample_type = kMemorySample) {
  return {event("cache-miss", PERF_COUNT_SW_CPU_CLOCK, 101, sample_type),
          event("tlb-miss", PERF_COUNT_SW_TASK_CLOCK, 102, sample_type)};
}

inline void append(const perf_event_attr& attr, uint32_t type, uint16_t misc, ByteWriter payload,
                   uint64_t time_ns, ByteWriter& out) {
  encode_sample_id(attr, {.pid = kPid, .tid = kPid, .time_ns = time_ns, .id = 101}, payload);
  (void)append_record(out, type, misc, payload.bytes());
}

inline void append_sample(const EventDescription& event, uint64_t number, ByteWriter& out) {
  std::vector<uint64_t> chain{PERF_CONTEXT_USER, kTextAddress + 16 * number, kTextAddress + 0x800};
  std::vector<uint64_t> branch{kTextAddress + 8, kTextAddress + 16 * number, 1};
  std::vector<uint64_t> words{1, 2, 3};
  SampleExtension extension{.magic = kExtensionMagic,
                            .cycles = 77 * number,
                            .access_bytes = 8,
                            .access_kind = AccessKind::kLoad,
                            .l1_class = MissClass::kConflict,
                            .l2_class = MissClass::kCapacity,
                            .l3_class = MissClass::kNone,
                            .load_replay = LoadReplay::kNone,
                            .cycles_of = CyclesOf::kRun};
  Sample sample;
  sample.id = event.ids.front();
  sample.ip = chain[1];
  sample.pid = sample.tid = kPid;
  sample.time_ns = 1'000'000 + 1000 * number;
  sample.addr = 0x7000'0000 + 64 * number;
  sample.cpu = 1;
  sample.period = kPeriod;
  sample.callchain = U64View(chain);
  sample.raw = std::as_bytes(std::span(&extension, 1));
  sample.branches = BranchStack(U64View(branch));
  sample.branches.hardware_index = 3;
  sample.user_regs = {
      .abi = PERF_SAMPLE_REGS_ABI_64, .mask = event.attr.sample_regs_user, .values = U64View(words)};
  sample.intr_regs = {
      .abi = PERF_SAMPLE_REGS_ABI_64, .mask = event.attr.sample_regs_intr, .values = U64View(words)};
  sample.user_stack = {.bytes = std::as_bytes(std::span(words).first(2)), .used_bytes = 16};
  sample.read = ReadValues(event.attr.read_format, U64View(std::span(words).first(2)));
  sample.weight = 250;
  sample.data_source = 0x1e05080021;
  ByteWriter payload;
  encode_sample(event.attr, sample, payload);
  (void)append_record(out, PERF_RECORD_SAMPLE, PERF_RECORD_MISC_USER, payload.bytes());
}

// A process starts, maps its program, is sampled `samples` times, and ends.
inline std::vector<std::byte> records(const std::vector<EventDescription>& events, uint64_t samples) {
  const perf_event_attr& attr = events.front().attr;
  ByteWriter out;
  ByteWriter comm;
  encode_comm({.pid = kPid, .tid = kPid, .name = "example"}, comm);
  append(attr, PERF_RECORD_COMM, PERF_RECORD_MISC_COMM_EXEC, std::move(comm), 1, out);
  Mmap text{
      .pid = kPid, .tid = kPid, .address = kTextAddress, .length = kTextBytes, .path = "/usr/bin/example"};
  text.protection = 5;  // PROT_READ | PROT_EXEC
  ByteWriter mmap;
  encode_mmap(text, mmap);
  append(attr, record_type_of(text), PERF_RECORD_MISC_USER, std::move(mmap), 2, out);
  for (uint64_t i = 0; i < samples; ++i) append_sample(events[i % events.size()], i, out);
  ByteWriter exit;
  encode_task({.pid = kPid, .parent_pid = 1, .tid = kPid, .parent_tid = 1, .time_ns = 9'000'000}, exit);
  append(attr, PERF_RECORD_EXIT, 0, std::move(exit), 9'000'000, out);
  return std::move(out).take();
}

inline std::vector<std::byte> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

using hm::TemporaryFolder;

}  // namespace hm::record::example
