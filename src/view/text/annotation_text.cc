// SPDX-License-Identifier: MIT
#include "view/text/annotation_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "view/text/counts.h"
#include "view/text/format.h"

namespace hm::text {
namespace {

constexpr size_t kWidestInstruction = 72;  // the name of a call's target may fill a screen

std::string place_text(std::string_view file, uint32_t line) {
  if (line == 0) return "-";
  return fmt::format("{}:{}", file.substr(file.rfind('/') + 1), line);
}

std::string_view trimmed(std::string_view text) {
  size_t start = text.find_first_not_of(" \t");
  return start == std::string_view::npos ? std::string_view() : text.substr(start);
}

// "two.c:" before a function's name, as the filter takes it (profile/filter.h).
std::string file_prefix(std::string_view file) { return file.empty() ? "" : printable(file) + ":"; }

std::string others_text(const std::vector<annotate::OtherFunction>& others) {
  constexpr size_t kMost = 8;
  std::string out = "# other functions that match (name one of them as listed here):\n";
  for (size_t i = 0; i < std::min(others.size(), kMost); ++i)
    out +=
        fmt::format("#   {}{} in {}: {}\n", file_prefix(others[i].short_file), printable(others[i].function),
                    printable(others[i].dso), count_of(others[i].samples, "sample", "samples"));
  if (others.size() > kMost) out += fmt::format("#   and {} more\n", others.size() - kMost);
  return out;
}

std::string doubtful_text(const std::vector<annotate::DoubtfulSource>& sources) {
  constexpr size_t kMaxShown = 3;
  std::string out;
  for (size_t i = 0; i < std::min(sources.size(), kMaxShown); ++i)
    out += fmt::format("# source {}: {}\n", printable(sources[i].file), sources[i].problem);
  if (sources.size() > kMaxShown)
    out += fmt::format("# and {} more sources with such problems\n", sources.size() - kMaxShown);
  return out;
}

std::string head(const annotate::Annotation& result) {
  std::string inlined =
      result.inlined.empty() ? "" : fmt::format("{}, inlined into ", printable(result.inlined));
  std::string out = fmt::format("# function: {}{}{} in {}\n", inlined, file_prefix(result.short_file),
                                printable(result.function), printable(result.dso));
  for (const annotate::EventSummary& event : result.events) {
    out += fmt::format("# event {}: {} here, {} of all\n", printable(event.name),
                       count_of(event.samples, "sample", "samples"), share_text(event.share));
  }
  for (const annotate::MovedSource& moved : result.moved_sources)
    out += fmt::format("# source {}: {}{}\n", printable(moved.file), printable(moved.path),
                       moved.guessed ? ", guessed by its name and folders (--source-map FROM=TO)" : "");
  out += doubtful_text(result.doubtful_sources);
  if (!result.others.empty()) out += others_text(result.others);
  return out + "#\n";
}

std::string lines_table(const annotate::Annotation& result, const Style& style, size_t max_lines) {
  std::vector<Table::Heading> headings;
  add_count_headings(result.events, headings);
  if (result.latencies) add_latency_headings(headings);
  headings.push_back({"line", Align::kLeft});
  headings.push_back({"source", Align::kLeft});
  Table table(std::move(headings));
  size_t shown = max_lines == 0 ? result.lines.size() : std::min(max_lines, result.lines.size());
  for (size_t i = 0; i < shown; ++i) {
    const annotate::Line& line = result.lines[i];
    std::vector<std::string> cells;
    add_count_cells(result.events, line.counts, false, cells);
    if (result.latencies) add_latency_cells(line.latency, cells);
    cells.push_back(place_text(line.file, line.line));
    cells.emplace_back(trimmed(line.source.value_or("")));
    table.add(std::move(cells));
  }
  std::string out = table.render(style);
  if (shown < result.lines.size()) out += fmt::format("# {} more lines\n", result.lines.size() - shown);
  return out;
}

// Shows the source line only if it differs from the previous instruction's.
std::string instructions_table(const annotate::Annotation& result, const Style& style) {
  std::vector<Table::Heading> headings;
  add_count_headings(result.events, headings);
  if (result.latencies) add_latency_headings(headings);
  headings.push_back({"address"});
  headings.push_back({"instruction", Align::kLeft});
  headings.push_back({"line", Align::kLeft, Presence::kOptional});
  Table table(std::move(headings));
  std::string previous;
  for (const annotate::Instruction& instruction : result.instructions) {
    std::vector<std::string> cells;
    add_count_cells(result.events, instruction.counts, true, cells);
    if (result.latencies) add_latency_cells(instruction.latency, cells);
    cells.push_back(fmt::format("{:x}", instruction.address));
    cells.push_back(elided(instruction.text, kWidestInstruction));
    std::string place = place_text(instruction.file, instruction.line);
    cells.push_back(place == previous ? "" : place);
    previous = std::move(place);
    table.add(std::move(cells));
  }
  return table.render(style);
}

}  // namespace

std::string annotation(const annotate::Annotation& result, const Style& style, size_t max_lines) {
  std::string out = head(result) + lines_table(result, style, max_lines) + "\n";
  if (result.no_code) out += fmt::format("# no instructions: {}\n", printable(*result.no_code));
  return out + instructions_table(result, style);
}

}  // namespace hm::text
