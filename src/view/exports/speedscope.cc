// SPDX-License-Identifier: MIT
#include "view/exports/speedscope.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdint>
#include <string>
#include <vector>

#include "view/exports/stacks.h"
#include "view/exports/text.h"

namespace hm::exports {
namespace {

class SpeedscopeFile {
 public:
  SpeedscopeFile(const Selection& selection, const Write& write)
      : profile_(selection.profile), stacks_(selection), weights_(selection), pieces_(write) {}

  Status write_all(const std::vector<Series>& all) {
    pieces_
        << R"({"$schema":"https://www.speedscope.app/file-format-schema.json","exporter":"hardmeter","name":)"
        << json_text(program_of(profile_)) << ",\"activeProfileIndex\":0,\"profiles\":[";
    for (size_t i = 0; i < all.size(); ++i) {
      if (i != 0) pieces_ << ",";
      add_series(all[i]);
    }
    pieces_ << "\n],\"shared\":{\"frames\":[";
    add_functions();
    pieces_ << "\n]}}\n";
    return pieces_.finish();
  }

 private:
  void add_series(const Series& series) {
    std::string name = fmt::format("{}: {}", profile_.events[series.event].name,
                                   thread_text(profile_.threads[series.thread]));
    uint64_t total = 0;
    for (size_t sample : series.samples) total += weights_.of(sample);
    pieces_ << fmt::format(
        "\n{{\"type\":\"sampled\",\"name\":{},\"unit\":\"{}\",\"startValue\":0,\"endValue\":{},\"samples\":"
        "[",
        json_text(name), weights_.are_nanoseconds(series.event) ? "nanoseconds" : "none", total);
    const char* comma = "";
    std::vector<uint32_t> functions;
    for (size_t sample : series.samples) {
      functions.clear();
      for (const Frame* frame : stacks_.of(sample)) functions.push_back(frame->function);
      pieces_ << fmt::format("{}[{}]", comma, fmt::join(functions, ","));
      comma = ",";
    }
    pieces_ << "],\"weights\":[";
    comma = "";
    for (size_t sample : series.samples) {
      pieces_ << fmt::format("{}{}", comma, weights_.of(sample));
      comma = ",";
    }
    pieces_ << "]}";
  }

  void add_functions() {
    for (uint32_t i = 0; i < stacks_.functions(); ++i) {
      const Function& function = stacks_.function(i);
      const std::string& file = function.file.empty() ? profile_.dsos[function.dso].path : function.file;
      pieces_ << fmt::format("{}\n{{\"name\":{},\"file\":{}}}", i == 0 ? "" : ",", json_text(function.name),
                             json_text(file));
    }
  }

  const profile::Profile& profile_;
  Stacks stacks_;
  Weights weights_;
  Pieces pieces_;
};

}  // namespace

Status write_speedscope(const Selection& selection, const Write& write) {
  return SpeedscopeFile(selection, write).write_all(series_of(selection));
}

}  // namespace hm::exports
