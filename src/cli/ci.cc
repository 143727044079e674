// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "app/gate/gate.h"
#include "app/query/comparison_query.h"
#include "base/edit_distance.h"
#include "base/shell_word.h"
#include "cli/ci_file.h"
#include "cli/commands.h"
#include "cli/comparison.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "cli/status_line.h"
#include "view/ci/formats.h"
#include "view/json/diff_json.h"
#include "view/text/format.h"
#include "view/text/gate_text.h"

namespace hm::cli {
namespace {

using Commands = std::vector<gate::Command>;

constexpr int kFailure = 1, kBadInput = 2, kLimitExceeded = 3, kInterrupted = 130;

struct CiFlags {
  std::string config = "hardmeter.toml";
  std::string baselines;          // folder; empty: that of the file
  std::vector<std::string> only;  // names; empty: all commands
  std::string format = "text";
  std::vector<std::string> files;  // "FORMAT=FILE"
  bool update = false;
  bool list = false;
};

Result<Commands> chosen_commands(const CiFlags& flags) {
  Result<Commands> all = read_ci_file(flags.config, flags.baselines);
  if (!all || flags.only.empty()) return all;
  Commands chosen;
  for (const std::string& name : flags.only) {
    auto found = std::ranges::find(*all, name, &gate::Command::name);
    if (found != all->end()) {
      chosen.push_back(*found);
      continue;
    }
    NearestWord nearest(name, name.size() / 2 + 1);
    for (const gate::Command& each : *all) nearest.consider(each.name);
    const std::string meant =
        nearest.found().empty() ? "" : fmt::format("; did you mean '{}'?", nearest.found());
    return make_error(ErrorCode::kInvalidArgument, "{} has no command '{}'{}", flags.config, name, meant);
  }
  return chosen;
}

std::string command_text(const gate::Command& command) {
  constexpr std::string_view kPlain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./=:,+@%";
  std::vector<std::string> quoted;
  for (const std::string& word : command.what.target.command) {
    const bool plain = !word.empty() && word.find_first_not_of(kPlain) == std::string::npos;
    quoted.push_back(plain ? word : shell_word(word));
  }
  return fmt::format("{}", fmt::join(quoted, " "));
}

std::string list_of(const Commands& commands) {
  std::string out;
  for (const gate::Command& each : commands) {
    out += fmt::format("{}: {}\n", each.name, text::printable(command_text(each)));
    if (!each.folder.empty()) out += fmt::format("  folder: {}\n", text::printable(each.folder));
    out += fmt::format("  events: {}\n", fmt::join(gate::events_of(each), ", "));
    if (!each.limits.empty())
      out += fmt::format("  limits: {}\n", text::printable(fmt::format("{}", fmt::join(each.limits, ", "))));
    if (each.layouts > 1) out += fmt::format("  layouts: {}\n", each.layouts);
    out += fmt::format("  baseline: {}\n", text::printable(each.baseline));
  }
  return out;
}

// Shows on a terminal which command runs.
class Progress {
 public:
  explicit Progress(size_t count) : count_(count) {}

  measure::Observer next(const std::string& name) {
    ++number_;
    line_ = std::make_unique<StatusLine>();
    line_->show({fmt::format("{} of {}", number_, count_), name});
    return interruptible_observer();
  }
  void clear() { line_.reset(); }

