// SPDX-License-Identifier: MIT
// The input is one record of any kind: a byte that says which decoder, a byte of options, the misc bits, an
// attr, and the payload. Whatever a decoder accepts, it must accept again when encoded.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "record/attr.h"
#include "record/aux.h"
#include "record/build_id.h"
#include "record/comm.h"
#include "record/event_records.h"
#include "record/features.h"
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

namespace hm::record {
namespace {

constexpr size_t kAttrBytes = sizeof(perf_event_attr);
constexpr unsigned kFirstFeatureChoice = 32;  // choices from here on: a feature section, of bit 0 on

// A sample that was read can be written, and what was written can be read and written to the same bytes.
void sample_again(const perf_event_attr& attr, const Record& record) {
  auto first = decode_sample(attr, record.payload, record.swap);
  if (!first.ok()) return;
  ByteWriter once;
  encode_sample(attr, *first, once);
  auto second = decode_sample(attr, once.bytes(), false);
  if (!second.ok()) std::abort();
  ByteWriter twice;
  encode_sample(attr, *second, twice);
  if (!std::equal(once.bytes().begin(), once.bytes().end(), twice.bytes().begin(), twice.bytes().end()))
    std::abort();
}

void mmap_again(Record record) {
  record.type = (record.type % 2) != 0 ? PERF_RECORD_MMAP : PERF_RECORD_MMAP2;
  auto first = decode_mmap(record);
  if (!first.ok()) return;
  ByteWriter out;
  encode_mmap(*first, out);
  Record again{.type = record_type_of(*first), .misc = misc_bits_of(*first), .payload = out.bytes()};
  auto second = decode_mmap(again);
  if (!second.ok() || second->path != first->path || second->address != first->address) std::abort();
}

void feature(unsigned bit, const Record& record) {
  Features features;
  (void)decode_feature(bit, record.payload, record.swap, features);
  (void)encode_features(features, features.events);
}

void decode(unsigned which, const perf_event_attr& attr, const Record& record) {
  switch (which) {
    case 0:
      return sample_again(attr, record);
    case 1:
      return mmap_again(record);
    case 2:
      return (void)decode_comm(record);
    case 3:
      return (void)decode_task(record);
    case 4:
      return (void)decode_lost(record);
    case 5:
      return (void)decode_throttle(record);
    case 6:
      return (void)decode_read(record, attr.read_format);
    case 7:
      return (void)decode_switch(record);
    case 8:
      return (void)decode_ksymbol(record);
    case 9:
      return (void)decode_aux(record);
    case 10:
      return (void)decode_auxtrace(record);
    case 11:
      return (void)decode_itrace_start(record);
    case 12:
      return (void)decode_time_conversion(record);
    case 13:
      return (void)decode_thread_map(record);
    case 14:
      return (void)decode_cpu_map(record);
    case 15:
      return (void)decode_id_index(record);
    case 16:
      return (void)decode_event_update(record);
    case 17:
      return (void)decode_header_attr(record);
    case 18:
      return (void)decode_event_type(record);
    case 19:
      return (void)decode_build_id(record.payload, record.misc, record.swap);
    case 20:
      return (void)decode_sample_id(attr, record);
    default:
      return feature(which - kFirstFeatureChoice, record);
  }
}

}  // namespace
}  // namespace hm::record

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm::record;
  hm::ByteReader in(std::as_bytes(std::span(data, size)));
  unsigned which = in.u8();
  uint8_t options = in.u8();
  Record record{.type = options / 2u, .misc = in.u16(), .swap = options % 2 != 0};
  auto attr = decode_attr(in.take(kAttrBytes), record.swap);
  record.payload = in.rest();
  if (in.ok()) decode(which, attr.ok() ? *attr : perf_event_attr{}, record);
  return 0;
}
