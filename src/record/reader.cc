// SPDX-License-Identifier: MIT
#include "record/reader.h"

#include <fmt/format.h>

#include "record/contents.h"
#include "record/decompressor.h"
#include "record/record_cursor.h"
#include "record/source.h"

namespace hm::record {

struct Reader::State {
  State(Source from, Contents of)
      : source(std::move(from)),
        contents(std::move(of)),
        stored(contents.records, contents.swap, contents.records_offset) {}

  void decompress(const Record& record);
  void end();

  Source source;
  Contents contents;
  RecordCursor stored;        // the records as they stand in the file
  RecordCursor decompressed;  // those of the compressed record before
  uint64_t compressed_offset = 0;
  Decompressor decompressor;
  bool stream_is_damaged = false;
  bool has_ended = false;
};

// After damage the rest of the stream means nothing: one problem, and no more of its records.
void Reader::State::decompress(const Record& record) {
  if (stream_is_damaged) return;
  Result<Bytes> part = compressed_part(record);
  Result<Bytes> records = part.ok() ? decompressor.decompress(*part, contents.swap) : part;
  if (!records.ok()) {
    stream_is_damaged = true;
    contents.problems.push_back(
        fmt::format("the {} record at offset {} and those after it were not decompressed: {}",
                    record_name(record.type), record.file_offset, records.error().message));
    return;
  }
  decompressed = RecordCursor(*records, contents.swap, 0);
  compressed_offset = record.file_offset;
}

void Reader::State::end() {
  if (has_ended) return;
  has_ended = true;
  if (stream_is_damaged || decompressor.pending_bytes() == 0) return;
  contents.problems.push_back(
      fmt::format("the compressed records end inside a record, of which there are {} bytes",
                  decompressor.pending_bytes()));
}

Reader::Reader(std::unique_ptr<State> state) : state_(std::move(state)) {}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

Result<Reader> Reader::open(const std::string& path) {
  Result<Source> source = Source::open(path);
  if (!source.ok()) return std::move(source).error();
  Result<Contents> contents = read_contents(source->bytes());
  if (!contents.ok()) {
    return make_error(contents.error().code, "cannot read {}: {}", path, contents.error().message);
  }
  return Reader(std::make_unique<State>(std::move(*source), std::move(*contents)));
}

Result<Reader> Reader::over(Bytes bytes) {
  Result<Contents> contents = read_contents(bytes);
  if (!contents.ok()) return std::move(contents).error();
  return Reader(std::make_unique<State>(Source::over(bytes), std::move(*contents)));
}

const std::vector<EventDescription>& Reader::events() const { return state_->contents.events; }
const std::vector<IdPlace>& Reader::id_places() const { return state_->contents.id_places; }
const Features& Reader::features() const { return state_->contents.features; }
const std::vector<std::string>& Reader::problems() const { return state_->contents.problems; }
bool Reader::is_pipe() const { return state_->contents.is_pipe; }

std::optional<Record> Reader::next() {
  std::vector<std::string>& problems = state_->contents.problems;
  if (std::optional<Record> record = state_->decompressed.next(problems)) {
    record->file_offset = state_->compressed_offset;
    return record;
  }
  std::optional<Record> record = state_->stored.next(problems);
  if (!record.has_value()) {
    state_->end();
  } else if (record->type == kCompressed || record->type == kCompressed2) {
    state_->decompress(*record);
  }
  return record;
}

std::optional<size_t> Reader::event_of(const Record& record) const {
  return state_->contents.index.of_record(record);
}

}  // namespace hm::record
