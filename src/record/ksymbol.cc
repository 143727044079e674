// SPDX-License-Identifier: MIT
#include "record/ksymbol.h"

namespace hm::record {

Result<Ksymbol> decode_ksymbol(const Record& record) {
  ByteReader in = record.reader();
  Ksymbol symbol{.address = in.u64(), .bytes = in.u32(), .kind = in.u16(), .flags = in.u16(), .name = {}};
  symbol.name = in.text(in.remaining());
  if (!in.ok()) return short_record(record);
  return symbol;
}

void encode_ksymbol(const Ksymbol& symbol, ByteWriter& payload) {
  payload.u64(symbol.address);
  payload.u32(symbol.bytes);
  payload.u16(symbol.kind);
  payload.u16(symbol.flags);
  append_name(payload, symbol.name);
}

}  // namespace hm::record
