// SPDX-License-Identifier: MIT
#include "cli/llc_flags.h"

#include <fmt/format.h>
#include <sys/sysinfo.h>

#include <algorithm>
#include <charconv>
#include <memory>
#include <string_view>

#include "base/hex.h"
#include "base/process_files.h"
#include "cli/program_options.h"
#include "cli/snapshot_sink.h"
#include "pmu/rdt/xen_provider.h"

namespace hm::cli {
namespace {

using llc::SourceChoice;
using occupancy::By;

struct ByWord {
  std::string_view word;
  By by;
};
constexpr ByWord kByWords[] = {{"cpu", By::kCpu},        {"thread", By::kThread}, {"process", By::kProcess},
                               {"tree", By::kTree},      {"cgroup", By::kCgroup}, {"vm", By::kVm},
                               {"program", By::kProgram}};

struct SourceWord {
  std::string_view word;
  SourceChoice source;
};
constexpr SourceWord kSourceWords[] = {{"auto", SourceChoice::kAuto},
                                       {"resctrl", SourceChoice::kResctrl},
                                       {"pqos", SourceChoice::kPqos},
                                       {"soft", SourceChoice::kModelled}};

template <typename Rows>
std::vector<std::string> words_of(const Rows& rows) {
  std::vector<std::string> words;
  for (const auto& each : rows) words.emplace_back(each.word);
  return words;
}

// Finds a virtual machine's process by its PID or name.
Result<pid_t> find_vm(const std::string& wanted) {
  llc::TaskTable tasks;
  tasks.refresh();
  pid_t number = 0;
  const char* end = wanted.data() + wanted.size();
  if (std::from_chars(wanted.data(), end, number).ptr != end) number = 0;  // a name may begin with a digit
  for (const auto& [pid, process] : tasks.processes()) {
    std::string name = llc::vm_name(tasks.command_line(pid));
    if (!name.empty() && (name == wanted || pid == number)) return pid;
  }
  return make_error(ErrorCode::kNotFound,
                    "virtual machine {} does not exist: no QEMU process has that process ID or name (-name)",
                    wanted);
}

Status check_xen_is_alone(const LlcFlags& flags) {
  bool with_others = !flags.pids.empty() || !flags.vm.empty() || !(flags.by.empty() || flags.by == "vm") ||
                     flags.source != "auto" || !flags.resctrl_root.empty();
  if (!with_others) return {};
  return make_error(ErrorCode::kInvalidArgument,
                    "--xen measures Xen domains only: omit -p, --vm, --by, --source and --resctrl");
}

Result<uint32_t> find_xen_domain(const std::string& word, const std::vector<rdt::XenDomain>& all) {
  uint32_t id = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), id);
  if (error != std::errc() || end != word.data() + word.size())
    return make_error(ErrorCode::kInvalidArgument,
                      "--xen takes domain numbers or all, not '{}'; `xl list` shows the numbers", word);
  if (std::ranges::find(all, id, &rdt::XenDomain::id) == all.end())
    return make_error(ErrorCode::kNotFound,
                      "Xen domain {} does not exist: `xl list` shows the running domains", id);
  return id;
}

Status read_xen_flags(const LlcFlags& flags, LlcPlan& plan) {
  if (Status alone = check_xen_is_alone(flags); !alone) return alone;
  auto domains = rdt::xen_domains();
  if (!domains) return domains.error();
  plan.provider.source = SourceChoice::kXen;
  plan.rows.of_xen = true;
  if (flags.xen == std::vector<std::string>{"all"}) return {};
  for (const std::string& word : flags.xen) {
    Result<uint32_t> id = find_xen_domain(word, *domains);
    if (!id) return id.error();
    plan.rows.xen_domains.push_back(*id);
  }
  return {};
}

Status check_processes(const std::vector<pid_t>& pids) {
  llc::TaskTable tasks;
  tasks.refresh();
  for (pid_t pid : pids) {
    if (!tasks.is_there(pid))
      return make_error(ErrorCode::kNotFound, "cannot measure process {}: {}", pid, no_process_text());
  }
  return {};
}

// Chooses what rows stand for if the user does not: processes with their descendants if PIDs are given,
// virtual machines, or else control groups, which rarely outnumber the monitoring IDs.
By by_of(const LlcFlags& flags, bool measures_programs) {
  if (!flags.by.empty()) return std::ranges::find(kByWords, flags.by, &ByWord::word)->by;
  if (measures_programs) return By::kProgram;
  if (!flags.vm.empty() || !flags.xen.empty()) return By::kVm;
  return flags.pids.empty() ? By::kCgroup : By::kTree;
}

