// SPDX-License-Identifier: MIT
#include "cli/ci_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <set>

#include "app/measure/sampling_arguments.h"
#include "base/edit_distance.h"
#include "cli/command_line.h"
#include "cli/comparison.h"
#include "cli/program_options.h"
#include "cli/settings_file.h"
#include "pmu/soft/geometry/geometry.h"
#include "pmu/soft/launcher/defined_machine.h"

namespace hm::cli {
namespace {

constexpr const char* kNotReproducible = "no";
constexpr std::string_view kUsualGateEvents =
    "instr_retired,l1_cache_miss,l2_cache_miss,l3_cache_miss,dtlb_load_miss";
constexpr const char* kUsualCpu = "zen4";
constexpr const char* kUsualBaselines = "hardmeter-baselines";
constexpr SectionRules kSections{"command", "run"};

// Settings of one command.
struct CommandFlags {
  std::string name, folder, baselines;
  std::vector<std::string> limits;
  uint64_t layouts = 1;
  ProgramFlags program;
  measure::SamplingOptions sampling;
};

std::vector<std::string> reproducible_words() {
  std::vector<std::string> words{kNotReproducible};
  for (std::string_view cpu : soft::defined_cpus()) words.emplace_back(cpu);
  return words;
}

std::string check_layouts(const std::string& word) {
  constexpr uint64_t kMost = 1000;
  uint64_t count = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), count);
  bool is_good = error == std::errc() && end == word.data() + word.size() && count >= 1 && count <= kMost;
  return is_good ? "" : fmt::format("'{}' is not a whole number from 1 to {}", word, kMost);
}

// The settings have the names of the options of `hardmeter record` with the same meaning.
void add_settings(CommandLine& line, CommandFlags& flags) {
  ProgramFlags& program = flags.program;
  program.pmu = "soft";
  program.usual_events = kUsualGateEvents;
  program.reproducible = soft::ReproducibleOptions{}.cpu;
  line.add_option("--name", flags.name, "");
  // Only for the name: CLI11 would split words such as "[a,b]", see take_program().
  line.add_option("--run", program.command, "");
  line.add_option("--folder", flags.folder, "");
  line.add_option("--baselines", flags.baselines, "");
  add_limit_option(line, flags.limits);
  line.add_option("--event", program.events, "").separated_by(',');
  line.add_option("--reproducible", program.reproducible, "").one_of(reproducible_words());
  line.add_option("--seed", program.seed, "");
  line.add_option("--env", program.variables, "").one_at_a_time();
  line.add_option("--function", program.limits.functions, "").one_at_a_time();
  line.add_option("--layouts", flags.layouts, "").check(check_layouts, "");
  line.add_option("--count", flags.sampling.period, "").check(measure::check_period, "");
  add_engine_choice(line, program.engine);
  add_machine_options(line, program.geometry);
}

Error wrong(size_t line, std::string_view what) {
  return make_error(ErrorCode::kInvalidArgument, "line {}: {}", line, what);
}

Error unknown(const CommandLine& line, const Setting& setting) {
  NearestWord nearest("--" + setting.name, setting.name.size() / 2 + 1);
  for (const Option& option : line.options()) {
    for (const std::string& name : option.names()) nearest.consider(name);
  }
  const std::string meant =
      nearest.found().empty() ? "" : fmt::format("; did you mean '{}'?", nearest.found().substr(2));
  return wrong(setting.line, fmt::format("unknown setting '{}'{}", setting.name, meant));
}

Status take_program(const Setting& setting, std::vector<std::string>& command) {
  for (const SettingValue& value : setting.values) {
    if (value.kind != SettingValue::Kind::kText)
      return wrong(setting.line, "run takes the program and its arguments as texts in quotes");
    command.push_back(value.text);
  }
  return {};
}

