// SPDX-License-Identifier: MIT
#include "analysis/diff/baseline.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <set>
#include <utility>

#include "base/json.h"

namespace hm::diff {
namespace {

using Json =
    nlohmann::ordered_json;    // for writing: keeps the members in the order of insertion, for human readers
using Input = nlohmann::json;  // for reading: objects of untrusted files may have any number of members

constexpr int kSchema = 1;
constexpr const char* kKind = "hardmeter baseline";
constexpr double kGreatestExactInteger = 9e15;  // integers up to this value are exact in a double
constexpr size_t kMaxEvents = 1000;
constexpr size_t kMaxColumns = 10;

struct TextMember {
  const char* name;
  std::string Recording::*member;
};

constexpr TextMember kTexts[] = {
    {"recorder", &Recording::recorder},
    {"pmu", &Recording::pmu},
    {"engine", &Recording::engine},
    {"machine", &Recording::machine},
    {"costs", &Recording::costs},
    {"collected", &Recording::collected},
    {"reproducible", &Recording::reproducible},
    {"layout", &Recording::layout},
    {"cores", &Recording::cores},
    {"processor", &Recording::processor},
    {"processor_features", &Recording::processor_features},
    {"processor_caches", &Recording::processor_caches},
};

// Returns an integer if the value is one.
Json number(double value) {
  if (value >= 0 && value <= kGreatestExactInteger && value == std::floor(value))
    return static_cast<uint64_t>(value);
  return value;
}

bool is_kept(const Event& event, const RowCount& count, double rows_from) {
  return static_cast<double>(count.weight) >= rows_from * static_cast<double>(event.weight);
}

Json row_json(const Recording& recording, const Names& names, const RowCount& count) {
  Json row;
  for (size_t i = 0; i < names.size(); ++i) row[recording.columns[i]] = names[i];
  row["samples"] = count.samples;
  row["weight"] = count.weight;
  return row;
}

Json inlined_json(const Recording& recording, const Event& event, double rows_from) {
  Json list = Json::array();
  for (const auto& [part, count] : event.inlined) {
    auto row = event.rows.find(part.row);
    if (row == event.rows.end() || !is_kept(event, row->second, rows_from)) continue;
    Json json = row_json(recording, part.row, count);
    json["functions"] = part.functions;
    list.push_back(std::move(json));
  }
  return list;
}

// Returns the origins of functions that have a row in the file.
Json functions_json(const Recording& recording, double rows_from) {
  std::set<std::string> kept;
  std::optional<size_t> column = recording.function_column();
  for (const Event& event : recording.events) {
    for (const auto& [names, count] : event.rows) {
      if (column && is_kept(event, count, rows_from)) kept.insert(names[*column]);
    }
  }
  Json json = Json::object();
  for (const auto& [name, origin] : recording.origins) {
    if (!kept.contains(name)) continue;
    Json& function = json[name] = Json::object();
    if (!origin.name.empty()) function["name"] = origin.name;
    if (!origin.file.empty()) function["file"] = origin.file;
    if (origin.line != 0) function["line"] = origin.line;
    if (origin.code.instructions == 0) continue;
    function["instructions"] = origin.code.instructions;
    function["code"] = symbol::to_hex(origin.code);
  }
  return json;
}

Json rows_json(const Recording& recording, const Event& event, double rows_from) {
  std::vector<std::pair<Names, RowCount>> rows(event.rows.begin(), event.rows.end());
  std::erase_if(rows, [&](const auto& row) { return !is_kept(event, row.second, rows_from); });
  std::ranges::stable_sort(rows, std::greater<>(), [](const auto& row) { return row.second.weight; });
  Json list = Json::array();
  for (const auto& [names, count] : rows) list.push_back(row_json(recording, names, count));
  return list;
}

Json event_json(const Recording& recording, const Event& event, double rows_from) {
  Json json = Json::object();
  if (event.total) json["total"] = number(*event.total);
  if (event.counted) json["counted"] = true;
  if (event.running < 1) json["running"] = event.running;
  if (event.instructions) json["instructions"] = true;
  if (event.sampled) {
    Json& sampled = json["sampled"] = Json::object();
    if (event.complete) sampled["complete"] = true;
    sampled["samples"] = event.samples;
    sampled["effective_samples"] = event.effective_samples;
    sampled["weight"] = event.weight;
    sampled["rows"] = rows_json(recording, event, rows_from);
    if (recording.knows_inlines) sampled["inlined"] = inlined_json(recording, event, rows_from);
  }
  return json;
}

// Parses a baseline. `wrong` receives the name of the first invalid member, for an error message.
class BaselineReader {
 public:
  Recording read(const Input& json) {
    Recording out;
    out.baseline = true;
    for (const TextMember& each : kTexts) out.*each.member = text(json, each.name);
    out.command = texts(json, "command");
    out.remarks = texts(json, "remarks");
    out.columns = texts(json, "columns");
    out.partial = json.value("partial", Input(false)) == true;
    if (json.contains("rows_from")) out.rows_from = real(json, "rows_from", 1);
    if (out.pmu.empty()) complain("pmu");
    if (!may_be_columns(out.columns)) return complain("columns"), out;
    auto events = json.find("events");
    if (events == json.end() || !events->is_object() || events->size() > kMaxEvents)
      return complain("events"), out;
    for (const auto& [name, event] : events->items())
      out.events.push_back(read_event(name, event, out.columns));
    read_functions(json, out);
    out.knows_inlines = std::ranges::all_of(events->items(), [](const auto& event) {
      return !event.value().contains("sampled") || event.value()["sampled"].contains("inlined");
    });
    return out;
  }

