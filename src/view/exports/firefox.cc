// SPDX-License-Identifier: MIT
#include "view/exports/firefox.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "view/exports/firefox_thread.h"
#include "view/exports/stacks.h"
#include "view/exports/text.h"
#include "view/exports/times.h"

namespace hm::exports {
namespace {

constexpr int kProcessedVersion = 48, kGeckoVersion = 30;

// Converts to the milliseconds of the format.
std::string ms_of(uint64_t ns) { return fmt::format("{}.{:06}", ns / 1'000'000, ns % 1'000'000); }

// Converts a build ID to Breakpad's format: the first 16 bytes as a GUID, with its first three fields in
// little-endian order, and an age of 0. Returns an empty string if the build ID is shorter.
std::string breakpad_id(std::string_view build_id) {
  constexpr size_t kOrder[] = {3, 2, 1, 0, 5, 4, 7, 6, 8, 9, 10, 11, 12, 13, 14, 15};
  if (build_id.size() < 2 * std::size(kOrder)) return {};
  std::string id;
  for (size_t byte : kOrder) id += build_id.substr(2 * byte, 2);
  for (char& each : id) each = static_cast<char>(std::toupper(static_cast<unsigned char>(each)));
  return id + '0';
}

class FirefoxFile {
 public:
  FirefoxFile(const Selection& selection, const Write& write)
      : selection_(selection),
        profile_(selection.profile),
        times_(selection),
        stacks_(selection),
        weights_(selection),
        pieces_(write) {}

  Status write_all(const std::vector<Series>& all) {
    add_meta();
    pieces_ << ",\"pages\":[],\"counters\":[],\"profilerOverhead\":[],\"threads\":[";
    bool several = events_of(selection_).size() > 1;
    for (size_t i = 0; i < all.size(); ++i) {
      if (i != 0) pieces_ << ",";
      add_thread(all[i], several);
    }
    pieces_ << "\n],\"libs\":[";
    add_libs();
    pieces_ << "\n]}\n";
    return pieces_.finish();
  }

 private:
  void add_meta() {
    std::string product = program_of(profile_);
    pieces_ << fmt::format(
        "{{\"meta\":{{\"interval\":1,\"startTime\":0,\"processType\":0,\"stackwalk\":1,\"version\":{},"
        "\"preprocessedProfileVersion\":{},\"product\":{},\"importedFrom\":\"hardmeter\",",
        kGeckoVersion, kProcessedVersion, json_text(product.empty() ? "hardmeter" : product));
    if (times_.are_cycles())
      pieces_ << fmt::format(
          R"("extra":[{{"label":"hardmeter","entries":[{{"label":"time","format":"string","value":{}}}]}}],)",
          json_text(kCyclesNote));
    pieces_ << R"("symbolicated":true,"debug":false,"markerSchema":[],"usesOnlyOneStackType":true,)"
               R"("doesNotUseFrameImplementation":true,"sourceCodeIsNotOnSearchfox":true,)"
               R"("keepProfileThreadOrder":true,"extensions":{"length":0,"baseURL":[],"id":[],"name":[]},)"
               R"("sampleUnits":{"time":"ms","eventDelay":"ms","threadCPUDelta":"ns"},"categories":[)"
               R"({"name":"User","color":"yellow","subcategories":["Other"]},)"
               R"({"name":"Kernel","color":"orange","subcategories":["Other"]},)"
               R"({"name":"Other","color":"grey","subcategories":["Other"]}]})";
  }

  // The first thread of a process becomes its main thread, which starts the process's track in the viewer. If
  // a thread appears once per event, all its copies have the same tid, because Perfetto accepts only numbers.
  void add_thread(const Series& series, bool several_events) {
    const profile::Thread& thread = profile_.threads[series.thread];
    const std::string& event = profile_.events[series.event].name;
    std::string name = several_events ? thread.comm + ": " + event : thread.comm;
    bool is_main = processes_.insert(thread.pid).second;
    pieces_ << fmt::format(
        "\n{{\"name\":{},\"isMainThread\":{},\"processType\":\"default\",\"processName\":{},\"pid\":\"{}\",",
        json_text(name), is_main, json_text(thread.comm), thread.pid);
    pieces_ << fmt::format("\"tid\":{},", thread.tid);
    pieces_ << R"("processStartupTime":0,"processShutdownTime":null,"registerTime":0,"unregisterTime":null,)"
               R"("pausedRanges":[],"markers":{"length":0,"data":[],"name":[],"startTime":[],"endTime":[],)"
               R"("phase":[],"category":[]})";
    FirefoxThread tables(profile_, stacks_, libs_);
    add_samples(series, tables);
    tables.write_tables(pieces_);
    pieces_ << "}";
  }

  void add_samples(const Series& series, FirefoxThread& tables) {
    pieces_ << fmt::format(",\n\"samples\":{{\"length\":{},\"weightType\":\"samples\"",
                           series.samples.size());
    add_column("stack", series, [&](size_t sample) { return std::to_string(tables.add_stack(sample)); });
    add_column("time", series, [&](size_t sample) { return ms_of(times_.ns_of(sample)); });
    add_column("weight", series, [&](size_t sample) { return std::to_string(weights_.of(sample)); });
    pieces_ << "}";
  }

  template <typename Text>
  void add_column(std::string_view name, const Series& series, Text text) {
    pieces_ << fmt::format(",\n\"{}\":[", name);
    for (size_t i = 0; i < series.samples.size(); ++i)
      pieces_ << (i == 0 ? "" : ",") << text(series.samples[i]);
    pieces_ << "]";
  }

  void add_libs() {
    const char* comma = "";
    for (uint32_t number : libs_.values()) {
      const profile::DsoRow& dso = profile_.dsos[number];
      std::string name = json_text(dso.name()), path = json_text(dso.path);
      pieces_ << fmt::format(
          R"({}{{"arch":{},"name":{},"debugName":{},"path":{},"debugPath":{},"breakpadId":{},"codeId":{}}})",
          comma, json_text(profile_.features.arch.value_or("")), name, name, path, path,
          json_text(breakpad_id(dso.build_id)), dso.build_id.empty() ? "null" : json_text(dso.build_id));
      comma = ",\n";
    }
  }

  Selection selection_;
  const profile::Profile& profile_;
  Times times_;
  Stacks stacks_;
  Weights weights_;
  Numbered<uint32_t> libs_;  // DSOs listed in the profile
  std::set<uint32_t> processes_;
  Pieces pieces_;
};

}  // namespace

Status write_firefox(const Selection& selection, const Write& write) {
  std::vector<Series> all = series_of(selection);
  Times times(selection);
  const auto time = [&](size_t sample) { return times.ns_of(sample); };
  for (Series& series : all) std::ranges::stable_sort(series.samples, {}, time);  // as the viewer expects
  return FirefoxFile(selection, write).write_all(all);
}

}  // namespace hm::exports
