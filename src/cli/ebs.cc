// SPDX-License-Identifier: MIT
#include "cli/ebs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <getopt.h>

#include <charconv>

#include "app/measure/sampling_arguments.h"
#include "app/measure/sources.h"
#include "cli/output.h"
#include "cli/recording.h"
#include "dump/dump_sink.h"
#include "event/event_template.h"

namespace hm::cli {
namespace {

constexpr uint64_t kMaxSamples = 1'000'000'000;  // more would take too long
constexpr uint64_t kLongestInterval = uint64_t{1} << 40;

enum LongOption : int { kPmu = 256, kBudget, kHelp, kVersion };
constexpr option kLongOptions[] = {{"pmu", required_argument, nullptr, kPmu},
                                   {"budget", required_argument, nullptr, kBudget},
                                   {"help", no_argument, nullptr, kHelp},
                                   {"version", no_argument, nullptr, kVersion},
                                   {nullptr, 0, nullptr, 0}};

Error wrong(const std::string& what) {
  return make_error(ErrorCode::kInvalidArgument, "{} (see ebs --help)", what);
}

Result<uint64_t> number_in(const char* name, std::string_view word, uint64_t most) {
  uint64_t number = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end != word.data() + word.size() || number == 0 || number > most)
    return wrong(fmt::format("{} {} is not a number from 1 to {}", name, word, most));
  return number;
}

// Words for getopt(3), which may permute them.
class Words {
 public:
  explicit Words(const std::vector<std::string>& words) : words_(words) {
    words_.insert(words_.begin(), "ebs");
    for (std::string& word : words_) pointers_.push_back(word.data());
    pointers_.push_back(nullptr);
    optind = 0;  // restarts getopt, even after an earlier parse
  }

  // Returns the next option's letter; ':' if its argument is missing, '?' for an unknown option, -1 at the
  // end.
  int next() { return ::getopt_long(count(), pointers_.data(), "+:uko:i:c:t:h", kLongOptions, nullptr); }
  [[nodiscard]] std::string unknown() const {
    return optopt != 0 && optopt < kPmu ? fmt::format("-{}", static_cast<char>(optopt))
                                        : std::string(pointers_[optind - 1]);
  }
  [[nodiscard]] std::vector<std::string> rest() const { return {words_.begin() + optind, words_.end()}; }

 private:
  [[nodiscard]] int count() const { return static_cast<int>(words_.size()); }

  std::vector<std::string> words_;
  std::vector<char*> pointers_;
};

Status take_option(int letter, const Words& words, EbsOptions& options) {
  const auto number = [](const char* name, uint64_t most, uint64_t& to) -> Status {
    Result<uint64_t> read = number_in(name, optarg, most);
    if (!read) return read.error();
    to = *read;
    return {};
  };
  switch (letter) {
    case 'u':
      options.user = true;
      return {};
    case 'k':
      options.kernel = true;
      return {};
    case 'o':
      options.output = optarg;
      return {};
    case 'i':
      return number("-i", kLongestInterval, options.interval);
    case 'c':
      return number("-c", kMaxSamples, options.count);
    case 't':
      options.type = optarg;
      return {};
    case kPmu:
      options.pmu = optarg;
      return {};
    case kBudget:
      options.budget = optarg;
      return {};
    case 'h':
    case kHelp:
      options.help = true;
      return {};
    case kVersion:
      options.version = true;
      return {};
    case ':':
      if (optopt == 't')
        return make_error(ErrorCode::kInvalidArgument, "-t needs an event type; the types are:\n\n{}",
                          ebs_events());
      return wrong(fmt::format("{} needs an argument", words.unknown()));
    default:
      return wrong(fmt::format("unknown option {}", words.unknown()));
  }
}

Status check(const EbsOptions& options) {
  if (!options.user && !options.kernel)
    return wrong("neither user mode (-u) nor kernel mode (-k) is given; give one or both");
  if (options.type.empty())
    return make_error(ErrorCode::kInvalidArgument, "no event type is given (-t TYPE); the types are:\n\n{}",
                      ebs_events());
  if (event::find_event(options.type) == nullptr)
    return make_error(ErrorCode::kInvalidArgument, "unknown event type '{}'; the types are:\n\n{}",
                      options.type, ebs_events());
  if (options.pmu != "auto" && !measure::source_named(options.pmu))
    return wrong(fmt::format("--pmu={} is unknown; use auto, linux or soft", options.pmu));
  if (!options.budget.empty() && !measure::parse_percent(options.budget))
    return wrong(fmt::format("--budget {} is not a percentage such as 5%", options.budget));
  if (options.command.empty()) return wrong("neither a program nor a process ID is given");
  return {};
}

// A single number is the PID of a running process.
Status take_target(EbsOptions& options) {
  const std::string& first = options.command.front();
  if (first.find_first_not_of("0123456789") != std::string::npos) {
    if (options.budget.empty()) return {};
    return wrong("--budget limits the cost of measuring a running process, and needs a process ID");
  }
  Result<uint64_t> pid = number_in("the process", first, 0x7fffffff);
  if (!pid) return pid.error();
  if (options.command.size() > 1)
    return wrong(fmt::format("{} is the ID of a running process, which takes no argument '{}'", first,
                             options.command[1]));
  options.pid = static_cast<int>(*pid);
  options.command.clear();
  return {};
}

// Returns the original program's default, except for the clock: samples every 10 us would slow the program
// down many times.
uint64_t interval_of(const EbsOptions& options) {
  constexpr uint64_t kUsual = 10'000, kUsualClockNs = 1'000'000;
  if (options.interval != 0) return options.interval;
  return event::find_event(options.type)->id == event::EventId::kClock ? kUsualClockNs : kUsual;
}

Result<measure::RecordOptions> recording_of(const EbsOptions& options) {
  measure::RecordOptions recording;
  auto events = event::parse_selections(options.type);
  if (!events) return events.error();
  recording.what.events = *std::move(events);
  recording.what.target.command = options.command;
  if (options.pid != 0) recording.what.target.pids = {options.pid};
  recording.what.modes = {options.user, options.kernel, true};
  recording.what.source = measure::source_named(options.pmu);
  recording.what.software.budget = measure::parse_percent(options.budget).value_or(0);
  recording.sampling.registers = true;
  recording.sampling.period = fmt::format("{}", interval_of(options));
  recording.sampling.max_samples = options.count;
  return recording;
}

}  // namespace

