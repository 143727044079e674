// SPDX-License-Identifier: MIT
// The input is a dump's text. A readable dump becomes a recording without problems, with every sample.
#include <algorithm>

#include "dump/reader.h"
#include "input.h"
#include "record/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace hm;
  std::string_view text = fuzz::text(data, size);
  (void)dump::is_dump(text);
  Result<dump::Dump> dump = dump::read(text);
  if (!dump) return 0;
  auto samples = std::ranges::count_if(
      dump->lines, [](const auto& line) { return std::holds_alternative<dump::Sample>(line); });
  std::vector<std::byte> bytes = dump::as_recording(*dump);
  auto reader = record::Reader::over(bytes);
  fuzz::require(reader.ok());
  while (auto record = reader->next()) samples -= record->type == PERF_RECORD_SAMPLE ? 1 : 0;
  fuzz::require(samples == 0 && reader->problems().empty());
  return 0;
}
