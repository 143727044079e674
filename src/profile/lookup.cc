// SPDX-License-Identifier: MIT
#include "profile/lookup.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "symbol/library_files.h"

namespace hm::profile {

std::string build_id_to_look_up(const DsoRow& dso) {
  switch (dso.file) {
    case FileState::kForeign:
      return symbol::kNotHere;
    case FileState::kChanged:
      return symbol::kChanged;
    case FileState::kSame:
      break;
  }
  return dso.build_id;
}

const symbol::Object* object_of(const Profile& profile, const symbol::Resolver& resolver, uint32_t dso) {
  if (dso == 0) return nullptr;
  const DsoRow& row = profile.dsos[dso];
  return &resolver.object({row.path, build_id_to_look_up(row), row.process});
}

std::string address_text(const Profile& profile, const FunctionRow& function) {
  return fmt::format("[{}+{:#x}]", profile.dsos[function.dso].name(), function.start);
}

std::vector<symbol::Frame> frames_at(const Profile& profile, const symbol::Resolver& resolver,
                                     uint32_t location) {
  const Location& place = profile.locations[location];
  const symbol::Object* object = object_of(profile, resolver, place.dso);
  if (object != nullptr) return object->frames_at(place.offset);
  return {{profile.functions[place.function].name, {}, 0, false}};
}

namespace {

// Names of C have neither parameters nor classes.
bool is_of_c_header(const symbol::Frame& frame) {
  return frame.inlined && frame.file.ends_with(".h") &&
         frame.function.find_first_of(":(<") == std::string::npos;
}

// Returns true for functions that are not listed if others are.
bool is_of_header(const symbol::Frame& frame) {
  return symbol::is_of_library(frame.file) || is_of_c_header(frame) || frame.function.empty();
}

}  // namespace

std::vector<WrittenFunction> written_functions_at(const Profile& profile, const symbol::Resolver& resolver,
                                                  uint32_t location) {
  const Location& place = profile.locations[location];
  const std::string& symbol = profile.functions[place.function].name;
  if (place.dso == 0) return {{symbol, {}, false, 1}};
  std::vector<symbol::Frame> frames = frames_at(profile, resolver, location);
  std::vector<WrittenFunction> functions;
  auto add = [&](size_t i, std::string name) {
    symbol::Frame& frame = frames[i];
    functions.push_back({std::move(name), std::move(frame.file), frame.inlined, i + 1, frame.line});
  };
  bool only_headers = std::ranges::all_of(frames, is_of_header);
  for (size_t i = 0; i < frames.size(); ++i) {
    bool listed = only_headers ? i == 0 && !frames[i].function.empty() : !is_of_header(frames[i]);
    if (frames[i].inlined && listed) add(i, std::move(frames[i].function));
  }
  add(frames.size() - 1, symbol);
  functions.back().inlined = false;
  return functions;
}

FunctionFiles files_of_function(const Profile& profile, const symbol::Resolver& resolver, uint32_t location) {
  FunctionFiles files{frames_at(profile, resolver, location).back().file, {}};
  const FunctionRow& function = profile.functions[profile.locations[location].function];
  const symbol::Object* object = object_of(profile, resolver, function.dso);
  if (object != nullptr && function.size != 0) files.unit = object->unit_file(function.start);
  return files;
}

std::vector<std::string> distinct_files(const std::vector<FunctionFiles>& functions) {
  const auto all = [&](std::string FunctionFiles::*file) {
    std::vector<std::string> files;
    files.reserve(functions.size());
    for (const FunctionFiles& each : functions) files.push_back(each.*file);
    return files;
  };
  const auto distinct = [](const std::vector<std::string>& files) {
    return std::set<std::string_view>(files.begin(), files.end()).size();
  };
  std::vector<std::string> sources = all(&FunctionFiles::source), units = all(&FunctionFiles::unit);
  return distinct(units) > distinct(sources) ? units : sources;
}

symbol::SourceLine line_at(const Profile& profile, const symbol::Resolver& resolver, uint32_t location) {
  const Location& place = profile.locations[location];
  const symbol::Object* object = object_of(profile, resolver, place.dso);
  return object == nullptr ? symbol::SourceLine() : object->line_at(place.address);
}

symbol::SourceLine outer_line_at(const Profile& profile, const symbol::Resolver& resolver,
                                 uint32_t location) {
  symbol::Frame function = frames_at(profile, resolver, location).back();
  return {std::move(function.file), function.line};
}

std::string data_remark(const symbol::Object& object, const symbol::Instruction& instruction) {
  if (!instruction.data) return {};
  std::string text = fmt::format("        # {:x}", *instruction.data);
  std::optional<symbol::DataObject> data = object.data_at(*instruction.data);
  if (!data || !data->known()) return text;
  uint64_t offset = *instruction.data - data->start;
  return text +
         (offset == 0 ? fmt::format(" <{}>", data->name) : fmt::format(" <{}+{:#x}>", data->name, offset));
}

void take_problems(const symbol::Resolver& resolver, Profile& profile) {
  for (std::string& problem : resolver.problems()) {
    if (std::ranges::find(profile.notes, problem) == profile.notes.end())
      profile.notes.push_back(std::move(problem));
  }
}

}  // namespace hm::profile
