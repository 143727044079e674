// SPDX-License-Identifier: MIT
#include "event/hardware/event_row.h"

#include "event/event_template.h"

namespace hm::event {

Error not_to_be_had(EventId id, std::string_view cpu_title, std::string_view reason) {
  return make_error(ErrorCode::kUnsupported, "{} is not to be had from the hardware of {}: {}",
                    event_template(id).name, cpu_title, reason);
}

Encoding encoding_of(const EventRow& row) {
  Encoding encoding;
  encoding.config = row.config;
  encoding.native = row.native;
  encoding.note = row.note;
  encoding.branch_stack = true;
  switch (row.sampling) {
    case Sampling::kSkids:
      break;
    case Sampling::kDistributed:
      encoding.max_precise_ip = 3;
      break;
    case Sampling::kAccess:
      encoding.data_address = encoding.weight = encoding.data_source = true;
      [[fallthrough]];
    case Sampling::kPrecise:
      encoding.max_precise_ip = 2;
      break;
  }
  return encoding;
}

}  // namespace hm::event
