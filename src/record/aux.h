// SPDX-License-Identifier: MIT
// Records about hardware traces. PERF_RECORD_AUX (kernel): the trace has grown. PERF_RECORD_ITRACE_START
// (kernel): it began. AUXTRACE_INFO (perf): its kind. AUXTRACE (perf): a piece of trace data follows the
// record.
#pragma once

#include <cstdint>
#include <string_view>

#include "record/perf_record.h"

namespace hm::record {

struct Aux {
  uint64_t offset_bytes = 0;
  uint64_t size_bytes = 0;
  uint64_t flags = 0;  // PERF_AUX_FLAG_*

  bool operator==(const Aux&) const = default;
};

struct ItraceStart {
  uint32_t pid = 0;
  uint32_t tid = 0;

  bool operator==(const ItraceStart&) const = default;
};

struct Auxtrace {
  uint64_t size_bytes = 0;  // of the trace data after the record; not included in the record's own size
  uint64_t offset_bytes = 0;
  uint64_t reference = 0;
  uint32_t index = 0;
  uint32_t tid = 0;
  uint32_t cpu = 0;

  bool operator==(const Auxtrace&) const = default;
};

// Returns "Intel PT", "ARM SPE", ...; "hardware" for a kind without a name in this table.
[[nodiscard]] std::string_view trace_kind_name(uint32_t kind);

Result<Aux> decode_aux(const Record& record);
Result<ItraceStart> decode_itrace_start(const Record& record);
Result<Auxtrace> decode_auxtrace(const Record& record);
// Returns the kind of trace: enum auxtrace_type, tools/perf/util/auxtrace.h in the Linux source.
Result<uint32_t> decode_auxtrace_info(const Record& record);
void encode_aux(const Aux& aux, ByteWriter& payload);
void encode_itrace_start(const ItraceStart& start, ByteWriter& payload);
void encode_auxtrace(const Auxtrace& trace, ByteWriter& payload);

}  // namespace hm::record
