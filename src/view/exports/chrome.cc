// SPDX-License-Identifier: MIT
#include "view/exports/chrome.h"

#include <fmt/format.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "view/exports/event_rates.h"
#include "view/exports/stack_tree.h"
#include "view/exports/stacks.h"
#include "view/exports/text.h"
#include "view/exports/times.h"

namespace hm::exports {
namespace {

// Converts to the microseconds of the format.
std::string us_of(uint64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

class ChromeFile {
 public:
  ChromeFile(const Selection& selection, const Write& write)
      : selection_(selection),
        profile_(selection.profile),
        times_(selection),
        stacks_(selection),
        weights_(selection),
        pieces_(write) {
    for (const profile::Event& event : profile_.events) event_json_.push_back(json_text(event.name));
  }

  Status write_all() {
    std::string note = times_.are_cycles() ? fmt::format(",\"times\":{}", json_text(kCyclesNote)) : "";
    pieces_ << fmt::format(
        "{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"exporter\":\"hardmeter\"{}}},\"traceEvents\":[",
        note);
    add_names();
    for (size_t sample : selection_.samples) add_sample(sample);
    add_rates();
    for (const profile::OccupancySeries& series : profile_.occupancy) add_occupancy(series);
    pieces_ << "\n],\"stackFrames\":{";
    add_stacks();
    pieces_ << "\n}}\n";
    return pieces_.finish();
  }

 private:
  // `fields` are the members after the phase.
  void add_event(char phase, std::string_view fields) {
    pieces_ << fmt::format("{}\n{{\"ph\":\"{}\",{}}}", is_first_ ? "" : ",", phase, fields);
    is_first_ = false;
  }

  // If a thread has several names, the viewers show the last one.
  void add_names() {
    std::set<uint32_t> used;
    for (size_t sample : selection_.samples) used.insert(profile_.samples.thread[sample]);
    for (uint32_t row : used) {
      const profile::Thread& thread = profile_.threads[row];
      for (std::string_view what : {"process_name", "thread_name"}) {
        if (what == "process_name" && thread.pid != thread.tid) continue;
        add_event('M', fmt::format(R"("name":"{}","pid":{},"tid":{},"args":{{"name":{}}})", what, thread.pid,
                                   thread.tid, json_text(thread.comm)));
      }
    }
  }

  void add_sample(size_t sample) {
    const profile::Thread& thread = profile_.threads[profile_.samples.thread[sample]];
    std::optional<uint32_t> node;
    for (const Frame* frame : stacks_.of(sample)) node = tree_.child(node, frame->function);
    uint32_t innermost = tree_.nodes()[*node].frame;
    add_event('i',
              fmt::format(
                  R"("s":"t","name":{},"cat":{},"pid":{},"tid":{},"ts":{},"sf":{},"args":{{"events":{}{}}})",
                  function_json(innermost), event_json_[profile_.samples.event[sample]], thread.pid,
                  thread.tid, us_of(times_.ns_of(sample)), *node, weights_.of(sample), object_json(sample)));
  }

  const std::string& function_json(uint32_t number) {
    auto [found, is_new] = function_json_.try_emplace(number);
    if (is_new) found->second = json_text(stacks_.function(number).name);
    return found->second;
  }

  // Returns the object as a further member; empty if it is unknown.
  const std::string& object_json(size_t sample) {
    uint32_t object = profile_.samples.object.empty() ? 0 : profile_.samples.object[sample];
    auto [found, is_new] = object_json_.try_emplace(object);
    if (is_new && object != 0)
      found->second = fmt::format(",\"object\":{}", json_text(profile_.object_text(object)));
    return found->second;
  }

  // Adds a counter of a process. It belongs to the first thread, because Perfetto takes thread 0 for the
  // kernel's idle thread.
  void add_counter(const std::string& name, uint32_t pid, uint64_t time_ns, std::string_view value) {
    add_event('C', fmt::format(R"("name":{},"pid":{},"tid":{},"ts":{},"args":{{{}}})", name, pid, pid,
                               us_of(time_ns), value));
  }

  void add_rates() {
    const char* per = times_.are_cycles() ? " per billion cycles" : " per second";
    for (const EventRate& rate : event_rates(selection_, times_)) {
      std::string name = json_text(profile_.events[rate.event].name + per);
      for (const RatePoint& point : rate.points)
        add_counter(name, rate.pid, point.time_ns, fmt::format("\"events\":{:.0f}", point.per_billion));
    }
  }

  void add_occupancy(const profile::OccupancySeries& series) {
    std::string name = json_text("last-level cache: " + series.name);
    for (const profile::OccupancyPoint& point : series.points) {
      if (point.occupancy_bytes)
        add_counter(name, series.pid, times_.ns_since(point.time_ns),
                    fmt::format("\"bytes\":{}", *point.occupancy_bytes));
    }
  }

  void add_stacks() {
    uint32_t number = 0;
    for (const StackTree::Node& node : tree_.nodes()) {
      const Function& function = stacks_.function(node.frame);
      std::string parent = node.parent ? fmt::format(",\"parent\":\"{}\"", *node.parent) : "";
      pieces_ << fmt::format("{}\n\"{}\":{{\"name\":{},\"category\":{}{}}}", number == 0 ? "" : ",", number,
                             json_text(function.name), json_text(profile_.dsos[function.dso].name()), parent);
      ++number;
    }
  }

  Selection selection_;
  const profile::Profile& profile_;
  Times times_;
  Stacks stacks_;
  Weights weights_;
  StackTree tree_;
  Pieces pieces_;
  std::vector<std::string> event_json_;  // names, quoted once: by event, function, and object
  std::map<uint32_t, std::string> function_json_, object_json_;
  bool is_first_ = true;
};

}  // namespace

Status write_chrome(const Selection& selection, const Write& write) {
  return ChromeFile(selection, write).write_all();
}

}  // namespace hm::exports
