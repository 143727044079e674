// SPDX-License-Identifier: MIT
// For tests and fuzzers: decodes any record and encodes it again in this machine's byte order.
#pragma once

#include <optional>
#include <vector>

#include "record/aux.h"
#include "record/build_id.h"
#include "record/comm.h"
#include "record/deferred_chain.h"
#include "record/event_records.h"
#include "record/id_index.h"
#include "record/ksymbol.h"
#include "record/lost.h"
#include "record/maps.h"
#include "record/mmap.h"
#include "record/read.h"
#include "record/sample.h"
#include "record/sample_id.h"
#include "record/switch.h"
#include "record/task.h"
#include "record/throttle.h"
#include "record/time_conv.h"

namespace hm::record::example {

// Encodes a decoded value with `encode`, which may fail if it returns a Status. Returns true if decoding and
// encoding succeed.
template <typename Decoded, typename Encode>
bool again(const Decoded& decoded, ByteWriter& out, Encode&& encode) {
  if (!decoded.ok()) return false;
  if constexpr (std::is_same_v<decltype(encode(*decoded, out)), Status>)
    return encode(*decoded, out).ok();
  else
    encode(*decoded, out);
  return true;
}

// For encoders that also write the record header: appends only the payload.
template <typename Decoded, typename Encode>
bool payload_again(const Decoded& decoded, ByteWriter& out, Encode&& encode) {
  ByteWriter whole;
  if (!again(decoded, whole, encode)) return false;
  out.append(whole.bytes().subspan(kRecordHeaderBytes));
  return true;
}

inline bool body_again(const perf_event_attr& attr, const Record& record, ByteWriter& out) {
  switch (record.type) {
    case PERF_RECORD_SAMPLE:
      return again(decode_sample(attr, record.payload, record.swap), out,
                   [&](const Sample& sample, ByteWriter& to) { encode_sample(attr, sample, to); });
    case PERF_RECORD_MMAP:
    case PERF_RECORD_MMAP2:
      return again(decode_mmap(record), out, encode_mmap);
    case PERF_RECORD_COMM:
      return again(decode_comm(record), out, encode_comm);
    case PERF_RECORD_FORK:
    case PERF_RECORD_EXIT:
      return again(decode_task(record), out, encode_task);
    case PERF_RECORD_LOST:
      return again(decode_lost(record), out, encode_lost);
    case PERF_RECORD_LOST_SAMPLES:
      return again(decode_lost(record), out,
                   [](const Lost& lost, ByteWriter& to) { encode_lost_samples(lost.count, to); });
    case PERF_RECORD_THROTTLE:
    case PERF_RECORD_UNTHROTTLE:
      return again(decode_throttle(record), out, encode_throttle);
    case PERF_RECORD_READ:
      return again(decode_read(record, attr.read_format), out, encode_read);
    case PERF_RECORD_SWITCH:
    case PERF_RECORD_SWITCH_CPU_WIDE:
      return again(decode_switch(record), out, [](const Switch& change, ByteWriter& to) {
        if (change.other.has_value()) encode_switch_cpu_wide(*change.other, to);
      });
    case PERF_RECORD_KSYMBOL:
      return again(decode_ksymbol(record), out, encode_ksymbol);
    case PERF_RECORD_AUX:
      return again(decode_aux(record), out, encode_aux);
    case PERF_RECORD_ITRACE_START:
      return again(decode_itrace_start(record), out, encode_itrace_start);
    case kCallchainDeferred:
      return again(decode_deferred_chain(record), out, encode_deferred_chain);
    case kHeaderAttr:
      return payload_again(decode_header_attr(record), out, encode_header_attr);
    case kHeaderBuildId:
      return payload_again(decode_build_id(record.payload, record.misc, record.swap), out, encode_build_id);
    case kHeaderFeature:
      return payload_again(decode_feature_record(record), out, encode_feature_record);
    case kHeaderEventType:
      return again(decode_event_type(record), out, [](const EventType& type, ByteWriter& to) {
        to.u64(type.config);
        append_name(to, type.name);
      });
    case kIdIndex:
      return again(decode_id_index(record), out, encode_id_index);
    case kAuxtraceInfo:
      return again(decode_auxtrace_info(record), out, [](uint32_t kind, ByteWriter& to) { to.u64(kind); });
    case kAuxtrace:
      return again(decode_auxtrace(record), out, encode_auxtrace);
    case kThreadMap:
      return again(decode_thread_map(record), out, encode_thread_map);
    case kCpuMap:
      return again(decode_cpu_map(record), out, encode_cpu_map);
    case kEventUpdate:
      return again(decode_event_update(record), out, encode_event_update);
    case kTimeConv:
      return again(decode_time_conversion(record), out, encode_time_conversion);
    default:
      return false;
  }
}

// Returns the encoded payload, with its sample id if `attr` defines one. Returns nullopt if the record is
// refused, is too short for the id, or has a type without a decoder.
inline std::optional<std::vector<std::byte>> encoded_again(const perf_event_attr& attr,
                                                           const Record& record) {
  bool ends_with_id = record.type < kHeaderAttr && record.type != PERF_RECORD_SAMPLE;
  if (ends_with_id && record.payload.size() < sample_id_bytes(attr)) return std::nullopt;
  ByteWriter out;
  if (!body_again(attr, record, out)) return std::nullopt;
  if (SampleId id = decode_sample_id(attr, record); id.type != 0) encode_sample_id(attr, id, out);
  return std::move(out).take();
}

}  // namespace hm::record::example
