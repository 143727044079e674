// SPDX-License-Identifier: MIT
#include "view/exports/firefox_thread.h"

#include <fmt/format.h>

#include <optional>

#include "symbol/files/names.h"
#include "view/exports/text.h"

namespace hm::exports {
namespace {

constexpr int kLibraryResource = 1;  // resourceTypes.library in src/profile-logic/data-structures.ts

// Writes a column of a table: "name":[...].
template <typename Rows, typename Text>
void write_column(Pieces& pieces, std::string_view name, const Rows& rows, Text text) {
  pieces << fmt::format(",\n\"{}\":[", name);
  const char* comma = "";
  for (const auto& row : rows) {
    pieces << comma << text(row);
    comma = ",";
  }
  pieces << "]";
}

std::string number_or_null(std::optional<uint64_t> number) {
  return number ? std::to_string(*number) : "null";
}

FrameCategory category_of(const profile::DsoRow& dso, uint32_t number) {
  if (dso.path.starts_with(symbol::kKernelPrefix) || dso.path.starts_with(symbol::kKernelCodePrefix))
    return FrameCategory::kKernel;
  return number == 0 ? FrameCategory::kOther : FrameCategory::kUser;
}

}  // namespace

uint32_t FirefoxThread::add_stack(size_t sample) {
  std::optional<uint32_t> node;
  for (const Frame* frame : stacks_.of(sample))
    node = tree_.child(node, frames_.number_of({frame->location, frame->depth}));
  return *node;
}

void FirefoxThread::write_tables(Pieces& pieces) {
  write_stacks(pieces);
  write_frames(pieces);
  write_functions(pieces);
  write_resources(pieces);
  pieces << R"(,"nativeSymbols":{"length":0,"libIndex":[],"address":[],"name":[],"functionSize":[]})";
  write_strings(pieces);
}

void FirefoxThread::write_stacks(Pieces& pieces) {
  const std::vector<StackTree::Node>& nodes = tree_.nodes();
  auto category = [&](const StackTree::Node& node) {
    uint32_t dso = profile_.locations[frames_.values()[node.frame].first].dso;
    return std::to_string(static_cast<int>(category_of(profile_.dsos[dso], dso)));
  };
  pieces << fmt::format(",\"stackTable\":{{\"length\":{}", nodes.size());
  write_column(pieces, "frame", nodes, [](const auto& node) { return std::to_string(node.frame); });
  write_column(pieces, "prefix", nodes, [](const auto& node) { return number_or_null(node.parent); });
  write_column(pieces, "category", nodes, category);
  write_column(pieces, "subcategory", nodes, [](const auto&) { return "0"; });
  pieces << "}";
}

void FirefoxThread::write_frames(Pieces& pieces) {
  using Place = std::pair<uint32_t, uint32_t>;
  const std::vector<Place>& places = frames_.values();
  auto frame_of = [&](const Place& place) -> const Frame& {
    const std::vector<Frame>& frames = stacks_.at(place.first);
    return frames[frames.size() - 1 - place.second];
  };
  auto line = [&](const Place& place) {
    uint32_t number = frame_of(place).line;
    return number == 0 ? std::string("null") : std::to_string(number);
  };
  auto category = [&](const Place& place) {
    uint32_t dso = profile_.locations[place.first].dso;
    return std::to_string(static_cast<int>(category_of(profile_.dsos[dso], dso)));
  };
  pieces << fmt::format(",\"frameTable\":{{\"length\":{}", places.size());
  write_column(pieces, "address", places,
               [&](const Place& place) { return std::to_string(profile_.locations[place.first].address); });
  write_column(pieces, "inlineDepth", places,
               [](const Place& place) { return std::to_string(place.second); });
  write_column(pieces, "category", places, category);
  write_column(pieces, "subcategory", places, [](const Place&) { return "0"; });
  write_column(pieces, "func", places, [&](const Place& place) {
    return std::to_string(functions_.number_of(frame_of(place).function));
  });
  write_column(pieces, "line", places, line);
  for (std::string_view name : {"nativeSymbol", "innerWindowID", "implementation", "column"})
    write_column(pieces, name, places, [](const Place&) { return "null"; });
  pieces << "}";
}

void FirefoxThread::write_functions(Pieces& pieces) {
  const std::vector<uint32_t>& numbers = functions_.values();
  auto resource = [&](uint32_t number) -> std::string {
    uint32_t dso = stacks_.function(number).dso;
    return dso == 0 ? "-1" : std::to_string(resources_.number_of(dso));
  };
  auto file = [&](uint32_t number) -> std::string {
    const std::string& name = stacks_.function(number).file;
    return name.empty() ? "null" : std::to_string(strings_.number_of(name));
  };
  pieces << fmt::format(",\"funcTable\":{{\"length\":{}", numbers.size());
  write_column(pieces, "name", numbers, [&](uint32_t number) {
    return std::to_string(strings_.number_of(stacks_.function(number).name));
  });
  for (std::string_view name : {"isJS", "relevantForJS"})
    write_column(pieces, name, numbers, [](uint32_t) { return "false"; });
  write_column(pieces, "resource", numbers, resource);
  write_column(pieces, "fileName", numbers, file);
  for (std::string_view name : {"lineNumber", "columnNumber"})
    write_column(pieces, name, numbers, [](uint32_t) { return "null"; });
  pieces << "}";
}

void FirefoxThread::write_resources(Pieces& pieces) {
  const std::vector<uint32_t>& dsos = resources_.values();
  pieces << fmt::format(",\"resourceTable\":{{\"length\":{}", dsos.size());
  write_column(pieces, "lib", dsos, [&](uint32_t dso) { return std::to_string(libs_.number_of(dso)); });
  write_column(pieces, "name", dsos, [&](uint32_t dso) {
    return std::to_string(strings_.number_of(std::string(profile_.dsos[dso].name())));
  });
  write_column(pieces, "host", dsos, [](uint32_t) { return "null"; });
  write_column(pieces, "type", dsos, [](uint32_t) { return std::to_string(kLibraryResource); });
  pieces << "}";
}

void FirefoxThread::write_strings(Pieces& pieces) {
  write_column(pieces, "stringArray", strings_.values(),
               [](const std::string& text) { return json_text(text); });
}

}  // namespace hm::exports