  std::string wrong;

 private:
  // Each column is a member of a row's JSON object, so it must not clash with the row's other members.
  static bool may_be_columns(const std::vector<std::string>& columns) {
    std::set<std::string_view> names(columns.begin(), columns.end());
    return !columns.empty() && columns.size() <= kMaxColumns && names.size() == columns.size() &&
           !names.contains("samples") && !names.contains("weight") && !names.contains("functions");
  }

  void complain(const std::string& member) {
    if (wrong.empty()) wrong = member;
  }

  Event read_event(const std::string& name, const Input& json, const std::vector<std::string>& columns) {
    Event event;
    event.name = name;
    if (!json.is_object()) return complain("events"), event;
    if (json.contains("total")) event.total = real(json, "total", kGreatestExactInteger);
    event.counted = flag(json, "counted");
    event.instructions = flag(json, "instructions");
    if (json.contains("running")) event.running = real(json, "running", 1);
    auto sampled = json.find("sampled");
    if (sampled == json.end()) return event;
    if (!sampled->is_object()) return complain("sampled"), event;
    event.sampled = true;
    event.complete = flag(*sampled, "complete");
    event.samples = whole(*sampled, "samples");
    event.weight = whole(*sampled, "weight");
    event.effective_samples =
        real(*sampled, "effective_samples", static_cast<double>(event.samples) * (1 + 1e-9));
    auto rows = sampled->find("rows");
    if (rows == sampled->end() || !rows->is_array()) return complain("rows"), event;
    for (const Input& row : *rows) read_row(row, columns, event);
    auto inlined = sampled->find("inlined");
    if (inlined == sampled->end()) return event;
    if (!inlined->is_array()) return complain("inlined"), event;
    for (const Input& part : *inlined) read_inlined(part, columns, event);
    return event;
  }

  // Returns nullopt if `json` is not a row.
  std::optional<std::pair<Names, RowCount>> row_of(const Input& json, const std::vector<std::string>& columns,
                                                   const Event& event) {
    if (!json.is_object()) return std::nullopt;
    Names names;
    for (const std::string& column : columns) {
      if (!json.contains(column)) return std::nullopt;
      names.push_back(text(json, column.c_str()));
    }
    RowCount count{whole(json, "samples"), whole(json, "weight")};
    if (count.samples > event.samples || count.weight > event.weight) complain("weight");
    return std::pair(std::move(names), count);
  }

  void read_row(const Input& json, const std::vector<std::string>& columns, Event& event) {
    auto row = row_of(json, columns, event);
    if (!row || !event.rows.insert(*std::move(row)).second) complain("rows");
  }

  void read_inlined(const Input& json, const std::vector<std::string>& columns, Event& event) {
    auto row = row_of(json, columns, event);
    if (!row) return complain("inlined");
    InlinedPart part{row->first, texts(json, "functions")};
    auto whole_row = event.rows.find(part.row);
    bool in_its_row = whole_row != event.rows.end() && row->second.samples <= whole_row->second.samples &&
                      row->second.weight <= whole_row->second.weight;
    if (part.functions.empty() || !in_its_row || !event.inlined.emplace(std::move(part), row->second).second)
      complain("inlined");
  }

