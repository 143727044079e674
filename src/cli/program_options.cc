// SPDX-License-Identifier: MIT
#include "cli/program_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <memory>

#include "app/measure/sampling_arguments.h"
#include "app/measure/sources.h"
#include "base/process_tree.h"
#include "base/program_path.h"
#include "cli/output.h"
#include "pmu/linux/pid_and_cpu.h"

namespace hm::cli {
namespace {

constexpr const char* kMachine = "Modelled machine (software PMU)";
constexpr const char* kTarget = "What to measure";
constexpr const char* kDevelopers = "For developers of the copying engine";
constexpr const char* kLimits = "How much of it (software PMU)";

struct EngineWord {
  std::string_view word;
  soft::EngineWish wish;
};
constexpr EngineWord kEngineWords[] = {{"auto", soft::EngineWish::kAuto},
                                       {"direct", soft::EngineWish::kDirect},
                                       {"valgrind", soft::EngineWish::kValgrind}};
// The value of --pmu for the software PMU's engine that measures a guest.
constexpr const char* kGuest = "guest";

// Opens the target of --trace-blocks: standard error, or a new file. Fails with kIo if the file cannot be
// created. A later write error is reported once.
Result<std::function<void(std::string_view)>> open_block_trace(const std::string& where) {
  constexpr std::string_view kToStandardError = "true";  // value of the flag if the user gives none
  auto cannot_write = [where] { return fmt::format("cannot write {}: {}", where, errno_text(errno)); };
  if (where == kToStandardError) return std::function<void(std::string_view)>(write_message);
  auto file = std::make_shared<std::ofstream>(where, std::ios::binary | std::ios::trunc);
  if (!*file) return Error{ErrorCode::kIo, cannot_write()};
  return std::function<void(std::string_view)>([file, cannot_write](std::string_view text) {
    if (!*file) return;
    *file << text << std::flush;
    if (!*file) (void)fail(cannot_write(), 0);
  });
}

}  // namespace

void add_machine_options(CommandLine& line, soft::GeometryOptions& geometry) {
  auto add = [&](const char* name, std::string& value, const char* type, const char* description) {
    line.add_option(name, value, description).type(type).group(kMachine);
  };
  add("--cpu", geometry.cpu, "NAME", "a CPU model, or host (the default); help lists them");
  add("--l1i", geometry.l1i, "SIZE,WAYS,LINE",
      "this first-level instruction cache instead; none: do not model code, which is faster (L2 and L3 then hold only data)");
  for (auto [name, value] : {std::pair{"--l1d", &geometry.l1d}, {"--l2", &geometry.l2}}) {
    add(name, *value, "SIZE,WAYS,LINE", "this cache instead, such as 48K,12,64");
  }
  add("--l3", geometry.l3, "SIZE,WAYS,LINE", "this cache instead, or none");
  add("--itlb", geometry.itlb, "ENTRIES,WAYS", "this TLB instead, such as 64,4");
  add("--dtlb", geometry.dtlb, "ENTRIES,WAYS", "this TLB instead");
  add("--stlb", geometry.second_tlb, "ENTRIES,WAYS", "this second-level TLB instead, or none");
  add("--page", geometry.page, "SIZE", "the size of pages, such as 4K or 2M");
  line.add_option(
          "--cores", geometry.cores,
          "number of modelled cores for a process's threads (copying engine; default: the CPUs that the process may use)")
      .between(uint64_t{1}, uint64_t{soft::kMaxModelledCores})
      .type("N")
      .group(kMachine);
  add("--as", geometry.costs_as, "MACHINE",
      "estimate cycles as time on a machine: host (calibrated by hardmeter calibrate), the file of a profile, or typical; none: stated latencies. `run` and `top` use host if it is calibrated, else typical");
  line.add_flag(
          "--physical", geometry.physical,
          "index L2 and L3 by physical addresses, which only root can read (default: virtual addresses)")
      .group(kMachine);
}

void add_engine_choice(CommandLine& line, std::string& engine) {
  std::vector<std::string> words;
  for (const EngineWord& each : kEngineWords) words.emplace_back(each.word);
  line.add_option(
          "--engine", engine,
          "engine of the software PMU: direct (copies the program's code); valgrind (translates it); auto (direct if possible)")
      .one_of(words)
      .show_default();
}

soft::EngineWish engine_named(const std::string& word) {
  return std::ranges::find(kEngineWords, word, &EngineWord::word)->wish;
}

namespace {

void add_reproducible(CommandLine& line, ProgramFlags& flags) {
  Option reproducible = line.add_flag(
      "--reproducible", flags.reproducible,
      "let the program see a defined machine: a processor of --reproducible=x86-64-v1, v2, v3 (the default) or v4, one CPU, random numbers from a seed, time that advances with the instructions, and an environment of four variables");
  reproducible.group(kReproducibleGroup);
  line.add_option("--seed", flags.seed, "seed of the random numbers (default: 0)")
      .type("N")
      .needs(reproducible)
      .group(kReproducibleGroup);
  line.add_option("--env", flags.variables,
                  "a further environment variable: NAME=VALUE, or NAME for its present value")
      .one_at_a_time()
      .type("NAME[=VALUE]")
      .needs(reproducible)
      .group(kReproducibleGroup);
  line.add_option(
          "--layout", flags.layout,
          "memory layout N moves the stack, the heap and mapped files by distances that depend only on N (default: 0, not moved)")
      .type("N")
      .group(kReproducibleGroup);
}

void add_guest_options(CommandLine& line, soft::GuestOptions& guest) {
  constexpr const char* kOfGuests = "The virtual machine of --pmu=guest";
  line.add_option("--guest-kernel", guest.kernel, "file of its kernel (default: one in /boot)")
      .type("FILE")
      .group(kOfGuests);
  line.add_option("--guest-cpus", guest.cpus, "number of its CPUs")
      .positive()
      .show_default()
      .group(kOfGuests);
  line.add_option("--guest-memory", guest.memory_mib, "its memory, in MiB")
      .positive()
      .show_default()
      .group(kOfGuests);
  line.add_flag(
          "--guest-boot", guest.always_boots,
          "boot it, and save no snapshot: without this option, a guest that has booted is saved in ~/.cache/hardmeter, and later runs continue it")
      .group(kOfGuests);
}

void add_engine_options(CommandLine& line, ProgramFlags& flags) {
  add_engine_choice(line, flags.engine);
  line.add_flag("--no-classes", flags.no_classes,
                "do not classify misses (compulsory, capacity, conflict); saves some time");
  line.add_flag(
      "--no-syscall-memory", flags.no_syscall_memory,
      "do not count the misses of system calls in the program's memory: of read(2) in its buffer, for example");
  line.add_option(
          "--tlb", flags.tlb_cycles,
          "record the contents of the modelled TLBs with a sample every CYCLES modelled cycles, for `hardmeter map`")
      .positive()
      .type("CYCLES");
  line.add_flag(
      "--sizes", flags.sizes,
      "also model caches of all sizes, in one pass over all accesses; `hardmeter map --sizes` shows their misses. The default is --sizes=64-32768,16: 64 to 32768 sets, in powers of two, and 1 to 16 ways. Ranges for other line sizes or for pages (TLBs) follow after colons: --sizes=64-32768,16:1-512,8,4K. A final /8 (or /8 alone) simulates one set in 8, and gives intervals");
  line.add_option(
          "--detail", flags.detail,
          "how much of a program is modelled: exact (every access; the default except in run), bursts (thousands of short parts, from which the rest is estimated at a fraction of the cost; always used for running processes), or auto (every access of the first seconds, then bursts)")
      .one_of({"exact", "bursts", "auto"});
  add_reproducible(line, flags);
  // For tests and measurements of the engine.
  line.add_option("--burst-slots", flags.bursts.slots, "").positive().hide();
  line.add_option("--exact-slots", flags.bursts.exact_slots, "").positive().hide();
  line.add_option("--gap-slots", flags.bursts.gap_slots, "").positive().hide();
  line.add_option("--bursts-per-doubling", flags.bursts_per_doubling, "").positive().hide();
  line.add_flag("--copies-only", flags.copies_only, "").hide();
  line.add_option("--absent-features", flags.absent.features, "").hide();
  line.add_option("--absent-begin", flags.absent.begin, "").hide();
  line.add_option("--absent-end", flags.absent.end, "").hide();
  Option trace = line.add_flag(
      "--trace-blocks", flags.block_trace,
      "print each block of code beside its copy by the copying engine, to standard error or (--trace-blocks=FILE) to a file");
  trace.group(kDevelopers);
  line.add_option("--trace-blocks-of", flags.traced_function,
                  "with --trace-blocks: only blocks with code of this function")
      .type("NAME")
      .needs(trace)
      .group(kDevelopers);
}

void add_limits(CommandLine& line, soft::CollectionLimits& limits) {
  line.add_flag(
          "--whole", limits.whole,
          "collect the whole program, even if it limits the collection itself (hardmeter_start, hardmeter_stop)")
      .group(kLimits);
  line.add_option(
          "-D,--delay,--start-after", limits.start_after_ms,
          "collect nothing in the first MS milliseconds; until then the program runs almost at full speed")
      .between(uint64_t{1}, uint64_t{1} << 40)
      .type("MS")
      .group(kLimits);
  line.add_option(
          "--function", limits.functions,
          "collect only while a thread is inside this function or its callees, and run the rest almost at full speed; a symbol of the program or a library, in C++ also Class::function; may be given several times")
      .one_at_a_time()
      .type("NAME")
      .group(kLimits);
}

// Returns "auto" and the names of the sources.
std::vector<std::string> source_words() {
  std::vector<std::string> words{"auto"};
  for (const measure::SourceRow& row : measure::all_sources()) {
    if (!row.word.empty()) words.emplace_back(row.word);
  }
  words.emplace_back(kGuest);
  return words;
}

// Limit of --detail auto: one to six seconds.
constexpr uint64_t kExactSlots = uint64_t{1} << 29;

// Bursts at a stated distance stay at that distance, unless it is stated when to double it.
soft::BurstPlan burst_plan(const ProgramFlags& flags, bool is_auto) {
  soft::BurstPlan plan = flags.bursts;
  if (plan.gap_slots != soft::BurstPlan{}.gap_slots || flags.bursts_per_doubling != 0)
    plan.bursts_per_doubling = flags.bursts_per_doubling;
  if (is_auto && plan.exact_slots == 0) plan.exact_slots = kExactSlots;
  return plan;
}

// True if a length of bursts or gaps is stated: it is then not ignored for want of --detail.
bool states_bursts(const ProgramFlags& flags) {
  constexpr soft::BurstPlan kUsual;
  return flags.bursts.slots != kUsual.slots || flags.bursts.gap_slots != kUsual.gap_slots ||
         flags.bursts_per_doubling != 0;
}

std::optional<soft::ReproducibleOptions> reproducible_options(const ProgramFlags& flags) {
  if (flags.reproducible.empty()) return std::nullopt;
  soft::ReproducibleOptions options;
  if (flags.reproducible != "true") options.cpu = flags.reproducible;
  options.seed = flags.seed;
  for (const std::string& each : flags.variables) {
    const char* present = ::getenv(each.c_str());
    if (each.find('=') != std::string::npos)
      options.variables.push_back(each);
    else if (present != nullptr)
      options.variables.push_back(each + '=' + present);
  }
  return options;
}

measure::SoftwareOptions software_options(const ProgramFlags& flags, bool only_a_command) {
  measure::SoftwareOptions options;
  options.engine = flags.pmu == kGuest ? soft::EngineWish::kGuest : engine_named(flags.engine);
  options.guest = flags.guest;
  options.classes = !flags.no_classes;
  options.system_call_memory = !flags.no_syscall_memory;
  options.tlb_cycles = flags.tlb_cycles;
  options.bursts_if_possible = flags.answers_first && flags.detail.empty() && only_a_command;
  options.estimates_time = flags.answers_first;
  bool is_auto = flags.detail == "auto" || options.bursts_if_possible;
  bool is_in_bursts = flags.detail == "bursts" || (flags.detail.empty() && states_bursts(flags));
  if (is_in_bursts || is_auto) options.bursts = burst_plan(flags, is_auto);
  options.exact = flags.detail == "exact";
  options.copies_only = flags.copies_only;
  options.absent = flags.absent;
  options.reproducible = reproducible_options(flags);
  options.layout = flags.layout;
  options.geometry = flags.geometry;
  options.limits = flags.limits;
  options.traced_function = flags.traced_function;
  if (!flags.block_trace.empty())
    options.open_block_trace = [where = flags.block_trace] { return open_block_trace(where); };
  return options;
}

Status check_target(const pmu::Target& target, const std::string& command) {
  if (Status one = check_one_list(target.pids, target.command); !one) return one;
  if (Status one = check_one_list(target.tids, target.command); !one) return one;
  if (target.command.empty() && !target.by_task() && !target.by_cpu())
    return make_error(ErrorCode::kInvalidArgument,
                      "neither a program nor a process is given (see hardmeter {} --help)", command);
  if (target.by_task() && target.by_cpu())
    return make_error(ErrorCode::kInvalidArgument,
                      "processes (-p, -t) and CPUs (-a, -C, -G) exclude each other");
  return {};
}

}  // namespace

Status check_one_list(const std::vector<int>& numbers, const std::vector<std::string>& command) {
  if (numbers.empty() || command.empty()) return {};
  const std::string& word = command.front();
  if (word.find_first_not_of("0123456789,") != std::string::npos || find_program(word)) return {};
  return make_error(ErrorCode::kInvalidArgument,
                    "'{}' is no program; several processes are one list with commas, such as {},{}", word,
                    numbers.back(), word);
}

void add_target_options(CommandLine& line, TargetFlags& target) {
  auto add_list = [&](const char* name, std::vector<int>& value, const char* type, const char* description) {
    line.add_option(name, value, description)
        .separated_by(',')
        .one_at_a_time()
        .positive()
        .type(type)
        .group(kTarget);
  };
  add_list("-p,--pid", target.pids, "PID", "running processes, with all their threads");
  line.add_flag("--tree", target.tree, "with -p: also measure the descendants of these processes")
      .group(kTarget);
  add_list("-t,--tid", target.tids, "TID", "running threads");
  line.add_flag("-a,--all-cpus", target.whole_system, "the whole system").group(kTarget);
  line.add_option("-C,--cpus", target.cpus, "everything on these CPUs, such as 0-3,7")
      .type("LIST")
      .group(kTarget);
  line.add_option("-G,--cgroup", target.cgroup, "everything in this control group")
      .type("NAME")
      .group(kTarget);
  line.add_flag("-u,--user", target.user, "user mode only").group(kTarget);
  line.add_flag("-k,--kernel", target.kernel, "kernel mode only, or with -u both").group(kTarget);
  line.add_flag("-i,--no-inherit", target.no_inherit, "do not measure processes that the target starts")
      .group(kTarget);
  line.add_option("--duration", target.duration,
                  "measure running processes for this time, such as 3s or 500ms")
      .type("TIME")
      .group(kTarget);
  line.add_option(
          "--budget", target.budget,
          "maximum cost of measuring running processes with the software PMU, in percent of their CPU time, such as 5%: they are measured in episodes of a tenth of a second, and run natively between episodes")
      .check(measure::check_percent, "PERCENT")
      .group(kTarget);
}

void add_program_options(CommandLine& line, ProgramFlags& flags) {
  add_own_program_options(line, flags);
  add_target_options(line, flags.target);
  add_limits(line, flags.limits);
}

void add_own_program_options(CommandLine& line, ProgramFlags& flags) {
  flags.line = &line;
  line.take_program();
  line.set_footer("The program follows: hardmeter " + line.name() + " [OPTIONS] [--] PROGRAM [ARGUMENTS...]");
  line.add_option(
          "-e,--event", flags.events,
          "the events: names of `hardmeter list` or of perf, such as page-faults, cycles:k, mem:0xADDRESS:w, sched:sched_switch; without this option, samples of the software PMU include memory_wait")
      .separated_by(',')
      .one_at_a_time()
      .show_default(std::string(flags.usual_events));
  line.add_option(
          "--pmu", flags.pmu,
          "which PMU measures: linux (the kernel's PMU), soft (the software PMU), guest (the software PMU, in a virtual machine with this machine's files: the kernel, too), auto (the kernel's if it has the events)")
      .one_of(source_words())
      .show_default();
  add_engine_options(line, flags);
  add_guest_options(line, flags.guest);
  add_machine_options(line, flags.geometry);
}

Result<measure::MeasureOptions> read_program_options(const ProgramFlags& flags) {
  measure::MeasureOptions options;
  std::string list = fmt::format("{}", fmt::join(flags.events, ","));
  auto events = event::parse_selections(flags.events.empty() ? flags.usual_events : list);
  if (!events) return events.error();
  options.events = *std::move(events);
  options.usual_events = flags.events.empty();
  options.adds_waits = flags.adds_waits && options.usual_events;
  const TargetFlags& target = flags.target;
  options.target.command = flags.line != nullptr ? flags.line->rest() : flags.command;
  options.target.pids = target.pids;
  if (target.tree) {
    options.target.roots = target.pids;
    options.target.pids = with_descendants(target.pids);
    if (options.target.pids.empty())
      return make_error(ErrorCode::kInvalidArgument, "--tree needs running processes (-p PID)");
  }
  options.target.tids = target.tids;
  options.target.whole_system = target.whole_system;
  options.target.cgroup = target.cgroup;
  options.cpu_list = target.cpus;
  if (!target.cpus.empty()) {
    auto cpus = linux_pmu::parse_cpu_list(target.cpus);
    if (!cpus) return cpus.error();
    options.target.cpus = *std::move(cpus);
  }
  const std::string command = flags.line != nullptr ? flags.line->name() : "ci";
  if (Status good = check_target(options.target, command); !good) return good.error();
  if (!target.duration.empty()) {
    std::optional<measure::Period> most = measure::parse_period(target.duration);
    if (!most || !most->is_time)
      return make_error(ErrorCode::kInvalidArgument, "--duration takes a time such as 3s or 500ms, not '{}'",
                        target.duration);
    if (!options.target.command.empty())
      return make_error(
          ErrorCode::kInvalidArgument,
          "--duration needs running processes; a program is measured until it ends (timeout(1) limits it)");
    options.max_ns = most->events;
  }
  bool chosen = target.user || target.kernel;
  options.modes = {!chosen || target.user, !chosen || target.kernel, chosen};
  options.inherit = !target.no_inherit;
  options.source = measure::source_named(flags.pmu == kGuest ? "soft" : flags.pmu);
  options.software = software_options(flags, options.target.only_a_command());
  options.software.budget = measure::parse_percent(target.budget).value_or(0);
  if (options.software.budget != 0 && !options.target.only_processes())
    return make_error(
        ErrorCode::kInvalidArgument,
        "--budget limits the cost of measuring running processes, and needs -p PID or -G CGROUP");
  if (!flags.sizes.empty()) {
    Result<model::SizeRanges> sizes = measure::parse_sizes(flags.sizes);
    if (!sizes) return sizes.error();
    options.software.sizes = *sizes;
  }
  return options;
}

std::string cpu_list() {
  std::string list = fmt::format("{:18}{}\n", "host", "this machine (the default)");
  for (const soft::CpuPreset& preset : soft::cpu_presets()) {
    list += fmt::format("{:18}{}\n{:18}{}\n", preset.name, preset.description, "",
                        soft::describe(preset.geometry));
  }
  return list;
}

}  // namespace hm::cli