Status check(const LlcFlags& flags, const LlcPlan& plan) {
  bool is_modelled = plan.provider.source == SourceChoice::kModelled;
  if (is_modelled && plan.programs.commands.empty())
    return make_error(
        ErrorCode::kInvalidArgument,
        "the software PMU measures programs that it runs, and none is given: write `hardmeter llc -- PROGRAM ... , PROGRAM ...`");
  if (is_modelled && !plan.measures_programs)
    return make_error(ErrorCode::kInvalidArgument,
                      "the software PMU measures only the programs that it runs");
  if (plan.rows.by == By::kProgram && !plan.measures_programs)
    return make_error(ErrorCode::kInvalidArgument, "--by program needs programs to run: `-- PROGRAM`");
  if (!plan.ways.empty() && (!plan.measures_programs || plan.ways.size() != plan.programs.commands.size()))
    return make_error(ErrorCode::kInvalidArgument,
                      "--ways takes one mask for each program: {} masks and {} programs are given",
                      plan.ways.size(), plan.measures_programs ? plan.programs.commands.size() : 0);
  if (flags.apply && plan.ways.empty())
    return make_error(ErrorCode::kInvalidArgument, "--apply needs --ways, which divides the cache");
  if (flags.apply && is_modelled)
    return make_error(ErrorCode::kInvalidArgument,
                      "--apply divides the processor's cache, and --source=soft uses a modelled cache");
  if (flags.csv && flags.json)
    return make_error(ErrorCode::kInvalidArgument, "--csv and --json exclude each other");
  if (!plan.measures_programs && plan.programs.commands.size() > 1)
    return make_error(ErrorCode::kInvalidArgument,
                      "running processes are measured for as long as one program runs: {} programs are given",
                      plan.programs.commands.size());
  return {};
}

}  // namespace

void add_llc_options(CommandLine& line, LlcFlags& flags) {
  flags.line = &line;
  line.add_flag("-b,--batch", flags.batch,
                "print as text instead of the full screen; the default if standard output is not a terminal");
  line.add_option("-n,--iterations", flags.times, "print this many times").positive().type("N");
  line.add_option("-d,--delay", flags.delay_s, "seconds between two outputs")
      .between(0.02, 86400.0)
      .type("SECONDS")
      .show_default();
  line.add_flag("--csv", flags.csv, "print CSV");
  line.add_flag("--json", flags.json, "print one line of JSON each time");
  line.add_option("-p,--pid", flags.pids, "running processes, including the processes that they start")
      .separated_by(',')
      .one_at_a_time()
      .positive()
      .type("PID");
  line.add_option("--vm", flags.vm, "this virtual machine of QEMU").type("NAME|PID");
  line.add_option("--xen", flags.xen, "Xen domains by number, or all; uses the command xl in dom0")
      .separated_by(',')
      .one_at_a_time()
      .type("DOMID");
  line.add_option(
          "--by", flags.by,
          "meaning of a row: cpu, thread, process, tree (a child of init with all its descendants), cgroup (containers, services), vm; for programs to run: program")
      .one_of(words_of(kByWords));
  line.add_option(
          "--ways", flags.ways,
          "restrict each program to some cache ways: one mask for each program, such as fff0,f; 0 is no restriction")
      .separated_by(',')
      .one_at_a_time()
      .type("MASK,MASK...");
  line.add_flag(
      "--apply", flags.apply,
      "with --ways: divide the processor's own cache while this command runs, not a modelled cache");
  line.add_option(
          "--source", flags.source,
          "how to measure: resctrl (the kernel); pqos (reads the processor's registers, by CPU); soft (models a cache that programs share); auto (the first that works)")
      .one_of(words_of(kSourceWords))
      .show_default();
  line.add_option("--resctrl", flags.resctrl_root,
                  "mount point of resctrl (default: HARDMETER_RESCTRL, else /sys/fs/resctrl)")
      .type("FOLDER");
  add_metrics_option(line, flags.prometheus);
  add_engine_choice(line, flags.engine);
  add_machine_options(line, flags.geometry);
  line.take_program();
}

Result<LlcPlan> read_llc_flags(const LlcFlags& flags) {
  LlcPlan plan;
  plan.provider.source = std::ranges::find(kSourceWords, flags.source, &SourceWord::word)->source;
  plan.provider.resctrl_root = flags.resctrl_root;
  plan.rows.processes.assign(flags.pids.begin(), flags.pids.end());
  if (Status there = check_processes(plan.rows.processes); !there) return there.error();
  if (!flags.vm.empty()) {
    Result<pid_t> vm = find_vm(flags.vm);
    if (!vm) return vm.error();
    plan.rows.processes.push_back(*vm);
  }
  if (!flags.xen.empty()) {
    if (Status xen = read_xen_flags(flags, plan); !xen) return xen.error();
  }
  std::vector<std::string> program = flags.line->rest();
  if (!program.empty()) {
    auto commands = llc::split_commands(program);
    if (!commands) return commands.error();
    plan.programs.commands = *std::move(commands);
  }
  plan.measures_programs = !program.empty() && plan.rows.processes.empty() && !plan.rows.of_xen &&
                           (flags.by.empty() || flags.by == "program" || flags.source == "soft");
  plan.rows.by = by_of(flags, plan.measures_programs);
  plan.provider.by_cpu = plan.rows.by == By::kCpu;
  for (int cpu = 0; cpu < ::get_nprocs_conf(); ++cpu) plan.rows.cpus.push_back(static_cast<uint32_t>(cpu));
  plan.programs.engine = engine_named(flags.engine);
  plan.programs.geometry = flags.geometry;
  for (const std::string& each : flags.ways) {
    std::optional<uint64_t> mask = hex_number(each);
    if (!mask)
      return make_error(ErrorCode::kInvalidArgument,
                        "'{}' is not a mask of ways: write a hexadecimal number, such as fff0", each);
    plan.ways.push_back(*mask);
  }
  if (!plan.ways.empty() && !flags.apply) plan.provider.source = SourceChoice::kModelled;
  if (Status good = check(flags, plan); !good) return good.error();
  return plan;
}

}  // namespace hm::cli
