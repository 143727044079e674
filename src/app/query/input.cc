// SPDX-License-Identifier: MIT
#include "app/query/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

#include "dump/reader.h"
#include "record/recording_source.h"

namespace hm::query {
namespace {

constexpr size_t kBeginningBytes = 4096;

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace

Result<Input> Input::open(const std::string& path) {
  Result<record::Source> source = record::Source::open(path);
  if (!source) return source.error();
  std::string_view text = text_of(source->bytes());
  Result<Input> input =
      dump::is_dump(text.substr(0, kBeginningBytes)) ? from_dump(text) : from_recording(*std::move(source));
  if (input) return input;
  return make_error(input.error().code, "cannot read {}: {}", path == "-" ? "standard input" : path,
                    input.error().message);
}

Result<Input> Input::from_recording(record::Source source) {
  Result<record::Reader> reader = record::Reader::from(std::move(source));
  if (!reader) return reader.error();
  return Input(*std::move(reader));
}

Result<Input> Input::from_dump(std::string_view text) {
  Result<dump::Dump> dump = dump::read(text);
  if (!dump) return dump.error();
  std::vector<std::byte> converted = dump::as_recording(*dump);
  Result<record::Reader> reader = record::Reader::over(converted);
  if (!reader) return reader.error();
  Input input(*std::move(reader));
  input.converted_ = std::move(converted);  // moving the vector does not move its bytes
  if (dump->damaged_lines != 0)
    input.problems_.push_back(fmt::format("{} lines of the dump are not samples; the first is line {}",
                                          dump->damaged_lines, dump->first_damaged_line));
  uint64_t samples = static_cast<uint64_t>(std::ranges::count_if(
      dump->lines, [](const auto& line) { return std::holds_alternative<dump::Sample>(line); }));
  if (dump->header.collected && samples < *dump->header.collected)
    input.problems_.push_back(fmt::format("the dump is incomplete: {} samples were written, and {} are in it",
                                          *dump->header.collected, samples));
  if (!dump->header.collected && !dump->header.event.empty())
    input.problems_.emplace_back("the dump was not finished: its header lacks the number of samples");
  return input;
}

}  // namespace hm::query
