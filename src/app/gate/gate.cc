// SPDX-License-Identifier: MIT
#include "app/gate/gate.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>

#include "analysis/diff/limits.h"
#include "app/gate/last_lines.h"
#include "app/gate/working_folder.h"
#include "app/query/load.h"
#include "base/temporary_folder.h"
#include "base/write_text.h"
#include "symbol/file_resolver.h"

namespace hm::gate {
namespace {

constexpr size_t kLastLines = 20;

// Files of one measurement.
struct Files {
  TemporaryFolder folder;
  std::string recording, output;  // absolute, because the current folder changes
};

std::string signal_or_status(int status) {
  constexpr int kSignalBase = 128, kMaxSignal = 64;
  if (status > kSignalBase && status <= kSignalBase + kMaxSignal)
    return fmt::format("was ended by signal {}", status - kSignalBase);
  return fmt::format("ended with status {}", status);
}

Status open_files(Files& files) {
  std::error_code error;
  if (files.folder.exists()) files.recording = std::filesystem::absolute(files.folder.file("data"), error);
  if (files.recording.empty() || error)
    return make_error(ErrorCode::kIo, "cannot create a temporary folder; set TMPDIR to a writable one");
  files.output = files.recording + ".output";
  return {};
}

Result<measure::Recorded> record(const Command& command, uint64_t layout, const Files& files,
                                 const measure::Observer& observer) {
  measure::RecordOptions options;
  options.what = command.what;
  options.what.software.layout = layout;
  options.what.target.output = pmu::CommandOutput::kToFile;
  options.what.target.output_file = files.output;
  options.sampling = command.sampling;
  options.sampling.periods_may_grow = true;
  options.output = files.recording;
  WorkingFolder folder;
  if (!command.folder.empty()) {
    if (Status entered = folder.enter(command.folder); !entered) return entered.error();
  }
  return measure::make_recording(options, observer);
}

// Adds the sentences that are not in `all`.
void add_new(const std::vector<std::string>& sentences, std::vector<std::string>& all) {
  for (const std::string& each : sentences) {
    if (std::ranges::find(all, each) == all.end()) all.push_back(each);
  }
}

// Runs the program. Sets the outcome's error if there is no recording of a whole and successful run.
void measure_program(const Command& command, uint64_t layout, const Files& files,
                     const measure::Observer& observer, Outcome& outcome) {
  Result<measure::Recorded> recorded = record(command, layout, files, observer);
  if (!recorded) {
    outcome.error = recorded.error();
    return;
  }
  if (recorded->refusal) {
    outcome.error = Error{ErrorCode::kUnsupported, recorded->refusal->reason};
    return;
  }
  // What could not be measured is no count of 0.
  for (const std::string& each : recorded->report.obstacles)
    outcome.error = Error{ErrorCode::kUnsupported, each};
  if (outcome.error) return;
  add_new(recorded->report.shortfalls, outcome.obstacles);
  outcome.interrupted = recorded->outcome.interrupted;
  if (outcome.interrupted) {
    outcome.error = make_error(ErrorCode::kIo, "interrupted");
  } else if (recorded->command.exit_status != 0) {
    const std::string& program = command.what.target.command.front();
    outcome.error =
        make_error(ErrorCode::kIo, "the program {} {}, so its counts are not those of a whole run", program,
                   signal_or_status(recorded->command.exit_status));
    outcome.last_output = last_lines(files.output, kLastLines);
  }
}

// Runs the program in each memory layout, and passes the file of each recording to `use`, until an error.
template <typename Use>
Outcome measured(const Command& command, const measure::Observer& observer, Use&& use) {
  Outcome outcome;
  for (uint64_t layout = 0; layout < command.layouts && !outcome.error; ++layout) {
    Files files;
    if (Status opened = open_files(files); !opened) {
      outcome.error = opened.error();
      return outcome;
    }
    measure_program(command, layout, files, observer, outcome);
    if (outcome.error) return outcome;
    if (Status used = use(files.recording); !used) outcome.error = used.error();
  }
  return outcome;
}

}  // namespace

std::vector<std::string> events_of(const Command& command) {
  std::vector<std::string> events;
  const auto add = [&](const std::string& name) {
    if (std::ranges::find(events, name) == events.end()) events.push_back(name);
  };
  for (const event::Selection& each : command.what.events) add(each.name);
  for (const std::string& spec : command.limits) {
    if (Result<diff::Limit> limit = diff::parse_limit(spec)) add(limit->event);
  }
  return events;
}

std::vector<std::string> baseline_files(const Command& command) {
  constexpr std::string_view kEnd = ".json";
  std::vector<std::string> files{command.baseline};
  std::string_view stem = command.baseline;
  if (stem.ends_with(kEnd)) stem.remove_suffix(kEnd.size());
  // No name of a command has an @, so these are no other command's files.
  for (uint64_t layout = 1; layout < command.layouts; ++layout)
    files.push_back(fmt::format("{}@{}{}", stem, layout, kEnd));
  return files;
}

Result<query::Gate> read_gate(const Command& command) {
  const std::vector<std::string> files = baseline_files(command);
  for (const std::string& file : files) {
    struct stat about {};
    if (::stat(file.c_str(), &about) != 0 && errno == ENOENT)
      return make_error(ErrorCode::kInvalidArgument,
                        "there is no baseline {}; run `hardmeter ci --update` to make it", file);
  }
  Result<query::Gate> gate = query::read_gate(files, command.limits);
  if (!gate) return Error{ErrorCode::kInvalidArgument, gate.error().message};
  gate->events = events_of(command);
  gate->same_machine = true;
  return gate;
}

Outcome compare(const Command& command, const query::Gate& gate, const measure::Observer& observer) {
  std::vector<diff::Recording> runs;
  const auto reduce = [&](const std::string& recording) -> Status {
    const symbol::FileResolver resolver;  // a run may build its program again
    Result<profile::Profile> profile = query::load_profile(recording, resolver, profile::kPlacesOnly, {});
    if (!profile) return profile.error();
    Result<diff::Recording> run = query::reduced(gate, *profile, resolver, "this run");
    if (!run) return run.error();
    runs.push_back(*std::move(run));
    return {};
  };
  Outcome outcome = measured(command, observer, reduce);
  if (outcome.error) return outcome;
  Result<diff::Diff> diff = query::compare(gate, std::move(runs));
  if (diff)
    outcome.diff = *std::move(diff);
  else
    outcome.error = diff.error();
  return outcome;
}

Outcome make_baselines(const Command& command, const measure::Observer& observer) {
  std::vector<std::string> texts;
  Outcome outcome = measured(command, observer, [&](const std::string& recording) -> Status {
    query::BaselineOptions options;
    options.input = recording;
    Result<std::string> text = query::make_baseline(options, symbol::FileResolver());
    if (!text) return text.error();
    texts.push_back(*std::move(text));
    return {};
  });
  if (!outcome.error) outcome.baselines = std::move(texts);
  return outcome;
}

Status save_baseline(const std::string& file, const std::string& text) {
  constexpr mode_t kMode = 0644;
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::path(file).parent_path();
  if (!folder.empty()) std::filesystem::create_directories(folder, error);
  if (error)
    return make_error(ErrorCode::kIo, "cannot create the folder {}: {}", folder.string(), error.message());
  const std::string part = file + ".part";
  if (Status written = write_text(part, text, kMode); !written) return written;
  if (std::rename(part.c_str(), file.c_str()) != 0)
    return make_error(ErrorCode::kIo, "cannot write {}: {}", file, errno_text(errno));
  return {};
}

}  // namespace hm::gate
