// SPDX-License-Identifier: MIT
#include "record/aux.h"

#include <array>

namespace hm::record {
namespace {

constexpr std::array kTraceKinds{"hardware", "Intel PT",    "Intel BTS",     "CoreSight",
                                 "ARM SPE",  "s390 CPUMSF", "HiSilicon PTT", "VPA DTL"};

}  // namespace

std::string_view trace_kind_name(uint32_t kind) {
  return kind < kTraceKinds.size() ? kTraceKinds[kind] : kTraceKinds[0];
}

Result<Aux> decode_aux(const Record& record) {
  ByteReader in = record.reader();
  Aux aux{.offset_bytes = in.u64(), .size_bytes = in.u64(), .flags = in.u64()};
  if (!in.ok()) return short_record(record);
  return aux;
}

Result<ItraceStart> decode_itrace_start(const Record& record) {
  ByteReader in = record.reader();
  ItraceStart start{.pid = in.u32(), .tid = in.u32()};
  if (!in.ok()) return short_record(record);
  return start;
}

Result<Auxtrace> decode_auxtrace(const Record& record) {
  ByteReader in = record.reader();
  Auxtrace trace{.size_bytes = in.u64(), .offset_bytes = in.u64(), .reference = in.u64()};
  trace.index = in.u32();
  trace.tid = in.u32();
  trace.cpu = in.u32();
  if (!in.ok()) return short_record(record);
  return trace;
}

Result<uint32_t> decode_auxtrace_info(const Record& record) {
  ByteReader in = record.reader();
  uint32_t kind = in.u32();
  if (!in.ok()) return short_record(record);
  return kind;
}

void encode_aux(const Aux& aux, ByteWriter& payload) {
  payload.u64(aux.offset_bytes);
  payload.u64(aux.size_bytes);
  payload.u64(aux.flags);
}

void encode_itrace_start(const ItraceStart& start, ByteWriter& payload) {
  payload.u32(start.pid);
  payload.u32(start.tid);
}

void encode_auxtrace(const Auxtrace& trace, ByteWriter& payload) {
  payload.u64(trace.size_bytes);
  payload.u64(trace.offset_bytes);
  payload.u64(trace.reference);
  payload.u32(trace.index);
  payload.u32(trace.tid);
  payload.u32(trace.cpu);
  payload.u32(0);
}

}  // namespace hm::record
