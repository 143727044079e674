// SPDX-License-Identifier: MIT
// The input is one record of any kind: its type, its misc bits, the byte order, an attr, and the payload. If
// a decoder accepts the input, it must also accept the encoder's result, and encoding that again must yield
// the same bytes.
#include "record/example_again.h"

#include "input.h"

namespace {

using namespace hm;
using namespace hm::record;

constexpr uint16_t kMiscBuildIdSize = 1U << 15;  // PERF_RECORD_MISC_BUILD_ID_SIZE: the encoder always sets it

// A mask can have more CPUs, and higher numbers, than the written list can hold.
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