  void read_functions(const Input& json, Recording& out) {
    auto functions = json.find("functions");
    if (functions == json.end()) return;
    if (!functions->is_object()) return complain("functions");
    for (const auto& [name, function] : functions->items()) {
      if (!function.is_object()) return complain("functions");
      FunctionOrigin& origin = out.origins[name];
      origin.file = text(function, "file");
      origin.name = text(function, "name");
      if (function.contains("line")) origin.line = small(function, "line");
      if (!function.contains("code")) continue;
      std::optional<symbol::CodeSketch> code =
          symbol::sketch_from_hex(text(function, "code"), small(function, "instructions"));
      if (!code) return complain("code");
      origin.code = *code;
    }
  }

  std::string text(const Input& json, const char* member) {
    auto found = json.find(member);
    if (found == json.end()) return {};
    if (!found->is_string()) return complain(member), std::string();
    return found->get<std::string>();
  }

  std::vector<std::string> texts(const Input& json, const char* member) {
    std::vector<std::string> list;
    auto found = json.find(member);
    if (found == json.end()) return list;
    if (!found->is_array()) return complain(member), list;
    for (const Input& each : *found) {
      if (!each.is_string()) return complain(member), list;
      list.push_back(each.get<std::string>());
    }
    return list;
  }

  bool flag(const Input& json, const char* member) {
    auto found = json.find(member);
    if (found == json.end()) return false;
    if (!found->is_boolean()) return complain(member), false;
    return found->get<bool>();
  }

  uint64_t whole(const Input& json, const char* member) {
    return static_cast<uint64_t>(std::floor(real(json, member, kGreatestExactInteger)));
  }

  uint32_t small(const Input& json, const char* member) {
    return static_cast<uint32_t>(real(json, member, UINT32_MAX));
  }

  // Returns a number between 0 and `greatest`.
  double real(const Input& json, const char* member, double greatest) {
    auto found = json.find(member);
    if (found == json.end() || !found->is_number()) return complain(member), 0;
    auto value = found->get<double>();
    if (!(value >= 0 && value <= greatest)) return complain(member), 0;
    return value;
  }
};

}  // namespace

std::string write_baseline(const Recording& recording, double rows_from) {
  Json json{{"schema", kSchema}, {"kind", kKind}};
  for (const TextMember& each : kTexts) {
    if (!(recording.*each.member).empty()) json[each.name] = recording.*each.member;
  }
  json["command"] = recording.command;
  if (!recording.remarks.empty()) json["remarks"] = recording.remarks;
  json["columns"] = recording.columns;
  if (recording.partial) json["partial"] = true;
  json["rows_from"] = std::max(rows_from, recording.rows_from.value_or(0));
  json["events"] = Json::object();
  for (const Event& event : recording.events)
    json["events"][event.name] = event_json(recording, event, rows_from);
  if (Json functions = functions_json(recording, rows_from); !functions.empty())
    json["functions"] = std::move(functions);
  return indented_json(json);
}

bool has_byte_order_mark(std::string_view text) {
  return text.starts_with("\xef\xbb\xbf") || text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff");
}

// Checks the type of each member before copying, printing or comparing it: the text may be nested a million
// levels deep.
Result<Recording> read_baseline(std::string_view text, const std::string& name) {
  if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "cannot read {}: it is empty; save the baseline again with hardmeter diff --save-baseline", name);
  }
  if (has_byte_order_mark(text)) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "cannot read {}: it begins with a byte order mark; save it as UTF-8 without a byte order mark", name);
  }
  const Input json = parse_json(text);
  if (json.is_discarded()) {
    return make_error(ErrorCode::kInvalidArgument,
                      "cannot read {}: it is neither a recording nor complete JSON, as a baseline is", name);
  }
  auto kind = json.find("kind"), schema = json.find("schema");
  if (kind == json.end() || !kind->is_string() || *kind != kKind) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "cannot read {}: it is JSON, but not a baseline that hardmeter diff --save-baseline wrote", name);
  }
  if (schema == json.end() || !schema->is_number() || *schema != kSchema) {
    return make_error(
        ErrorCode::kInvalidArgument,
        "cannot read the baseline {}: its schema is not {}, which this version of hardmeter reads; save it again",
        name, kSchema);
  }
  BaselineReader reader;
  Recording recording = reader.read(json);
  if (!reader.wrong.empty()) {
    return make_error(ErrorCode::kInvalidArgument,
                      "cannot read the baseline {}: its member '{}' is missing or wrong", name, reader.wrong);
  }
  recording.name = name;
  return recording;
}

}  // namespace hm::diff