 private:
  size_t count_, number_ = 0;
  std::unique_ptr<StatusLine> line_;
};

int status_of(const Error& error) { return error.code == ErrorCode::kInvalidArgument ? kBadInput : kFailure; }

// Prints what the measurement of a command reports besides its result. Returns the exit status.
int report_problems(const std::string& name, const gate::Outcome& outcome) {
  for (const std::string& each : outcome.obstacles) (void)fail(fmt::format("{}: {}", name, each), 0);
  if (!outcome.error) return 0;
  for (const std::string& each : outcome.last_output)
    write_message(fmt::format("{}: | {}\n", name, text::printable(each)));
  const int status = fail(name + ": " + outcome.error->message, status_of(*outcome.error));
  return outcome.interrupted ? kInterrupted : status;
}

// Bad input has precedence over a failure, and a failure over a limit.
int combined(int status, int other) {
  for (int each : {kInterrupted, kBadInput, kFailure, kLimitExceeded}) {
    if (status == each || other == each) return each;
  }
  return 0;
}

std::string formatted(const std::vector<diff::NamedDiff>& results, std::string_view format) {
  if (format == "json") return json::diffs_json(results);
  auto found = std::ranges::find(ci::all_formats(), format, &ci::Format::name);
  return found != ci::all_formats().end() ? found->write(results)
                                          : text::gate_report(results, output_style());
}

bool is_format(std::string_view word) {
  return word == "json" ||
         std::ranges::find(ci::all_formats(), word, &ci::Format::name) != ci::all_formats().end();
}

std::string check_file(std::string& word) {
  const size_t sign = word.find('=');
  const bool good = sign != std::string::npos && sign + 1 < word.size() && is_format(word.substr(0, sign));
  return good ? "" : word + " is not FORMAT=FILE with json or one of the formats of --format for CI services";
}

// `files` are "FORMAT=FILE".
Status write_files(const std::vector<diff::NamedDiff>& results, const std::vector<std::string>& files) {
  for (const std::string& each : files) {
    const size_t sign = each.find('=');
    Status written = write_file(each.substr(sign + 1), formatted(results, each.substr(0, sign)));
    if (!written) return written;
  }
  return {};
}

// Reads all baselines before anything runs.
Result<std::vector<query::Gate>> read_gates(const Commands& commands) {
  std::vector<query::Gate> gates;
  for (const gate::Command& each : commands) {
    Result<query::Gate> gate = gate::read_gate(each);
    if (!gate) return Error{gate.error().code, each.name + ": " + gate.error().message};
    gates.push_back(*std::move(gate));
  }
  return gates;
}

diff::NamedDiff named(const std::string& name, gate::Outcome outcome) {
  if (outcome.diff) return {name, *std::move(outcome.diff), ""};
  return {name, {}, outcome.error->message};
}

Result<int> compare_all(const Commands& commands, const CiFlags& flags) {
  Result<std::vector<query::Gate>> gates = read_gates(commands);
  if (!gates) return gates.error();
  Progress progress(commands.size());
  std::vector<diff::NamedDiff> results;
  int status = 0;
  for (size_t i = 0; i < commands.size() && status != kInterrupted; ++i) {
    const std::string& name = commands[i].name;
    gate::Outcome outcome = gate::compare(commands[i], (*gates)[i], progress.next(name));
    progress.clear();
    status = combined(status, report_problems(name, outcome));
    results.push_back(named(name, std::move(outcome)));
    if (query::exceeds_a_limit(results.back().diff)) status = combined(status, kLimitExceeded);
  }
  if (Status written = write_files(results, flags.files); !written) return written.error();
  Result<int> printed = print(formatted(results, flags.format), status);
  for (const diff::NamedDiff& each : results) write_sentences(text::limit_messages(each.diff, each.name));
  return printed;
}

// `texts` is empty, or has one text for each file.
Status save_baselines(const gate::Command& command, const std::vector<std::string>& texts) {
  const std::vector<std::string> files = gate::baseline_files(command);
  for (size_t i = 0; i < texts.size(); ++i) {
    if (Status saved = gate::save_baseline(files[i], texts[i]); !saved) return saved;
    Status written = write_output(fmt::format("{}: wrote {}\n", command.name, text::printable(files[i])));
    if (!written) return written;
  }
  return {};
}

Result<int> update_all(const Commands& commands) {
  Progress progress(commands.size());
  int status = 0;
  for (const gate::Command& each : commands) {
    gate::Outcome outcome = gate::make_baselines(each, progress.next(each.name));
    progress.clear();
    status = combined(status, report_problems(each.name, outcome));
    if (status == kInterrupted) return status;
    if (Status saved = save_baselines(each, outcome.baselines); !saved) return saved.error();
  }
  return status;
}

Result<int> run_ci(const CiFlags& flags) {
  Result<Commands> commands = chosen_commands(flags);
  if (!commands) return commands.error();
  if (flags.list) return print(list_of(*commands));
  return flags.update ? update_all(*commands) : compare_all(*commands, flags);
}

}  // namespace

Run add_ci(CommandLine& line) {
  auto flags = std::make_shared<CiFlags>();
  line.set_footer(
      "Exit status: 0 if all limits are kept, 3 if one is exceeded, 2 for wrong input or no baseline, 1 if a program failed");
  line.add_option("--config", flags->config, "the file with the commands and their limits")
      .type("FILE")
      .show_default();
  line.add_option("--baselines", flags->baselines,
                  "the folder of the baselines, instead of the one that the file names")
      .type("DIR");
  line.add_option("--only", flags->only, "only the command with this name; may be given several times")
      .one_at_a_time()
      .type("NAME");
  line.add_flag("--update", flags->update, "do not compare: measure, and write the baselines");
  line.add_flag("--list", flags->list, "print the commands, and run none");
  add_comparison_format(line, flags->format);
  line.add_option("--write", flags->files,
                  "also write the result in this format to a file; may be given several times")
      .one_at_a_time()
      .check(check_file, "")
      .type("FORMAT=FILE");
  return [flags] { return run_ci(*flags); };
}

}  // namespace hm::cli
