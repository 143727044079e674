// SPDX-License-Identifier: MIT
#include "event/hardware/event_row.h"

#include "event/event_template.h"
#include "event/hardware/pfm.h"

namespace hm::event {

Error not_to_be_had(EventId id, std::string_view cpu_title, std::string_view reason) {
  return make_error(ErrorCode::kUnsupported, "{} is not available from the hardware of {}: {}",
                    event_template(id).name, cpu_title, reason);
}

Result<std::vector<Encoding>> encode_rows(
    EventTable rows, std::string_view cpu_title,
    const std::function<Result<Encoding>(const EventRow&)>& encode_row) {
  std::vector<Encoding> encodings;
  for (const EventRow& row : rows) {
    if (row.native.empty()) return not_to_be_had(row.id, cpu_title, row.note);
    Result<Encoding> encoding = encode_row(row);
    if (!encoding) return encoding.error();
    encodings.push_back(std::move(*encoding));
  }
  return encodings;
}

Encoding encoding_of(const EventRow& row) {
  Encoding encoding;
  encoding.config = row.config;
  encoding.config1 = row.config1;
  encoding.native = row.native;
  encoding.note = row.note;
  encoding.branch_stack = true;
  encoding.precise = row.sampling != Sampling::kSkids;
  encoding.keep = row.keep;
  if (!row.keep.keeps_all()) {
    encoding.data_source = true;
    encoding.period_unit = PeriodUnit::kOperations;
  }
  switch (row.sampling) {
    case Sampling::kSkids:
      break;
    case Sampling::kDistributed:
      encoding.max_precise_ip = 3;
      break;
    case Sampling::kAccess:
      encoding.data_address = true;
      [[fallthrough]];
    case Sampling::kPrecise:
      encoding.max_precise_ip = 2;
      break;
  }
  return encoding;
}

Result<Encoding> encoding_of(const EventRow& row, std::string_view pfm_tables) {
  Encoding encoding = encoding_of(row);
  if (row.config != 0) return encoding;
  Result<PfmCode> code = pfm_encode(pfm_tables, row.native);
  if (!code) return code.error();
  encoding.config = code->config;
  encoding.config1 = code->config1;
  return encoding;
}

}  // namespace hm::event
