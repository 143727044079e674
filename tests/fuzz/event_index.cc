// SPDX-License-Identifier: MIT
// The input is the attrs and ids of some events, and a record. The record belongs to one of the events or to
// none, and no id belongs to two events.
#include "record/event_index.h"

#include "input.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm::record;
  hm::ByteReader in(hm::fuzz::input(data, size));
  std::vector<EventDescription> events(in.u8() % 4);
  for (EventDescription& event : events) {
    event.attr = hm::fuzz::read_attr(in);
    event.ids = {in.u8(), in.u8()};
  }
  EventIndex index(events);
  Record record = hm::fuzz::read_record_head(in);
  record.payload = in.rest();
  std::optional<size_t> found = index.of_record(record);
  hm::fuzz::require(!found.has_value() || *found < events.size());
  for (size_t i = 0; i < events.size(); ++i) {
    for (uint64_t id : events[i].ids) hm::fuzz::require(index.of_id(id).value_or(events.size()) <= i);
  }
  return 0;
}
