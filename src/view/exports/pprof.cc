// SPDX-License-Identifier: MIT
#include "view/exports/pprof.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "view/exports/gzip.h"
#include "view/exports/protobuf.h"
#include "view/exports/stacks.h"
#include "view/exports/text.h"
#include "view/exports/text_table.h"

namespace hm::exports {
namespace {

// Fields of the messages in profile.proto.
namespace proto {
enum Profile : uint32_t { kSampleType = 1, kSample, kMapping, kLocation, kFunction, kStringTable };
constexpr uint32_t kTimeNanos = 9, kDurationNanos = 10, kDefaultSampleType = 14;
enum ValueType : uint32_t { kType = 1, kUnit };
enum Sample : uint32_t { kLocationId = 1, kValue, kLabel };
enum Label : uint32_t { kKey = 1, kStr, kNum };
enum Mapping : uint32_t { kMappingId = 1, kMemoryStart, kMemoryLimit, kFileOffset, kFilename, kBuildId };
constexpr uint32_t kHasFunctions = 7, kHasFilenames = 8, kHasLineNumbers = 9, kHasInlineFrames = 10;
enum Location : uint32_t { kLocationNumber = 1, kLocationMapping, kAddress, kLine };
enum Line : uint32_t { kLineFunction = 1, kLineNumber };
enum Function : uint32_t { kFunctionId = 1, kName, kSystemName, kSourceFile };
}  // namespace proto

class PprofFile {
 public:
  PprofFile(const Selection& selection, const Write& write, const PprofOptions& options)
      : selection_(selection),
        options_(options),
        profile_(selection.profile),
        events_(events_of(selection)),
        stacks_(selection, options.names),
        weights_(selection),
        gzip_(write),
        pieces_([this](std::string_view bytes) { return gzip_.take(bytes); }),
        limits_(selection.profile.dsos.size()) {}

  Status write_all() {
    add_sample_types();
    add_samples();
    add_mappings();
    add_locations();
    add_functions();
    for (const std::string* text : strings_.texts()) add(proto::kStringTable, *text);
    if (Status written = pieces_.finish(); !written) return written;
    return gzip_.finish();
  }

 private:
  // Removes control characters, because pprof prints names unchanged.
  uint64_t string_number(std::string_view text) { return strings_.number_of(one_line(text)); }
  void add(uint32_t field, std::string_view message) { pieces_ << Message().bytes(field, message).text(); }

  void add_sample_types() {
    for (uint32_t event : events_) {
      const std::string& name = profile_.events[event].name;
      add_sample_type(name + "_samples", "count");
      add_sample_type(name, weights_.are_nanoseconds(event) ? "nanoseconds" : "count");
    }
    pieces_ << Message()
                   .number(proto::kTimeNanos, options_.time_ns)
                   .number(proto::kDurationNanos, options_.duration_ns)
                   .text();
    if (events_.empty()) return;
    uint64_t first = string_number(profile_.events[events_.front()].name);
    pieces_ << Message().number(proto::kDefaultSampleType, first).text();
  }

  void add_sample_type(std::string_view type, std::string_view unit) {
    Message value_type;
    value_type.number(proto::kType, string_number(type)).number(proto::kUnit, string_number(unit));
    add(proto::kSampleType, value_type.text());
  }

  // Thread, object and stack of merged samples.
  using Kind = std::tuple<uint32_t, uint32_t, std::vector<uint32_t>>;

  void add_samples() {
    const profile::Samples& samples = profile_.samples;
    std::vector<size_t> column(profile_.events.size());
    for (size_t i = 0; i < events_.size(); ++i) column[events_[i]] = 2 * i;
    std::map<Kind, std::vector<uint64_t>> kinds;
    for (size_t sample : selection_.samples) {
      bool has_object = !samples.object.empty() && options_.names.functions;
      uint32_t object = has_object ? samples.object[sample] : 0;
      std::vector<uint64_t>& values = kinds[{samples.thread[sample], object, stacks_.locations_of(sample)}];
      values.resize(2 * events_.size());
      size_t first = column[samples.event[sample]];
      ++values[first];
      values[first + 1] += weights_.of(sample);
    }
    for (const auto& [kind, values] : kinds) add_sample(kind, values);
  }

