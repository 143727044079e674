// SPDX-License-Identifier: MIT
// The input is a feature section of the header: its number, the byte order, its bytes. The parsed feature can
// be written; reading and writing the result again yields the same bytes.
#include "record/features.h"

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm::record;
  hm::ByteReader in(hm::fuzz::input(data, size));
  unsigned bit = in.u8();
  bool swap = in.u8() % 2 != 0;
  Features first;
  if (!decode_feature(bit, in.rest(), swap, first)) return 0;
  first.raw.clear();
  auto once = encode_features(first, first.events);
  Features second;
  for (const auto& [written, section] : once)
    hm::fuzz::require(decode_feature(written, section, false, second));
  second.raw.clear();
  hm::fuzz::require(encode_features(second, second.events) == once);
  return 0;
}
