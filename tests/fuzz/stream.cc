// SPDX-License-Identifier: MIT
// The input is the records of a pipe whose head is whole, so that all of it goes to what reads records. Each
// byte of the input is in one record at most, or in none.
#include "input.h"
#include "record/example_again.h"
#include "record/example_reading.h"

namespace {

using namespace hm;

constexpr size_t kMostExpansion = size_t{1} << 16;  // of what is compressed

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  static const auto head = record::example::pipe_with({});
  std::vector<std::byte> recording = head;
  Bytes records = fuzz::input(data, size);
  recording.insert(recording.end(), records.begin(), records.end());
  auto reader = record::Reader::over(recording);
  fuzz::require(reader.ok());
  size_t stored_bytes = 0;
  for (size_t count = 0; count < kMostExpansion; ++count) {
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
