// SPDX-License-Identifier: MIT
#include "agent/otlp_request.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "view/exports/protobuf.h"
#include "view/exports/text.h"
#include "view/exports/text_table.h"

namespace hm::agent {
namespace {

using exports::Message;

// Field numbers of the messages in opentelemetry-proto's profiles.proto, profiles_service.proto, common.proto
// and resource.proto.
namespace otlp {
enum Request : uint32_t { kResourceProfiles = 1, kDictionary };
enum ResourceProfiles : uint32_t { kResource = 1, kScopeProfiles };
enum Resource : uint32_t { kAttribute = 1 };
enum ScopeProfiles : uint32_t { kScope = 1, kProfile };
enum Scope : uint32_t { kScopeName = 1, kScopeVersion };
enum KeyValue : uint32_t { kKey = 1, kKeyValue };
enum AnyValue : uint32_t { kString = 1 };
enum Dictionary : uint32_t { kMappings = 1, kLocations, kFunctions, kLinks, kStrings, kAttributes, kStacks };
enum Profile : uint32_t { kSampleType = 1, kSamples, kTimeUnixNano, kDurationNano };
enum ValueType : uint32_t { kType = 1, kUnit };
enum Sample : uint32_t { kStack = 1, kSampleAttributes, kLink, kValues };
enum Stack : uint32_t { kStackLocations = 1 };
enum Mapping : uint32_t { kMemoryStart = 1, kMemoryLimit, kFileOffset, kFilename, kMappingAttributes };
enum Location : uint32_t { kLocationMapping = 1, kAddress, kLine };
enum Line : uint32_t { kLineFunction = 1, kLineNumber };
enum Function : uint32_t { kName = 1, kSystemName, kSourceFile };
enum KeyValueAndUnit : uint32_t { kAttributeKey = 1, kAttributeValue };
}  // namespace otlp

// Strings in protocol buffers must be UTF-8.
std::string text_value(std::string_view text) {
  return Message().bytes(otlp::kString, exports::one_line(text)).text();
}

std::string resource_attribute(std::string_view key, std::string_view value) {
  return Message().bytes(otlp::kKey, key).bytes(otlp::kKeyValue, text_value(value)).text();
}

class OtlpRequest {
 public:
  OtlpRequest(const store::Batch& batch, uint64_t lasts_ns, const std::string& version)
      : batch_(batch), lasts_ns_(lasts_ns) {
    scope_.bytes(otlp::kScopeName, "hardmeter").bytes(otlp::kScopeVersion, version);
    for (const store::Row& row : batch.rows) {
      if (row.is_total) continue;  // the sum of the other rows
      rows_[{row.series.service, row.series.release}][row.series.event].push_back(&row);
      uint64_t& limit = limits_[{row.place.build_id, row.place.module}];
      limit = std::max(limit, row.place.offset + 1);
    }
  }

  std::string text() {
    Message request;
    for (const auto& [runner, events] : rows_)
      request.bytes(otlp::kResourceProfiles, resource_profiles(runner.first, runner.second, events));
    return request.bytes(otlp::kDictionary, dictionary()).text();
  }

 private:
  using Rows = std::vector<const store::Row*>;

  std::string resource_profiles(const std::string& service, const std::string& release,
                                const std::map<std::string, Rows>& events) {
    Message resource, profiles;
    resource.bytes(otlp::kAttribute, resource_attribute("host.name", batch_.host));
    resource.bytes(otlp::kAttribute, resource_attribute("service.name", service));
    if (!release.empty())
      resource.bytes(otlp::kAttribute, resource_attribute("process.executable.build_id.gnu", release));
    profiles.bytes(otlp::kScope, scope_.text());
    for (const auto& [event, rows] : events) {
      profiles.bytes(otlp::kProfile, profile(event, event == "clock" ? "nanoseconds" : "count", rows,
                                             [](const store::Row& row) { return std::llround(row.count); }));
      profiles.bytes(otlp::kProfile, profile(event + "_samples", "count", rows,
                                             [](const store::Row& row) { return row.samples; }));
    }
    return Message()
        .bytes(otlp::kResource, resource.text())
        .bytes(otlp::kScopeProfiles, profiles.text())
        .text();
  }

