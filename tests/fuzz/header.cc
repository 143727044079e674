// SPDX-License-Identifier: MIT
// The input is the head of a file, an attr in the file's format, and the newest description of a recording.
#include "record/file_header.h"

#include "input.h"
#include "record/attr.h"
#include "record/newest_description.h"

namespace {

using namespace hm;
using namespace hm::record;

void header_again(Bytes input) {
  Result<FileHeader> header = decode_file_header(input);
  if (!header.ok()) return;
  ByteWriter once;
  encode_file_header(*header, once);
  Result<FileHeader> again = decode_file_header(once.bytes());
  fuzz::require(again.ok() && again->is_pipe == header->is_pipe && again->features == header->features);
  fuzz::require(again->data.offset == header->data.offset && again->attr_bytes == header->attr_bytes);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Bytes input = fuzz::input(data, size);
  header_again(input);
  for (bool swap : {false, true}) {
    if (auto newest = decode_newest_description(input, swap)) fuzz::require(newest->size() < input.size());
    Result<perf_event_attr> attr = decode_attr(input, swap);
    fuzz::require(attr.ok() == (stored_attr_bytes(input, swap) != 0));
    if (attr.ok()) fuzz::require(attr->size == sizeof *attr);
  }
  return 0;
}
