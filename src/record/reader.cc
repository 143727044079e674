// SPDX-License-Identifier: MIT
#include "record/reader.h"

#include <fmt/format.h>

#include "record/contents.h"
#include "record/record_stream.h"
#include "record/recording_source.h"
#include "record/skipped_traces.h"

namespace hm::record {
namespace {

constexpr uint64_t kKnownFolderVersion = 1;  // PERF_DIR_VERSION, tools/perf/util/data.h

// The head of a folder records only that there are further files, not how many.
void check_folder(const Source& source, Contents& contents) {
  const std::optional<uint64_t>& version = contents.features.folder_version;
  if (!version.has_value()) return;
  if (!source.is_folder()) {
    contents.problems.emplace_back(
        "this is one file of a recording that is split over a folder: name the folder to read all of it");
  } else if (source.parts().empty()) {
    contents.problems.emplace_back("the folder has none of the files data.0, data.1, ... with its records");
  } else if (*version != kKnownFolderVersion) {
    contents.problems.push_back(
        fmt::format("the folder's layout is of version {}, and it was read as one of version {}", *version,
                    kKnownFolderVersion));
  }
}

}  // namespace

struct Reader::State {
  State(Source from, Contents of) : source(std::move(from)), contents(std::move(of)) {
    std::string name = source.is_folder() ? "data" : "";
    streams.emplace_back(std::move(name), contents.records, contents.swap, contents.records_offset);
    for (const SourcePart& part : source.parts())
      streams.emplace_back(part.name, part.records, contents.swap, 0);
  }

  Source source;
  Contents contents;
  std::vector<RecordStream> streams;
  size_t current = 0;  // index of the stream being read; the number of streams at the end
  SkippedTraces traces;
  std::vector<std::string> notes;
};

Reader::Reader(std::unique_ptr<State> state) : state_(std::move(state)) {}
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;
Reader::~Reader() = default;

Result<Reader> Reader::open(const std::string& path) {
  Result<Source> source = Source::open(path);
  if (!source.ok()) return std::move(source).error();
  Result<Reader> reader = from(std::move(*source));
  if (!reader.ok()) {
    return make_error(reader.error().code, "cannot read {}: {}", path == "-" ? "standard input" : path,
                      reader.error().message);
  }
  return reader;
}

Result<Reader> Reader::over(Bytes bytes, const std::vector<Bytes>& parts) {
  std::vector<SourcePart> named;
  named.reserve(parts.size());
  for (Bytes part : parts) named.push_back({fmt::format("data.{}", named.size()), part});
  return from(Source::over(bytes, std::move(named)));
}

Result<Reader> Reader::from(Source source) {
  Result<Contents> contents = read_contents(source.bytes());
  if (!contents.ok()) return std::move(contents).error();
  contents->problems.insert(contents->problems.end(), source.problems().begin(), source.problems().end());
  check_folder(source, *contents);
  return Reader(std::make_unique<State>(std::move(source), std::move(*contents)));
}

const std::vector<EventDescription>& Reader::events() const { return state_->contents.events; }
const std::vector<IdPlace>& Reader::id_places() const { return state_->contents.id_places; }
const Features& Reader::features() const { return state_->contents.features; }
const std::vector<std::string>& Reader::problems() const { return state_->contents.problems; }
const std::vector<std::string>& Reader::notes() const { return state_->notes; }
bool Reader::is_pipe() const { return state_->contents.is_pipe; }

std::optional<Record> Reader::next() {
  State& state = *state_;
  for (; state.current < state.streams.size(); ++state.current) {
    std::optional<Record> record = state.streams[state.current].next(state.contents.problems);
    if (!record.has_value()) continue;
    state.traces.take(*record);
    return record;
  }
  if (state.notes.empty()) {
    if (std::optional<std::string> note = state.traces.note()) state.notes.push_back(*note);
  }
  return std::nullopt;
}

std::optional<size_t> Reader::event_of(const Record& record) const {
  return state_->contents.index.of_record(record);
}

std::optional<size_t> Reader::event_of_id(uint64_t id) const { return state_->contents.index.of_id(id); }

}  // namespace hm::record
