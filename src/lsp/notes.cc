// SPDX-License-Identifier: MIT
#include "lsp/notes.h"

#include <fmt/format.h>

#include <filesystem>
#include <optional>

#include "app/query/explain_query.h"
#include "symbol/file_resolver.h"
#include "view/text/causes_text.h"
#include "view/text/counts.h"

namespace hm::lsp {
namespace {

// Limits of an editor's lines: beyond them a lens at every line would say nothing.
constexpr size_t kMaxPlaces = 300;   // of each event
constexpr double kMinShare = 0.001;  // of the event's samples
constexpr size_t kFoundPlaces = 5;   // of each event, with a diagnostic
constexpr double kMinFoundShare = 0.01;

// Finds the paths of source files on this machine, without links; empty if a file is not here.
class Paths {
 public:
  explicit Paths(const symbol::Resolver& resolver) : resolver_(resolver) {}

  const symbol::SourceFile& find(const std::string& recorded) {
    auto [known, is_new] = found_.try_emplace(recorded);
    if (!is_new) return known->second;
    std::optional<symbol::SourceFile> file = resolver_.source_file(recorded, "");
    std::error_code error;
    if (file) known->second = {std::filesystem::canonical(file->path, error).string(), file->guessed};
    return known->second;
  }

 private:
  const symbol::Resolver& resolver_;
  std::map<std::string, symbol::SourceFile> found_;  // by recorded path
};

Finding finding_of(const cause::EventCauses& event, const cause::HotLocation& place) {
  return {
      place.advice ? Severity::kInformation : Severity::kHint,
      place.advice ? std::string(cause::name_of(place.advice->pattern)) : "",
      fmt::format("{} of {}: {}", text::share_text(place.share), event.name, text::cause_sentence(place))};
}

void add(Note& note, const cause::EventCauses& event, size_t rank) {
  const cause::HotLocation& place = event.places[rank];
  note.lens +=
      fmt::format("{}{} {}", note.lens.empty() ? "" : ", ", event.name, text::share_text(place.share));
  note.hover += (note.hover.empty() ? "" : "\n") + text::place_of_event(event.name, place, {});
  bool is_hot = rank < kFoundPlaces && place.share && place.share->value >= kMinFoundShare;
  if (is_hot && !place.too_little) note.findings.push_back(finding_of(event, place));
}

}  // namespace

Result<Notes> read_notes(const std::string& recording, const query::Reading& reading) {
  symbol::FileResolver resolver = query::resolver_for(reading);
  query::ExplainOptions options{.input = recording, .reading = reading};
  options.cause.limit = kMaxPlaces;
  options.cause.min_share = kMinShare;
  Result<query::Explanation> found = query::explain(options, resolver);
  if (!found) return found.error();
  Paths paths(resolver);
  Notes notes;
  for (const cause::EventCauses& event : found->causes.events) {
    for (size_t rank = 0; rank < event.places.size(); ++rank) {
      const cause::HotLocation& place = event.places[rank];
      if (place.line == 0) continue;
      const symbol::SourceFile& file = paths.find(place.file);
      if (file.path.empty()) continue;
      Note& note = notes[file.path][place.line];
      if (note.hover.empty() && file.guessed)
        note.hover = fmt::format("guessed by its name: the recording has {}\n", place.file);
      add(note, event, rank);
    }
  }
  return notes;
}

}  // namespace hm::lsp
