// SPDX-License-Identifier: MIT
#include "analysis/diff/baseline.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "base/json.h"

namespace hm::diff {
namespace {

using Json = nlohmann::ordered_json;  // to be written: members in the order in which a person looks for them
using Input = nlohmann::json;         // of a file whose objects may have any number of members

constexpr int kSchema = 1;
constexpr const char* kKind = "hardmeter baseline";
constexpr double kGreatestExactInteger = 9e15;  // integers up to here are exact in a double
constexpr size_t kMostEvents = 1000;
constexpr size_t kMostColumns = 10;

struct TextMember {
  const char* name;
  std::string Recording::*member;
};

constexpr TextMember kTexts[] = {
    {"recorder", &Recording::recorder},   {"pmu", &Recording::pmu},
    {"engine", &Recording::engine},       {"machine", &Recording::machine},
    {"collected", &Recording::collected}, {"processor", &Recording::processor},
};

// An integer where it is one.
Json number(double value) {
  if (value >= 0 && value <= kGreatestExactInteger && value == std::floor(value))
    return static_cast<uint64_t>(value);
  return value;
}

Json rows_json(const Recording& recording, const Event& event, double rows_from) {
  std::vector<std::pair<Names, RowCount>> rows(event.rows.begin(), event.rows.end());
  std::erase_if(rows, [&](const auto& row) {
    return static_cast<double>(row.second.weight) < rows_from * static_cast<double>(event.weight);
  });
  std::ranges::stable_sort(rows, std::greater<>(), [](const auto& row) { return row.second.weight; });
  Json list = Json::array();
  for (const auto& [names, count] : rows) {
    Json row;
    for (size_t i = 0; i < names.size(); ++i) row[recording.columns[i]] = names[i];
    row["samples"] = count.samples;
    row["weight"] = count.weight;
    list.push_back(std::move(row));
  }
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
  }
  return json;
}

// Takes a baseline apart; the first thing that is wrong makes `wrong` a part of a sentence.
class BaselineReader {
 public:
  Recording read(const Input& json) {
    Recording out;
    out.baseline = true;
    for (const TextMember& each : kTexts) out.*each.member = text(json, each.name);
    out.command = texts(json, "command");
    out.remarks = texts(json, "remarks");
    out.columns = texts(json, "columns");
    if (json.contains("rows_from")) out.rows_from = real(json, "rows_from", 1);
    if (out.pmu.empty()) complain("pmu");
    if (!may_be_columns(out.columns)) return complain("columns"), out;
    auto events = json.find("events");
    if (events == json.end() || !events->is_object() || events->size() > kMostEvents)
      return complain("events"), out;
    for (const auto& [name, event] : events->items())
      out.events.push_back(read_event(name, event, out.columns));
    return out;
  }

  std::string wrong;

 private:
  // A row has a member for each, beside its own.
  static bool may_be_columns(const std::vector<std::string>& columns) {
    std::set<std::string_view> names(columns.begin(), columns.end());
    return !columns.empty() && columns.size() <= kMostColumns && names.size() == columns.size() &&
           !names.contains("samples") && !names.contains("weight");
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
    return event;
  }

  void read_row(const Input& json, const std::vector<std::string>& columns, Event& event) {
    if (!json.is_object()) return complain("rows");
    Names names;
    for (const std::string& column : columns) {
      if (!json.contains(column)) return complain("rows");
      names.push_back(text(json, column.c_str()));
    }
    RowCount count{whole(json, "samples"), whole(json, "weight")};
    if (count.samples > event.samples || count.weight > event.weight) complain("weight");
    if (!event.rows.try_emplace(std::move(names), count).second) complain("rows");
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

  // Between 0 and `greatest`.
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
  json["rows_from"] = std::max(rows_from, recording.rows_from.value_or(0));
  json["events"] = Json::object();
  for (const Event& event : recording.events)
    json["events"][event.name] = event_json(recording, event, rows_from);
  return indented_json(json);
}

// Nothing here copies, prints or compares a member before its type is known: it may be nested a million deep.
Result<Recording> read_baseline(std::string_view text, const std::string& name) {
  const Input json = parse_json(text);
  if (json.is_discarded()) {
    return make_error(ErrorCode::kDamaged,
                      "cannot read {}: it is neither a recording nor whole JSON, as a baseline is", name);
  }
  auto kind = json.find("kind"), schema = json.find("schema");
  if (kind == json.end() || !kind->is_string() || *kind != kKind) {
    return make_error(ErrorCode::kDamaged,
                      "cannot read {}: it is JSON, but not what hardmeter diff --save-baseline writes", name);
  }
  if (schema == json.end() || !schema->is_number() || *schema != kSchema) {
    return make_error(
        ErrorCode::kDamaged,
        "cannot read the baseline {}: its schema is not {}, the one that this hardmeter knows; save "
        "it anew",
        name, kSchema);
  }
  BaselineReader reader;
  Recording recording = reader.read(json);
  if (!reader.wrong.empty()) {
    return make_error(ErrorCode::kDamaged, "cannot read the baseline {}: its member '{}' is missing or wrong",
                      name, reader.wrong);
  }
  recording.name = name;
  return recording;
}

}  // namespace hm::diff
