// SPDX-License-Identifier: MIT
// The input is one record of any kind: its type, its misc bits, the byte order, an attr, and the payload.
// What a decoder accepts and an encoder wrote, they must accept and write again, to the same bytes.
#include "record/example_again.h"

#include "input.h"

namespace {

using namespace hm;
using namespace hm::record;

constexpr uint16_t kMiscBuildIdSize = 1U << 15;  // PERF_RECORD_MISC_BUILD_ID_SIZE: always there when written

// CPUs of a mask may be more, and have higher numbers, than the list that is written can hold.
bool comes_back(uint32_t type) { return type != kCpuMap; }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ByteReader in(fuzz::input(data, size));
  Record record = fuzz::read_record_head(in);
  perf_event_attr attr = fuzz::read_attr(in);
  record.payload = in.rest();
  (void)record_name(record.type);
  auto once = example::encoded_again(attr, record);
  if (!once.has_value() || !comes_back(record.type)) return 0;
  auto misc = static_cast<uint16_t>(record.misc | (record.type == kHeaderBuildId ? kMiscBuildIdSize : 0));
  Record written{.type = record.type, .misc = misc, .payload = *once};
  fuzz::require(example::encoded_again(attr, written) == once);
  return 0;
}
