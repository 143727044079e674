// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "app/answer/answer.h"
#include "app/query/overview.h"
#include "mcp/tools.h"
#include "symbol/file_resolver.h"
#include "view/json/values.h"

namespace hm::mcp {
namespace {

// Why a recording ended.
enum class Ending { kProgram, kTimeLimit, kClient };

std::string_view name_of(Ending ending) {
  switch (ending) {
    case Ending::kProgram:
      return "program";
    case Ending::kTimeLimit:
      return "time_limit";
    case Ending::kClient:
      return "client";
  }
  return "";
}

struct Made {
  web::RecorderState state;
  Ending ending = Ending::kProgram;
};

// Default time limits: a program is measured until it ends, unless it hangs; a running process never ends.
constexpr double kProgramSeconds = 300, kProcessSeconds = 10, kMaxSeconds = 86'400;

Result<web::RecordWish> wish_of(const Arguments& arguments) {
  nlohmann::json wanted;
  for (const char* name : {"command", "pids", "events", "period", "pmu", "detail"}) {
    if (arguments.has(name)) wanted[name] = arguments.json()[name];
  }
  if (wanted.is_null()) wanted = nlohmann::json::object();
  Result<web::RecordWish> wish = web::parse_record_wish(json_line(wanted));
  if (!wish) return wish;
  wish->options.emplace_back("--as-run");
  wish->path = arguments.text("recording", "perf.data");
  if (wish->path.empty() || wish->path == "-")
    return make_error(ErrorCode::kInvalidArgument, "the argument `recording` must name a file");
  return wish;
}

// Waits for the end of the recording. Ends it, as Ctrl-C does, at the time limit or if the client wants it.
Made wait_for_end(const Call& call, double max_seconds) {
  constexpr auto kPause = std::chrono::milliseconds(20);
  Made made;
  double next_progress = 1;
  for (bool ends = false;; std::this_thread::sleep_for(kPause)) {
    made.state = call.recorder.state();
    if (!made.state.running) return made;
    double seconds = made.state.seconds;
    if (!ends && (call.ends || seconds >= max_seconds)) {
      ends = true;
      made.ending = call.ends ? Ending::kClient : Ending::kTimeLimit;
      call.recorder.stop();
    }
    if (seconds < next_progress) continue;
    next_progress = std::floor(seconds) + 1;
    call.progress(seconds, fmt::format("{:.0f} s, {:.2f} MB recorded", seconds,
                                       static_cast<double>(made.state.bytes) / 1e6));
  }
}

std::string json_of(const Made& made) {
  const web::RecorderState& state = made.state;
  json::Json out{{"schema", json::kSchema},
                 {"recording", state.path},
                 {"exit_status", json::or_null(state.exit_status)},
                 {"ended_by", name_of(made.ending)},
                 {"seconds", state.seconds},
                 {"bytes", state.bytes},
                 {"output", state.said},
                 {"output_is_cut", state.said.size() == web::kMaxSaidBytes}};
  return compact_json(out);
}

// Returns the reason why there is no recording: hardmeter's last message, or else the last line of the
// output.
std::string reason_in(std::string_view text) {
  constexpr std::string_view kOwn = "hardmeter: ";
  std::string_view reason;
  bool is_own = false;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    bool own = line.starts_with(kOwn);
    if (line.empty() || (is_own && !own)) continue;
    is_own = own;
    reason = own ? line.substr(kOwn.size()) : line;
  }
  return std::string(reason);
}

std::string output_text(const web::RecorderState& state) {
  const char* cut = state.said.size() == web::kMaxSaidBytes ? ", their end" : "";
  return fmt::format("# exit status {}; output of the program and messages of hardmeter{}:\n{}",
                     state.exit_status.value_or(0), cut, state.said);
}

Result<Answer> run(const Call& call) {
  Result<web::RecordWish> wish = wish_of(call.arguments);
  if (!wish) return wish.error();
  if (Status started = call.recorder.start(*wish); !started) return started.error();
  double limit = call.arguments.number("seconds", wish->command.empty() ? kProcessSeconds : kProgramSeconds);
  Made made = wait_for_end(call, limit);
  if (!made.state.written)
    return make_error(ErrorCode::kIo, "no recording was written: {}", reason_in(made.state.said));
  query::OverviewOptions options;
  options.input = made.state.path;
  Result<query::Overview> overview = query::overview(options, symbol::FileResolver());
  std::string first =
      overview ? answer::overview_text(*overview, made.state.path, {}) : overview.error().message + '\n';
  return Answer{{first, output_text(made.state)}, json_of(made)};
}

}  // namespace

Tool run_tool() {
  return {
      .name = "run",
      .title = "Run and measure a program",
      .description =
          "Runs a command on this machine and measures its cache misses into a recording, or measures running processes. Reports how much memory slows it down, the hottest functions, and why. `explain`, `report`, `annotate` and `diff` then read the recording.",
      .arguments =
          {{"command", Type::kTexts,
            "the program and its arguments, one word each; no shell interprets them. Either this or pids"},
           {"pids",
            Type::kCounts,
            "running processes to measure instead of a command",
            false,
            {},
            1,
            0x7fffffff},
           {"events", Type::kTexts,
            "names of `list` (default: l1_cache_miss, l2_cache_miss, dtlb_load_miss and memory_wait)"},
           {"period", Type::kText,
            "sampling period: the number of events between two samples (1000), or a time for the clock (100us); the default depends on the event"},
           {"detail",
            Type::kText,
            "how much of a program the software PMU models: exact (every access; slow), bursts (short parts, from which the rest is estimated), auto (the first seconds exactly, then bursts; the default)",
            false,
            {"exact", "bursts", "auto"}},
           {"pmu",
            Type::kText,
            "which PMU measures: linux (hardware counters), soft (models the caches, and classifies misses), auto (hardware if it has the events; the default)",
            false,
            {"auto", "linux", "soft"}},
           {"seconds",
            Type::kNumber,
            "time limit, in seconds (default: 300 for a command, 10 for running processes); then the command is ended as by Ctrl-C, and the part that ran is reported",
            false,
            {},
            0.1,
            kMaxSeconds},
           {"recording", Type::kText,
            "path of the recording to write; an old file becomes FILE.old (default: perf.data)"}},
      .runs_programs = true,
      .call = run};
}

}  // namespace hm::mcp