  void add_sample(const Kind& kind, const std::vector<uint64_t>& values) {
    const auto& [thread_row, object, locations] = kind;
    std::vector<uint64_t> ids;
    for (uint32_t location : locations) {
      ids.push_back(uint64_t{location} + 1);
      used_.insert(location);
    }
    const profile::Thread& thread = profile_.threads[thread_row];
    Message sample;
    sample.packed(proto::kLocationId, ids).packed(proto::kValue, values);
    sample.bytes(proto::kLabel, text_label("thread", thread_text(thread)));
    Message pid;
    pid.number(proto::kKey, string_number("pid")).number(proto::kNum, thread.pid);
    sample.bytes(proto::kLabel, pid.text());
    if (object != 0) sample.bytes(proto::kLabel, text_label("object", profile_.object_text(object)));
    add(proto::kSample, sample.text());
  }

  std::string text_label(std::string_view key, std::string_view text) {
    return Message().number(proto::kKey, string_number(key)).number(proto::kStr, string_number(text)).text();
  }

  // The first mapping must be the program's, because the tools name a profile after it.
  [[nodiscard]] std::vector<uint32_t> mapped_dsos() {
    for (uint32_t location : used_) {
      const profile::Location& place = profile_.locations[location];
      limits_[place.dso] = std::max(limits_[place.dso], place.address + 1);
    }
    std::vector<uint32_t> dsos;
    for (uint32_t dso = 1; dso < limits_.size(); ++dso) {
      if (limits_[dso] != 0) dsos.push_back(dso);
    }
    std::string program = program_of(profile_);
    std::stable_partition(dsos.begin(), dsos.end(),
                          [&](uint32_t dso) { return profile_.dsos[dso].name() == program; });
    return dsos;
  }

  [[nodiscard]] std::string_view path_of(const profile::DsoRow& dso) const {
    return options_.names.paths ? std::string_view(dso.path) : dso.name();
  }

  // Marks names and lines as present: tools need not look them up, and could not at these addresses.
  void add_mappings() {
    for (uint32_t dso : mapped_dsos()) {
      Message mapping;
      mapping.number(proto::kMappingId, dso)
          .number(proto::kMemoryLimit, limits_[dso])
          .number(proto::kFilename, string_number(path_of(profile_.dsos[dso])))
          .number(proto::kBuildId, string_number(profile_.dsos[dso].build_id));
      for (uint32_t field :
           {proto::kHasFunctions, proto::kHasFilenames, proto::kHasLineNumbers, proto::kHasInlineFrames})
        mapping.number(field, 1);
      add(proto::kMapping, mapping.text());
    }
  }

  void add_locations() {
    for (uint32_t number : used_) {
      const profile::Location& place = profile_.locations[number];
      Message location;
      location.number(proto::kLocationNumber, uint64_t{number} + 1)
          .number(proto::kLocationMapping, place.dso)  // 0, the index of "[unknown]", means no mapping
          .number(proto::kAddress, place.address);
      for (const Frame& frame : stacks_.at(number)) {
        Message line;
        line.number(proto::kLineFunction, uint64_t{frame.function} + 1)
            .number(proto::kLineNumber, frame.line);
        location.bytes(proto::kLine, line.text());
      }
      add(proto::kLocation, location.text());
    }
  }

  // Omits system_name: if it equals the name, tools take both for mangled names. Tools add up functions of
  // one name.
  void add_functions() {
    std::vector<std::string> labels = stacks_.labels();
    for (uint32_t i = 0; i < stacks_.functions(); ++i) {
      const Function& each = stacks_.function(i);
      Message function;
      function.number(proto::kFunctionId, uint64_t{i} + 1)
          .number(proto::kName, string_number(labels[i]))
          .number(proto::kSourceFile, string_number(each.file));
      add(proto::kFunction, function.text());
    }
  }

  Selection selection_;
  PprofOptions options_;
  const profile::Profile& profile_;
  std::vector<uint32_t> events_;
  Stacks stacks_;
  Weights weights_;
  GzipStream gzip_;
  Pieces pieces_;
  TextTable strings_;
  std::set<uint32_t> used_;       // locations of the samples
  std::vector<uint64_t> limits_;  // by DSO: end of its locations' addresses, 0 if it has none
};

}  // namespace

Status write_pprof(const Selection& selection, const Write& write) {
  return write_pprof(selection, write, {});
}

Status write_pprof(const Selection& selection, const Write& write, const PprofOptions& options) {
  return PprofFile(selection, write, options).write_all();
}

}  // namespace hm::exports
