// SPDX-License-Identifier: MIT
#include "cli/top_measurement.h"

#include <fmt/format.h>

#include "view/text/causes_text.h"
#include "view/text/verdict_text.h"

namespace hm::cli {
namespace {

constexpr size_t kRowsOfTables = 500;

// Returns whether the time between the views suffices for rates. In an episode, samples come in bursts.
bool is_long(const std::optional<query::Seen>& since, const query::Seen& now) {
  constexpr uint64_t kMinMeasuredNs = 300'000'000;
  if (!now.measured_ns) return true;
  return *now.measured_ns >= (since ? since->measured_ns.value_or(0) : 0) + kMinMeasuredNs;
}

// Each view has the rates since an earlier one, the last one if that suffices.
auto view_maker(const symbol::Resolver& resolver, bool rates) {
  return [&resolver, rates, seen = std::optional<query::Seen>()](const std::string& path) mutable {
    Result<query::TopView> view =
        query::top({.input = path, .rows = kRowsOfTables, .rates = rates, .since = seen}, resolver);
    if (view && is_long(seen, view->seen)) seen = view->seen;
    return view;
  };
}

}  // namespace

TopMeasurement::TopMeasurement(const TopOptions& options, const symbol::Resolver& resolver, bool rates)
    : options_(options), resolver_(resolver), rates_(rates) {
  start();
}

void TopMeasurement::start() {
  live_ = std::make_unique<Live>(options_.live, view_maker(resolver_, rates_));
  drawn_ = Clock::now();
  looks_drawn_ = 0;
}

bool TopMeasurement::look(bool takes_views, bool is_last) {
  bool is_time = Clock::now() - drawn_ >= std::chrono::duration<double>(options_.delay_s);
  bool takes = takes_views && (is_time || is_last || !view_);
  std::unique_ptr<query::TopView> next = takes ? live_->take() : nullptr;
  // A large view takes longer than the delay.
  if (!next && (!is_time || is_last || live_->looks() == looks_drawn_)) return false;
  if (next) view_ = std::move(next);
  drawn_ = Clock::now();
  looks_drawn_ = live_->looks();
  ++screens_;
  return true;
}

Result<std::string> TopMeasurement::farewell(const Result<measure::Recorded>& end) const {
  if (!end) return end.error();
  if (end->refusal) return make_error(ErrorCode::kIo, "{}", end->refusal->reason);
  if (!view_) return make_error(ErrorCode::kNotFound, "the measurement ended before the first sample");
  std::string text = "hardmeter: the processes, or the program that limited the time, have ended\n";
  for (const pmu::Remark& each : end->report.delivery)
    text += fmt::format("[ {}: {} ]\n", each.subject, each.text);
  for (const std::string& each : end->report.shortfalls) text += fmt::format("hardmeter: {}\n", each);
  return text;
}

std::string TopMeasurement::farewell_after_views() const {
  if (view_ || !had_enough()) return {};
  return fmt::format(
      "hardmeter: no samples in {:.1f} s: the processes did not run, or none of the events happened\n",
      static_cast<double>(live_->progress().elapsed_ns) * 1e-9);
}

std::vector<std::string> top_head(const query::TopView& view) {
  if (!view.verdict) return {};
  std::vector<std::string> lines{text::verdict_line(*view.verdict)};
  lines.front().pop_back();
  for (const query::TopEvent& event : view.events) {
    const cause::EventCauses& causes = event.causes.events.front();
    if (causes.name != "memory_wait") continue;
    if (std::string remark = text::cold_text(causes); !remark.empty()) lines.push_back(remark);
  }
  return lines;
}

}  // namespace hm::cli
