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

Result<measure::Recorded> record(const Command& command, const Files& files,
                                 const measure::Observer& observer) {
  measure::RecordOptions options;
  options.what = command.what;
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

// Runs the program. Sets the outcome's error if there is no recording of a whole and successful run.
void measure_program(const Command& command, const Files& files, const measure::Observer& observer,
                     Outcome& outcome) {
  Result<measure::Recorded> recorded = record(command, files, observer);
  if (!recorded) {
    outcome.error = recorded.error();
    return;
  }
  if (recorded->refusal) {
    outcome.error = Error{ErrorCode::kUnsupported, recorded->refusal->reason};
    return;
  }
  outcome.obstacles = recorded->report.obstacles;
  outcome.obstacles.insert(outcome.obstacles.end(), recorded->report.shortfalls.begin(),
                           recorded->report.shortfalls.end());
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

// Runs the program, and sets `member` of the outcome to what `use` returns for the recording.
template <typename Value, typename Use>
Outcome measured(const Command& command, const measure::Observer& observer,
                 std::optional<Value> Outcome::*member, Use&& use) {
  Outcome outcome;
  Files files;
  if (Status opened = open_files(files); !opened) {
    outcome.error = opened.error();
    return outcome;
  }
  measure_program(command, files, observer, outcome);
  if (outcome.error) return outcome;
  Result<Value> value = use(files.recording);
  if (value)
    outcome.*member = *std::move(value);
  else
    outcome.error = value.error();
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

Result<query::Gate> read_gate(const Command& command) {
  struct stat about {};
  if (::stat(command.baseline.c_str(), &about) != 0 && errno == ENOENT)
    return make_error(ErrorCode::kInvalidArgument,
                      "there is no baseline {}; run `hardmeter ci --update` to make it", command.baseline);
  Result<query::Gate> gate = query::read_gate(command.baseline, command.limits);
  if (!gate) return Error{ErrorCode::kInvalidArgument, gate.error().message};
  gate->events = events_of(command);
  gate->same_machine = true;
  return gate;
}

Outcome compare(const Command& command, const query::Gate& gate, const measure::Observer& observer) {
  return measured(command, observer, &Outcome::diff, [&](const std::string& recording) -> Result<diff::Diff> {
    const symbol::FileResolver resolver;
    Result<profile::Profile> profile = query::load_profile(recording, resolver, profile::kPlacesOnly, {});
    if (!profile) return profile.error();
    return query::compare(gate, *profile, resolver, "this run");
  });
}

Outcome make_baseline(const Command& command, const measure::Observer& observer) {
  return measured(command, observer, &Outcome::baseline, [](const std::string& recording) {
    query::BaselineOptions options;
    options.input = recording;
    return query::make_baseline(options, symbol::FileResolver());
  });
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
