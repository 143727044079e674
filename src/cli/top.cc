// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <memory>
#include <thread>

#include "app/live/live_recording.h"
#include "app/measure/sampling_words.h"
#include "app/query/top.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/keyboard.h"
#include "cli/output.h"
#include "cli/program_options.h"
#include "cli/redrawn_text.h"
#include "cli/status_line.h"
#include "symbol/file_resolver.h"
#include "view/text/causes.h"
#include "view/text/progress.h"
#include "view/text/report.h"

namespace hm::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::string_view kUsualEvents = "l1_cache_miss,l2_cache_miss,dtlb_load_miss";
constexpr const char* kUsualBudget = "5%";

struct TopWords {
  ProgramWords program;
  measure::SamplingOptions sampling;
  double delay_s = 2;
  uint64_t most_views = 0;  // 0: until the processes or the user end it
};

class TopShow {
 public:
  TopShow(const TopWords& words, const live::LiveOptions& options, const symbol::Resolver& resolver)
      : words_(words), live_(options, [&resolver](const std::string& path) {
          return query::top({.input = path}, resolver);
        }) {}

  // Gives what is to be said in the end.
  Result<std::string> run() {
    while (interrupts() == 0 && !ended_) {
      std::optional<Result<measure::Recorded>> end = live_.ended();  // before the last view is taken
      if (Status looked = look(end.has_value()); !looked) return looked.error();
      if (end) return tell_of(*end);
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
    return std::string();
  }

 private:
  Status look(bool is_last) {
    std::string keys = keyboard_.pressed();
    for (char key : keys) obey(key);
    bool is_time = Clock::now() - drawn_ >= std::chrono::duration<double>(words_.delay_s);
    bool takes = !stopped_ && (is_time || is_last || !events_);
    if (std::unique_ptr<std::vector<query::TopEvent>> next = takes ? live_.take() : nullptr) {
      events_ = std::move(next);
      ++views_;
      return draw();
    }
    bool is_stale = screen_.on_terminal() && (is_time || !keys.empty());
    return is_stale ? draw() : Status();
  }

  void obey(char key) {
    if (key == ' ') stopped_ = !stopped_;
    if (key == 'e') ++event_;
    if (key == 'l') by_line_ = !by_line_;
    if (key == 'w') reasons_ = !reasons_;
    if (key == 'q') ended_ = true;
  }

  Status draw() {
    drawn_ = Clock::now();
    if (words_.most_views != 0 && views_ >= words_.most_views) ended_ = true;
    constexpr std::string_view kTitle = "hardmeter top: ";
    size_t width = screen_.on_terminal() ? output_style().width : SIZE_MAX;
    std::string text = fmt::format(
        "{}{}\n", kTitle,
        joined_to_fit(text::progress_fields(live_.progress()), width - std::min(width, kTitle.size() + 1)));
    if (screen_.on_terminal())
      text += fmt::format("[e]vent  [l]ines or functions  [w]hy  [space] {}  [q]uit\n",
                          stopped_ ? "go on" : "stop");
    if (!events_) return screen_.show(text + "\nno sample has come yet\n");
    if (screen_.on_terminal())
      text += '\n' + event_text((*events_)[event_ % events_->size()], RedrawnText::rows());
    for (size_t i = 0; i < events_->size() && !screen_.on_terminal(); ++i)
      text += '\n' + event_text((*events_)[i], kRowsOfText);
    return screen_.show(text);
  }

  // In about so many lines.
  [[nodiscard]] std::string event_text(const query::TopEvent& event, size_t lines) const {
    constexpr size_t kHead = 8;
    hotspots::Hotspots table = by_line_ ? event.lines : event.functions;
    size_t rows = std::max<size_t>(lines, kHead + 3) - kHead;
    table.rows.resize(std::min(table.rows.size(), reasons_ ? rows / 2 : rows));
    std::string text = text::hotspots_table(table, output_style());
    return reasons_ ? text + '\n' + text::causes(event.causes, output_style()) : text;
  }

  [[nodiscard]] Result<std::string> tell_of(const Result<measure::Recorded>& end) const {
    if (!end) return end.error();
    if (end->refusal) return make_error(ErrorCode::kIo, "{}", end->refusal->reason);
    if (!events_) return make_error(ErrorCode::kNotFound, "the measurement ended before a sample had come");
    std::string text =
        "hardmeter: the processes have ended, or the program beside which they were measured\n";
    for (const pmu::Remark& each : end->report.delivery)
      text += fmt::format("[ {}: {} ]\n", each.subject, each.text);
    for (const std::string& each : end->report.shortfalls) text += fmt::format("hardmeter: {}\n", each);
    return text;
  }

  static constexpr size_t kRowsOfText = 28;

  const TopWords& words_;
  Keyboard keyboard_;
  RedrawnText screen_;
  Clock::time_point drawn_;
  std::unique_ptr<std::vector<query::TopEvent>> events_;
  uint64_t views_ = 0;
  size_t event_ = 0;
  bool by_line_ = false, reasons_ = true, stopped_ = false, ended_ = false;
  live::LiveView<std::vector<query::TopEvent>> live_;
};

Result<live::LiveOptions> live_options(TopWords& words) {
  ProgramWords& program = words.program;
  TargetWords& target = program.target;
  bool runs_already = !target.pids.empty() || !target.tids.empty() || target.whole_system ||
                      !target.cpus.empty() || !target.cgroup.empty();
  if (!runs_already)
    return make_error(ErrorCode::kInvalidArgument,
                      "top shows what runs already, and needs to know of what: processes (-p PID); a program "
                      "that is to be started is for hardmeter run");
  bool are_processes = !target.pids.empty() || !target.cgroup.empty();
  if (target.budget.empty() && are_processes && program.pmu != "linux") target.budget = kUsualBudget;
  Result<measure::MeasureOptions> what = read_program_options(program);
  if (!what) return what.error();
  live::LiveOptions options;
  options.record.what = *std::move(what);
  options.record.sampling = words.sampling;
  options.most_bytes = size_t{32} << 20;
  options.pause_for_each = 20;
  return options;
}

Result<int> show_top(TopWords words) {
  if (wants_cpu_list(words.program)) return print(cpu_list());
  Result<live::LiveOptions> options = live_options(words);
  if (!options) return options.error();
  count_interrupts();
  const symbol::FileResolver resolver;
  // The terminal is as it was once the show is over.
  Result<std::string> farewell = TopShow(words, *options, resolver).run();
  if (!farewell) return farewell.error();
  write_message(*farewell);
  return 0;
}

}  // namespace

Run add_top(CommandLine& line) {
  auto words = std::make_shared<TopWords>();
  words->program.usual_events = kUsualEvents;
  add_own_program_options(line, words->program);
  add_target_options(line, words->program.target);
  line.add_option("-c,--count", words->sampling.period,
                  "take a sample every so many events, or of the clock every so much time, such as 100us")
      .check(measure::check_period, "")
      .type("PERIOD");
  line.add_option("-d,--delay", words->delay_s, "how often what is shown is made anew, in seconds")
      .between(0.1, 3600.0)
      .show_default();
  line.add_option("-n,--iterations", words->most_views, "end after so many views; 0 is never").show_default();
  line.set_footer(
      "Of running processes: hardmeter top -p PID. Where hardware cannot measure the events, the software "
      "PMU "
      "does, within --budget (5% where none is given). Without a terminal one view is printed after the "
      "other.");
  return [words] { return show_top(*words); };
}

}  // namespace hm::cli