Status take_all(CommandLine& line, CommandFlags& flags, const std::vector<Setting>& settings,
                const std::vector<std::string_view>& unexpected, std::string_view reason) {
  for (const Setting& setting : settings) {
    if (std::ranges::find(unexpected, setting.name) != unexpected.end())
      return wrong(setting.line, fmt::format("{} {}", setting.name, reason));
    if (!line.find_option("--" + setting.name)) return unknown(line, setting);
    Status taken = setting.name == "run" ? take_program(setting, flags.program.command) : line.take(setting);
    if (!taken) return taken;
  }
  return {};
}

bool is_file_name(const std::string& name) {
  const auto is_allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_' || c == '.';
  };
  return !name.empty() && name[0] != '.' && std::ranges::all_of(name, is_allowed);
}

Status check_flags(const CommandFlags& flags) {
  const auto fail = [](std::string_view what) {
    return Error{ErrorCode::kInvalidArgument, std::string(what)};
  };
  if (flags.name.empty()) return fail("the command has no name; add name = \"NAME\"");
  if (!is_file_name(flags.name))
    return fail("the name of a command has letters, digits, - _ and . only, and no . first");
  if (flags.program.command.empty() || flags.program.command.front().empty())
    return fail("the command has no program; add run = [\"PROGRAM\", \"ARGUMENT\"]");
  for (const std::string& spec : flags.limits) {
    if (Result<diff::Limit> limit = diff::parse_limit(spec); !limit) return limit.error();
  }
  return soft::choose_geometry(flags.program.geometry)
             ? Status()
             : soft::choose_geometry(flags.program.geometry).error();
}

Result<gate::Command> command_of(CommandFlags flags) {
  if (Status good = check_flags(flags); !good) return good.error();
  ProgramFlags& program = flags.program;
  if (program.reproducible == kNotReproducible) program.reproducible.clear();
  if (program.geometry.cpu.empty()) program.geometry.cpu = kUsualCpu;
  // The program sees one CPU. The number of CPUs of the machine would change the counts.
  if (!program.reproducible.empty() && program.geometry.cores == 0) program.geometry.cores = 1;
  Result<measure::MeasureOptions> what = read_program_options(program);
  if (!what) return what.error();
  const std::string folder = flags.baselines.empty() ? kUsualBaselines : flags.baselines;
  return gate::Command{flags.name,     flags.folder, *std::move(what),
                       flags.sampling, flags.limits, folder + "/" + flags.name + ".json",
                       flags.layouts};
}

Result<gate::Command> read_section(const SettingSection& section, const std::vector<Setting>& common,
                                   const std::string& baselines) {
  CommandLine line("hardmeter.toml", "");
  CommandFlags flags;
  add_settings(line, flags);
  Status taken = take_all(line, flags, section.settings, {"baselines"},
                          "is for all commands: write it above [[command]]");
  if (taken) taken = take_all(line, flags, common, {"name", "run"}, "belongs below [[command]]");
  if (!taken) return taken.error();
  if (!baselines.empty()) flags.baselines = baselines;
  Result<gate::Command> command = command_of(std::move(flags));
  if (!command) return wrong(section.line, command.error().message);
  return command;
}

Result<std::vector<gate::Command>> commands_of(const SectionedSettings& settings,
                                               const std::string& baselines) {
  std::vector<gate::Command> commands;
  std::set<std::string> names;
  for (const SettingSection& section : settings.sections) {
    Result<gate::Command> command = read_section(section, settings.common, baselines);
    if (!command) return command.error();
    if (!names.insert(command->name).second)
      return wrong(section.line, fmt::format("two commands have the name {}", command->name));
    commands.push_back(*std::move(command));
  }
  if (commands.empty())
    return Error{ErrorCode::kInvalidArgument, "it has no command; add [[command]] with name and run"};
  return commands;
}

}  // namespace

Result<std::vector<gate::Command>> read_ci_file(const std::string& path, const std::string& baselines) {
  Result<SectionedSettings> settings = read_sectioned_settings_file(path, kSections);
  if (!settings) return Error{ErrorCode::kInvalidArgument, settings.error().message};
  Result<std::vector<gate::Command>> commands = commands_of(*settings, baselines);
  if (!commands) return make_error(ErrorCode::kInvalidArgument, "{}: {}", path, commands.error().message);
  return commands;
}

}  // namespace hm::cli
