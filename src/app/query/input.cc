// SPDX-License-Identifier: MIT
#include "app/query/input.h"

#include <filesystem>
#include <fstream>

#include "base/mapped_file.h"
#include "dump/reader.h"

namespace hm::query {
namespace {

constexpr size_t kBeginningBytes = 4096;

bool is_dump_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  std::string beginning(kBeginningBytes, '\0');
  std::ifstream file(path, std::ios::binary);
  file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
  beginning.resize(static_cast<size_t>(std::max<std::streamsize>(file.gcount(), 0)));
  return dump::is_dump(beginning);
}

std::string_view text_of(Bytes bytes) { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }

}  // namespace

Result<Input> Input::open(const std::string& path) {
  if (is_dump_file(path)) return from_dump(path);
  Result<record::Reader> reader = record::Reader::open(path);
  if (!reader) return reader.error();
  return Input(*std::move(reader));
}

Result<Input> Input::from_dump(const std::string& path) {
  Result<MappedFile> file = MappedFile::open(path);
  if (!file) return file.error();
  Result<dump::Dump> dump = dump::read(text_of(file->bytes()));
  if (!dump) return make_error(dump.error().code, "cannot read {}: {}", path, dump.error().message);
  std::vector<std::byte> converted = dump::as_recording(*dump);
  Result<record::Reader> reader = record::Reader::over(converted);
  if (!reader) return reader.error();
  Input input(*std::move(reader));
  input.converted_ = std::move(converted);  // moving the vector does not move its bytes
  if (dump->damaged_lines != 0)
    input.problems_.push_back(fmt::format("{} lines of the dump are not samples; the first is line {}",
                                          dump->damaged_lines, dump->first_damaged_line));
  if (!dump->header.collected && !dump->header.event.empty())
    input.problems_.emplace_back("the dump was not finished: its header lacks the number of samples");
  return input;
}

}  // namespace hm::query
