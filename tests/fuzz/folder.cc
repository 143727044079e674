// SPDX-License-Identifier: MIT
// The input is a folder: the number of files data.0, data.1, ..., the size of each, their bytes, and the file
// "data".
#include "analysis/check/recording_check.h"
#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  hm::ByteReader in(hm::fuzz::input(data, size));
  std::vector<size_t> sizes(in.u8() % 4);
  for (size_t& bytes : sizes) bytes = in.u16();
  std::vector<hm::Bytes> parts;
  for (size_t bytes : sizes) parts.push_back(in.take(std::min(bytes, in.remaining())));
  auto reader = hm::record::Reader::over(in.rest(), parts);
  if (reader.ok()) (void)hm::analysis::check(*reader);
  return 0;
}
