// SPDX-License-Identifier: MIT
#include "view/json/annotation_json.h"

#include <utility>

#include "view/json/recording_json.h"
#include "view/json/values.h"

namespace hm::json {
namespace {

Json file_or_null(const std::string& file) { return file.empty() ? Json() : Json(file); }
Json line_or_null(uint32_t line) { return line == 0 ? Json() : Json(line); }

Json line_json(const annotate::Annotation& result, const annotate::Line& line) {
  Json json{
      {"file", file_or_null(line.file)}, {"line", line_or_null(line.line)}, {"source", or_null(line.source)}};
  add_counts(result.events, line.counts, json);
  if (result.latencies) json["latency_cycles"] = to_json(line.latency);
  return json;
}

Json other_json(const annotate::OtherFunction& other) {
  return {{"function", other.function},
          {"file", text_or_null(other.file)},
          {"dso", other.dso},
          {"samples", other.samples}};
}

Json instruction_json(const annotate::Annotation& result, const annotate::Instruction& instruction) {
  Json json{{"address", instruction.address},
            {"text", instruction.text.empty() ? Json() : Json(instruction.text)},
            {"file", file_or_null(instruction.file)},
            {"line", line_or_null(instruction.line)}};
  add_counts(result.events, instruction.counts, json);
  if (result.latencies) json["latency_cycles"] = to_json(instruction.latency);
  return json;
}

}  // namespace

std::string annotation_json(const profile::Profile& profile, const annotate::Annotation& result) {
  Json json{{"schema", kSchema},
            {"recording", recording_json(profile)},
            {"function", result.function},
            {"inlined", text_or_null(result.inlined)},
            {"dso", result.dso},
            {"start", result.start},
            {"size", result.size},
            {"others", Json::array()},
            {"events", Json::object()},
            {"lines", Json::array()},
            {"instructions", Json::array()},
            {"moved_sources", Json::array()},
            {"doubtful_sources", Json::array()},
            {"no_code", or_null(result.no_code)}};
  for (const annotate::EventSummary& event : result.events) {
    json["events"][event.name] = {
        {"samples", event.samples}, {"estimated", or_null(event.estimated)}, {"share", to_json(event.share)}};
  }
  for (const annotate::OtherFunction& other : result.others) json["others"].push_back(other_json(other));
  for (const annotate::MovedSource& moved : result.moved_sources)
    json["moved_sources"].push_back({{"file", moved.file}, {"path", moved.path}, {"guessed", moved.guessed}});
  for (const annotate::DoubtfulSource& each : result.doubtful_sources)
    json["doubtful_sources"].push_back({{"file", each.file}, {"problem", each.problem}});
  for (const annotate::Line& line : result.lines) json["lines"].push_back(line_json(result, line));
  for (const annotate::Instruction& instruction : result.instructions) {
    json["instructions"].push_back(instruction_json(result, instruction));
  }
  return indented_json(json);
}

}  // namespace hm::json
