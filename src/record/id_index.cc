// SPDX-License-Identifier: MIT
#include "record/id_index.h"

namespace hm::record {

Result<std::vector<IdPlace>> decode_id_index(const Record& record) {
  ByteReader in = record.reader();
  uint64_t count = in.u64();
  std::vector<IdPlace> places;
  for (uint64_t i = 0; i < count && in.ok(); ++i) {
    IdPlace place{.id = in.u64(), .ring = in.u64()};
    place.cpu = static_cast<int64_t>(in.u64());
    place.tid = static_cast<int64_t>(in.u64());
    places.push_back(place);
  }
  if (!in.ok()) return short_record(record);
  return places;
}

void encode_id_index(const std::vector<IdPlace>& places, ByteWriter& payload) {
  payload.u64(places.size());
  for (const IdPlace& place : places) {
    payload.u64(place.id);
    payload.u64(place.ring);
    payload.u64(static_cast<uint64_t>(place.cpu));
    payload.u64(static_cast<uint64_t>(place.tid));
  }
}

}  // namespace hm::record
