// SPDX-License-Identifier: MIT
// The first byte of the input selects the meaning of the rest: pieces of a zstd stream, or records to
// compress and cut into pieces, which must decompress to the original records.
#include "record/decompressor.h"

#include <zstd.h>

#include <algorithm>

#include "input.h"

namespace {

using namespace hm;
using record::Decompressor;

constexpr size_t kPieceBytes = 300;

template <typename Use>
void in_pieces(Bytes bytes, Use&& use) {
  for (; !bytes.empty(); bytes = bytes.subspan(std::min(kPieceBytes, bytes.size())))
    use(bytes.first(std::min(kPieceBytes, bytes.size())));
}

void stream_of_strangers(Bytes stream, bool swap) {
  Decompressor decompressor;
  bool good = true;
  in_pieces(stream, [&](Bytes piece) { good = good && decompressor.decompress(piece, swap).ok(); });
}

void records_come_back(Bytes records) {
  std::vector<std::byte> stream(ZSTD_compressBound(records.size()));
  stream.resize(ZSTD_compress(stream.data(), stream.size(), records.data(), records.size(), 1));
  Decompressor decompressor;
  std::vector<std::byte> back;
  bool good = true;
  in_pieces(stream, [&](Bytes piece) {
    if (!good) return;
    Result<Bytes> whole = decompressor.decompress(piece, false);
    good = whole.ok();
    if (good) back.insert(back.end(), whole->begin(), whole->end());
  });
  fuzz::require(std::equal(back.begin(), back.end(), records.begin()));
  if (good) fuzz::require(back.size() + decompressor.pending_bytes() == records.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  ByteReader in(fuzz::input(data, size));
  uint8_t what = in.u8();
  if (what % 2 == 0)
    stream_of_strangers(in.rest(), what % 4 == 0);
  else
    records_come_back(in.rest());
  return 0;
}