  template <typename Value>
  std::string profile(const std::string& type, std::string_view unit, const Rows& rows, Value value_of) {
    Message value_type, profile;
    value_type.number(otlp::kType, string_number(type)).number(otlp::kUnit, string_number(unit));
    profile.bytes(otlp::kSampleType, value_type.text());
    for (const store::Row* row : rows) {
      Message sample;
      sample.number(otlp::kStack, stack_number(row->place))
          .packed(otlp::kSampleAttributes, attributes_of(row->place))
          .packed(otlp::kValues, std::vector<uint64_t>{static_cast<uint64_t>(value_of(*row))});
      profile.bytes(otlp::kSamples, sample.text());
    }
    return profile.fixed64(otlp::kTimeUnixNano, batch_.time_s * 1'000'000'000)
        .number(otlp::kDurationNano, lasts_ns_)
        .text();
  }

  std::vector<uint64_t> attributes_of(const store::CodeLocation& place) {
    std::vector<uint64_t> numbers;
    if (!place.miss_class.empty())
      numbers.push_back(attribute_number("hardmeter.miss_class", place.miss_class));
    if (!place.object.empty()) numbers.push_back(attribute_number("hardmeter.object", place.object));
    return numbers;
  }

  uint64_t stack_number(const store::CodeLocation& place) {
    Message location;
    location.number(otlp::kLocationMapping, mapping_number(place)).number(otlp::kAddress, place.offset);
    if (!place.function.empty() || place.line != 0) {
      Message line;
      line.number(otlp::kLineFunction, function_number(place)).number(otlp::kLineNumber, place.line);
      location.bytes(otlp::kLine, line.text());
    }
    std::vector<uint64_t> locations{locations_.number_of(location.text())};
    return stacks_.number_of(Message().packed(otlp::kStackLocations, locations).text());
  }

  uint64_t function_number(const store::CodeLocation& place) {
    Message function;
    function.number(otlp::kName, string_number(place.function))
        .number(otlp::kSourceFile, string_number(place.file));
    return functions_.number_of(function.text());
  }

  // Addresses are relative to the file, so the mapping begins at 0.
  uint64_t mapping_number(const store::CodeLocation& place) {
    Message mapping;
    mapping.number(otlp::kMemoryLimit, limits_[{place.build_id, place.module}])
        .number(otlp::kFilename, string_number(place.module));
    if (!place.build_id.empty()) {
      uint64_t build = attribute_number("process.executable.build_id.gnu", place.build_id);
      mapping.packed(otlp::kMappingAttributes, std::vector<uint64_t>{build});
    }
    return mappings_.number_of(mapping.text());
  }

  uint64_t attribute_number(std::string_view key, std::string_view value) {
    Message attribute;
    attribute.number(otlp::kAttributeKey, string_number(key)).bytes(otlp::kAttributeValue, text_value(value));
    return attributes_.number_of(attribute.text());
  }

  uint64_t string_number(std::string_view text) { return strings_.number_of(exports::one_line(text)); }

  // Entry 0 of each table is an empty message, which means absent.
  [[nodiscard]] std::string dictionary() const {
    Message dictionary;
    for (auto [field, table] : {std::pair{otlp::kMappings, &mappings_},
                                {otlp::kLocations, &locations_},
                                {otlp::kFunctions, &functions_},
                                {otlp::kLinks, &links_},
                                {otlp::kStrings, &strings_},
                                {otlp::kAttributes, &attributes_},
                                {otlp::kStacks, &stacks_}}) {
      for (const std::string* entry : table->texts()) dictionary.bytes(field, *entry);
    }
    return dictionary.text();
  }

  const store::Batch& batch_;
  uint64_t lasts_ns_;
  Message scope_;
  std::map<std::pair<std::string, std::string>, std::map<std::string, Rows>> rows_;  // by service and release
  // End of the addresses, by build and module.
  std::map<std::pair<std::string, std::string>, uint64_t> limits_;
  exports::TextTable mappings_, locations_, functions_, links_, strings_, attributes_, stacks_;
};

}  // namespace

std::string otlp_request(const store::Batch& batch, uint64_t lasts_ns, const std::string& version) {
  return OtlpRequest(batch, lasts_ns, version).text();
}

}  // namespace hm::agent
