// SPDX-License-Identifier: MIT
// Layouts from tools/lib/perf/include/perf/event.h in the Linux source.
#include "record/maps.h"

#include <algorithm>

namespace hm::record {
namespace {

constexpr size_t kThreadNameBytes = 16;
constexpr uint16_t kAnyCpu = 0xffff;

enum CpuMapKind : uint16_t { kList = 0, kMask = 1, kRange = 2 };

void read_cpu_list(ByteReader& in, std::vector<uint32_t>& cpus) {
  uint16_t count = in.u16();
  for (uint16_t i = 0; i < count && in.ok(); ++i) {
    uint16_t cpu = in.u16();
    if (in.ok() && cpu != kAnyCpu) cpus.push_back(cpu);
  }
}

void read_mask(ByteReader& in, std::vector<uint32_t>& cpus) {
  uint16_t words = in.u16();
  uint16_t word_bytes = in.u16();
  bool wide = word_bytes == sizeof(uint64_t);
  if (wide) in.skip(sizeof(uint32_t));
  uint32_t first = 0;
  for (uint16_t i = 0; i < words && in.ok(); ++i) {
    uint64_t word = wide ? in.u64() : in.u32();
    for (uint32_t bit = 0; bit < word_bytes * 8u && bit < 64; ++bit) {
      if (((word >> bit) & 1) != 0) cpus.push_back(first + bit);
    }
    first += word_bytes * 8u;
  }
}

void read_range(ByteReader& in, std::vector<uint32_t>& cpus) {
  in.skip(2);  // "any CPU" and padding
  uint32_t first = in.u16();
  uint32_t last = in.u16();
  for (uint32_t cpu = first; cpu <= last && in.ok(); ++cpu) cpus.push_back(cpu);
}

}  // namespace

Result<std::vector<NamedThread>> decode_thread_map(const Record& record) {
  ByteReader in = record.reader();
  uint64_t count = in.u64();
  std::vector<NamedThread> threads;
  for (uint64_t i = 0; i < count && in.ok(); ++i) {
    uint64_t tid = in.u64();
    threads.push_back({.tid = tid, .name = std::string(in.text(kThreadNameBytes))});
  }
  if (!in.ok()) return short_record(record);
  return threads;
}

void encode_thread_map(const std::vector<NamedThread>& threads, ByteWriter& payload) {
  payload.u64(threads.size());
  for (const NamedThread& thread : threads) {
    payload.u64(thread.tid);
    size_t length = std::min(thread.name.size(), kThreadNameBytes - 1);
    payload.text(std::string_view(thread.name).substr(0, length));
    for (size_t i = length; i < kThreadNameBytes; ++i) payload.u8(0);
  }
}

Result<std::vector<uint32_t>> decode_cpu_map(const Record& record) {
  ByteReader in = record.reader();
  std::vector<uint32_t> cpus;
  switch (in.u16()) {
    case kList:
      read_cpu_list(in, cpus);
      break;
    case kMask:
      read_mask(in, cpus);
      break;
    case kRange:
      read_range(in, cpus);
      break;
    default:
      return make_error(ErrorCode::kUnsupported, "the CPU_MAP record at offset {} is of an unknown kind",
                        record.file_offset);
  }
  if (!in.ok()) return short_record(record);
  std::sort(cpus.begin(), cpus.end());
  return cpus;
}

void encode_cpu_map(const std::vector<uint32_t>& cpus, ByteWriter& payload) {
  payload.u16(kList);
  payload.u16(static_cast<uint16_t>(cpus.size()));
  for (uint32_t cpu : cpus) payload.u16(static_cast<uint16_t>(cpu));
  payload.pad_to(8);
}

}  // namespace hm::record