Result<EbsOptions> parse_ebs(const std::vector<std::string>& words) {
  EbsOptions options;
  Words rest(words);
  for (int letter = rest.next(); letter != -1; letter = rest.next()) {
    if (Status taken = take_option(letter, rest, options); !taken) return taken.error();
  }
  options.command = rest.rest();
  if (options.help || options.version) return options;
  if (Status good = check(options); !good) return good.error();
  if (Status good = take_target(options); !good) return good.error();
  return options;
}

std::string ebs_usage() {
  return R"(Usage: ebs (-u | -k) [-o OUTFILE] [-i INTERVAL] [-c COUNT] -t TYPE EXE_OR_PID [ARG...]

  -u             sample user-mode events
  -k             sample kernel-mode events
  -o OUTFILE     store the samples there (default: print them); an old file becomes OUTFILE.old
  -i INTERVAL    events per sample (default: 10000; of clock, in ns, 1000000)
  -c COUNT       most samples to collect (default: 2000)
  -t TYPE        the event, one of those below
  EXE_OR_PID     a program with its arguments, or the number of a running process
  --pmu=PMU      who measures: linux, the kernel's PMU; soft, the software PMU, which measures a running
                 process in bursts; auto (default), which attaches the software PMU only within a --budget
  --budget=PCT   what the software PMU may cost a running process at most, in percent of its CPU time (5%)
  --help, --version
)";
}

std::string ebs_events() {
  std::string list;
  const event::EventTemplate* before = nullptr;
  for (const event::EventTemplate& event : event::all_events()) {
    if (before == nullptr || before->group != event.group)
      list += fmt::format("{}({})\n", before == nullptr ? "" : "\n", event::group_title(event.group));
    list += fmt::format("  {} - {}\n", event.name, event.description);
    before = &event;
  }
  return list;
}

Result<int> run_ebs(const EbsOptions& options) {
  Result<measure::RecordOptions> recording = recording_of(options);
  if (!recording) return recording.error();
  std::string target = options.pid != 0 ? fmt::format("process {}", options.pid)
                                        : fmt::format("{}", fmt::join(options.command, " "));
  dump::DumpSink sink({.path = options.output, .command = target, .max_samples = options.count});
  recording->sink = &sink;
  Result<Recorded> recorded = record_and_report(*std::move(recording), true);
  if (!recorded) return recorded.error();
  if (const std::string& limit = sink.limit(); !limit.empty())
    write_message(fmt::format("ebs: {}; -c allows more samples\n", limit));
  return recorded->status;
}

}  // namespace hm::cli
