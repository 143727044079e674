// SPDX-License-Identifier: MIT
// A record of a recording, with its payload not decoded: perf_event_open(2), "MMAP layout". For perf's own
// types from 64 on: tools/perf/Documentation/perf.data-file-format.txt in the Linux source.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/result.h"

namespace hm::record {

// Record types that perf adds to the kernel's (tools/lib/perf/include/perf/event.h).
enum UserRecordType : uint32_t {
  kHeaderAttr = 64,
  kHeaderEventType = 65,
  kHeaderTracingData = 66,
  kHeaderBuildId = 67,
  kFinishedRound = 68,
  kIdIndex = 69,
  kAuxtraceInfo = 70,
  kAuxtrace = 71,
  kAuxtraceError = 72,
  kThreadMap = 73,
  kCpuMap = 74,
  kStatConfig = 75,
  kStat = 76,
  kStatRound = 77,
  kEventUpdate = 78,
  kTimeConv = 79,
  kHeaderFeature = 80,
  kCompressed = 81,
  kFinishedInit = 82,
  kCompressed2 = 83,
  kBpfMetadata = 84,      // from Linux 6.17
  kSchedstatCpu = 85,     // from Linux 7.0
  kSchedstatDomain = 86,  // from Linux 7.0
};

// PERF_RECORD_CALLCHAIN_DEFERRED, the kernel's newest type (include/uapi/linux/perf_event.h), missing in
// older headers: the user-space call chain of earlier samples; see deferred_chain.h.
inline constexpr uint32_t kCallchainDeferred = 22;  // from Linux 6.19

inline constexpr size_t kRecordHeaderBytes = 8;
inline constexpr size_t kMaxRecordBytes =
    0xfff8;  // the largest multiple of 8 that fits into the u16 size of the header

// A view into the recording, valid for the lifetime of the Reader that returned it.
struct Record {
  uint32_t type = 0;         // PERF_RECORD_* or UserRecordType
  uint16_t misc = 0;         // PERF_RECORD_MISC_*
  bool swap = false;         // the recording is in the other byte order
  Bytes payload{};           // bytes after the 8-byte header
  uint64_t file_offset = 0;  // of the record, or of the COMPRESSED record that held it

  [[nodiscard]] ByteReader reader() const { return ByteReader(payload, swap); }
};

// Returns "SAMPLE", "MMAP2", "HEADER_ATTR", ...; "TYPE_200" for an unknown type.
[[nodiscard]] std::string record_name(uint32_t type);

// Returns the kDamaged error of decoders for a payload that ends before its last field.
[[nodiscard]] Error short_record(const Record& record);

// Appends a record: its header, `payload`, and zeros up to a multiple of 8. If the result exceeds the maximum
// record size, fails with kInvalidArgument and appends nothing.
Status append_record(ByteWriter& out, uint32_t type, uint16_t misc, Bytes payload);

// Appends a string in the format of record payloads: NUL-terminated, padded with zeros to a multiple of 8.
void append_name(ByteWriter& payload, std::string_view name);

}  // namespace hm::record
