// SPDX-License-Identifier: MIT
// The input is a sample of an event of any attr. The parsed sample can be written; reading and writing the
// result again yields the same bytes.
#include "record/sample.h"

#include "input.h"
#include "record/deferred_chain.h"
#include "record/occupancy_record.h"

namespace {

using namespace hm;

std::vector<std::byte> encoded(const perf_event_attr& attr, const record::Sample& sample) {
  ByteWriter out;
  record::encode_sample(attr, sample, out);
  return std::move(out).take();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ByteReader in(fuzz::input(data, size));
  bool swap = in.u8() % 2 != 0;
  perf_event_attr attr = fuzz::read_attr(in);
  auto first = record::decode_sample(attr, in.rest(), swap);
  if (!first.ok()) return 0;
  fuzz::touch(*first);
  (void)record::deferred_cookie(first->callchain);
  (void)record::decode_occupancy(first->raw, swap);
  std::vector<std::byte> once = encoded(attr, *first);
  auto second = record::decode_sample(attr, once, false);
  fuzz::require(second.ok());
  fuzz::require(encoded(attr, *second) == once);
  return 0;
}
