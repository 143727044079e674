// SPDX-License-Identifier: MIT
#include "record/perf_record.h"

#include <fmt/format.h>
#include <linux/perf_event.h>

#include <array>

namespace hm::record {
namespace {

constexpr auto kKernelNames = [] {
  std::array<const char*, 23> names{};
  names[PERF_RECORD_MMAP] = "MMAP";
  names[PERF_RECORD_LOST] = "LOST";
  names[PERF_RECORD_COMM] = "COMM";
  names[PERF_RECORD_EXIT] = "EXIT";
  names[PERF_RECORD_THROTTLE] = "THROTTLE";
  names[PERF_RECORD_UNTHROTTLE] = "UNTHROTTLE";
  names[PERF_RECORD_FORK] = "FORK";
  names[PERF_RECORD_READ] = "READ";
  names[PERF_RECORD_SAMPLE] = "SAMPLE";
  names[PERF_RECORD_MMAP2] = "MMAP2";
  names[PERF_RECORD_AUX] = "AUX";
  names[PERF_RECORD_ITRACE_START] = "ITRACE_START";
  names[PERF_RECORD_LOST_SAMPLES] = "LOST_SAMPLES";
  names[PERF_RECORD_SWITCH] = "SWITCH";
  names[PERF_RECORD_SWITCH_CPU_WIDE] = "SWITCH_CPU_WIDE";
  names[PERF_RECORD_NAMESPACES] = "NAMESPACES";
  names[PERF_RECORD_KSYMBOL] = "KSYMBOL";
  names[PERF_RECORD_BPF_EVENT] = "BPF_EVENT";
  names[PERF_RECORD_CGROUP] = "CGROUP";
  names[PERF_RECORD_TEXT_POKE] = "TEXT_POKE";
  names[PERF_RECORD_AUX_OUTPUT_HW_ID] = "AUX_OUTPUT_HW_ID";
  names[kCallchainDeferred] = "CALLCHAIN_DEFERRED";
  return names;
}();

constexpr auto kUserNames =
    std::to_array<const char*>({"HEADER_ATTR",   "HEADER_EVENT_TYPE", "HEADER_TRACING_DATA",
                                "BUILD_ID",      "FINISHED_ROUND",    "ID_INDEX",
                                "AUXTRACE_INFO", "AUXTRACE",          "AUXTRACE_ERROR",
                                "THREAD_MAP",    "CPU_MAP",           "STAT_CONFIG",
                                "STAT",          "STAT_ROUND",        "EVENT_UPDATE",
                                "TIME_CONV",     "HEADER_FEATURE",    "COMPRESSED",
                                "FINISHED_INIT", "COMPRESSED2",       "BPF_METADATA",
                                "SCHEDSTAT_CPU", "SCHEDSTAT_DOMAIN"});
static_assert(kUserNames.size() == kSchedstatDomain - kHeaderAttr + 1);

constexpr size_t kAlignment = 8;

}  // namespace

std::string record_name(uint32_t type) {
  if (type < kKernelNames.size() && kKernelNames[type] != nullptr) return kKernelNames[type];
  if (type >= kHeaderAttr && type - kHeaderAttr < kUserNames.size()) return kUserNames[type - kHeaderAttr];
  return fmt::format("TYPE_{}", type);
}

Error short_record(const Record& record) {
  return make_error(ErrorCode::kDamaged, "the {} record at offset {} is shorter than its fields",
                    record_name(record.type), record.file_offset);
}

Status append_record(ByteWriter& out, uint32_t type, uint16_t misc, Bytes payload) {
  size_t size = (kRecordHeaderBytes + payload.size() + kAlignment - 1) / kAlignment * kAlignment;
  if (size > kMaxRecordBytes) {
    return make_error(ErrorCode::kInvalidArgument, "a {} record of {} bytes is larger than the format's {}",
                      record_name(type), size, kMaxRecordBytes);
  }
  out.u32(type);
  out.u16(misc);
  out.u16(static_cast<uint16_t>(size));
  out.append(payload);
  for (size_t end = kRecordHeaderBytes + payload.size(); end < size; ++end) out.u8(0);
  return {};
}

void append_name(ByteWriter& payload, std::string_view name) {
  payload.text(name);
  payload.u8(0);
  payload.pad_to(kAlignment);
}

}  // namespace hm::record
