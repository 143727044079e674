// SPDX-License-Identifier: MIT
// The input is the records of a pipe with a valid head, so that all of it reaches the record reader. Each
// byte of the input belongs to at most one record.
#include "input.h"
#include "record/example_again.h"
#include "record/example_reading.h"

namespace {

using namespace hm;

constexpr size_t kMaxExpansion = size_t{1} << 16;  // of compressed data

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto head = record::example::pipe_with({});
  std::vector<std::byte> recording = head;
  Bytes records = fuzz::input(data, size);
  recording.insert(recording.end(), records.begin(), records.end());
  auto reader = record::Reader::over(recording);
  fuzz::require(reader.ok());
  size_t stored_bytes = 0;
  for (size_t count = 0; count < kMaxExpansion; ++count) {
    auto record = reader->next();
    if (!record.has_value()) break;
    bool is_stored = record->payload.data() >= recording.data() &&
                     record->payload.data() <= recording.data() + recording.size();
    if (is_stored) stored_bytes += record::kRecordHeaderBytes + record->payload.size();
    std::optional<size_t> event = reader->event_of(*record);
    fuzz::require(event.value_or(0) < reader->events().size());
    (void)record::example::encoded_again(reader->events()[event.value_or(0)].attr, *record);
  }
  fuzz::require(stored_bytes <= recording.size());
  return 0;
}
