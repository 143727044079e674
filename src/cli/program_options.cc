// SPDX-License-Identifier: MIT
#include "cli/program_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "base/program_path.h"
#include "cli/output.h"
#include "cli/sampling_words.h"
#include "pmu/linux/places.h"

namespace hm::cli {
namespace {

constexpr int kNotFoundStatus = 127;  // POSIX, Shell Command Language, 2.8.2
constexpr int kNotExecutableStatus = 126;
constexpr const char* kMachine = "Modelled machine (software PMU)";
constexpr const char* kTarget = "What to measure";
constexpr const char* kDevelopers = "For who works on the copying engine";
constexpr const char* kLimits = "How much of it (software PMU)";
constexpr const char* kHeap = "The heap (software PMU)";
constexpr const char* kKernels = "More with each sample (the kernel's PMU)";

void add_machine_options(CommandLine& line, soft::GeometryOptions& geometry) {
  auto add = [&](const char* name, std::string& value, const char* type, const char* description) {
    line.add_option(name, value, description).type(type).group(kMachine);
  };
  add("--cpu", geometry.cpu, "NAME", "a CPU model, or host (the default); help lists them");
  for (auto [name, value] :
       {std::pair{"--l1i", &geometry.l1i}, {"--l1d", &geometry.l1d}, {"--l2", &geometry.l2}}) {
    add(name, *value, "SIZE,WAYS,LINE", "this cache instead, such as 48K,12,64");
  }
  add("--l3", geometry.l3, "SIZE,WAYS,LINE", "this cache instead, or none");
  add("--itlb", geometry.itlb, "ENTRIES,WAYS", "this TLB instead, such as 64,4");
  add("--dtlb", geometry.dtlb, "ENTRIES,WAYS", "this TLB instead");
  add("--stlb", geometry.second_tlb, "ENTRIES,WAYS", "this second-level TLB instead, or none");
  add("--page", geometry.page, "SIZE", "the size of pages, such as 4K or 2M");
}

void add_engine_options(CommandLine& line, ProgramOptions& options) {
  line.add_option(
          "--engine", options.engine,
          "what the software PMU runs programs with: direct, which copies their code; valgrind, which "
          "translates it; auto, direct where it can")
      .one_of({"auto", "direct", "valgrind"})
      .show_default();
  line.add_flag(
      "--no-classes", options.no_classes,
      "do not find out why accesses missed (compulsory, capacity, conflict), which costs some time");
  line.add_flag("--copies-only", options.copies_only, "")
      .group("");  // for tests and measurements of the engine
  line.add_option("--absent-features", options.absent_features, "").group("");  // likewise
  Option trace = line.add_flag(
      "--trace-blocks", options.block_trace,
      "print each block of code that the copying engine copies beside its copy, to standard error or "
      "(--trace-blocks=FILE) to a file");
  trace.group(kDevelopers);
  line.add_option("--trace-blocks-of", options.traced_function, "only blocks with code of this function")
      .type("NAME")
      .needs(trace)
      .group(kDevelopers);
}

void add_target_options(CommandLine& line, TargetOptions& target) {
  auto add_list = [&](const char* name, std::vector<int>& value, const char* type, const char* description) {
    line.add_option(name, value, description)
        .separated_by(',')
        .one_at_a_time()
        .positive()
        .type(type)
        .group(kTarget);
  };
  add_list("-p,--pid", target.pids, "PID", "running processes, with all their threads");
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
  line.add_flag("-i,--no-inherit", target.no_inherit, "not what the target starts").group(kTarget);
}

void add_heap_options(CommandLine& line, SamplingOptions& options) {
  line.add_flag("--no-heap-blocks", options.no_heap_blocks,
                "do not note which block of the heap the data of a sample lies in, and who allocated it")
      .group(kHeap);
  line.add_option("--allocator", options.allocators,
                  "a function of the program's own that allocates, beside malloc and its like: its result is "
                  "the block, the argument with this number (1 if there is none) its size; may be given "
                  "several times")
      .one_at_a_time()
      .type("NAME[:ARGUMENT]")
      .group(kHeap);
}

void add_limits(CommandLine& line, soft::CollectionLimits& limits) {
  line.add_flag("--whole", limits.whole,
                "collect all of a program, also where it says itself what to measure (hardmeter_start, "
                "hardmeter_stop)")
      .group(kLimits);
  line.add_option("-D,--delay,--start-after", limits.start_after_ms,
                  "collect nothing before so many milliseconds: until then the program runs almost at full "
                  "speed")
      .between(uint64_t{1}, uint64_t{1} << 40)
      .type("MS")
      .group(kLimits);
  line.add_option("--function", limits.functions,
                  "collect only while a thread is inside this function, callees included, and run the rest "
                  "almost at full speed; as the program's or a library's symbols name it, of C++ also "
                  "Class::function; may be given several times")
      .one_at_a_time()
      .type("NAME")
      .group(kLimits);
}

Status check_target(const linux_pmu::Target& target, const std::string& command) {
  bool tasks = !target.pids.empty() || !target.tids.empty();
  if (target.command.empty() && !tasks && !target.by_cpu())
    return make_error(ErrorCode::kInvalidArgument,
                      "there is no program to run, nor a process to measure (see hardmeter {} --help)",
                      command);
  if (tasks && !target.command.empty())
    return make_error(ErrorCode::kInvalidArgument,
                      "-p and -t measure what runs already, so there is no program to run; leave out '{}'",
                      target.command[0]);
  if (tasks && target.by_cpu())
    return make_error(ErrorCode::kInvalidArgument,
                      "processes (-p, -t) or CPUs (-a, -C, -G), not both at once");
  return {};
}

}  // namespace

app::PmuWish pmu_wish(const std::string& word) {
  if (word == "soft") return app::PmuWish::kSoft;
  return word == "linux" ? app::PmuWish::kLinux : app::PmuWish::kAuto;
}

void add_program_options(CommandLine& line, ProgramOptions& options) {
  options.line = &line;
  line.take_program();
  line.set_footer("The program follows: hardmeter " + line.name() + " [OPTIONS] [--] PROGRAM [ARGUMENTS...]");
  line.add_option("-e,--event", options.events,
                  "the events, by their names in `hardmeter list`, or perf's: page-faults, cycles:k, "
                  "mem:0xADDRESS:w, sched:sched_switch")
      .separated_by(',')
      .one_at_a_time()
      .show_default(std::string(options.usual_events));
  line.add_option(
          "--pmu", options.pmu,
          "who measures: linux, the kernel's PMU; soft, the software PMU; auto, the kernel's where it can "
          "deliver the events")
      .one_of({"auto", "linux", "soft"})
      .show_default();
  add_engine_options(line, options);
  add_target_options(line, options.target);
  add_limits(line, options.limits);
  add_machine_options(line, options.geometry);
}

void add_sampling_options(CommandLine& line, SamplingOptions& options) {
  line.add_option("-c,--count", options.period,
                  "take a sample every so many events; of the clock, every so much time, such as 100us")
      .check(check_period, "")
      .type("PERIOD");
  line.add_option("-F,--freq", options.frequency_hz, "so many samples a second instead (the kernel's PMU)")
      .between(uint64_t{1}, uint64_t{1000000})
      .type("HZ");
  line.add_flag("--no-jitter", options.no_jitter,
                "periods of exactly that length; else the software PMU's vary a little");
  line.add_option("-b,--branch-filter", options.branches,
                  "record the last branches with each sample: any (the default), call, ret, and of hardware "
                  "ind_call, ind_jmp, cond, u, k")
      .value_may_be_left_out()
      .check(check_branches, "any,call,ret")
      .type("")
      .show_default("any");
  line.add_flag("-g", options.call_chains, "record who called, with each sample");
  line.add_option("--call-graph", options.call_graph,
                  "the same, by frame pointers (fp), copies of the stack (dwarf) or branch records (lbr)")
      .check(check_call_graph, "")
      .type("fp|dwarf[,BYTES]|lbr");
  add_heap_options(line, options);
  line.add_flag("-d,--data", options.addresses, "data addresses").group(kKernels);
  line.add_flag("--phys-data", options.physical_addresses, "physical addresses").group(kKernels);
  line.add_flag("--page-sizes", options.page_sizes, "the sizes of data and code pages").group(kKernels);
  line.add_flag("-W,--weight", options.weights, "latencies").group(kKernels);
  line.add_flag("-I,--intr-regs", options.registers, "registers").group(kKernels);
  line.add_option("-m,--ring", options.ring_kib, "the ring of each CPU, in KiB, a power of two")
      .check(check_ring, "")
      .type("KIB")
      .group(kKernels);
}

Result<Measurement> read_program_options(const ProgramOptions& options) {
  Measurement read;
  std::string list = fmt::format("{}", fmt::join(options.events, ","));
  auto events = event::parse_selections(options.events.empty() ? options.usual_events : list);
  if (!events) return events.error();
  read.events = *std::move(events);
  const TargetOptions& target = options.target;
  read.target.command = options.line->rest();
  read.target.pids = target.pids;
  read.target.tids = target.tids;
  read.target.whole_system = target.whole_system;
  read.target.cgroup = target.cgroup;
  if (!target.cpus.empty()) {
    auto cpus = linux_pmu::parse_cpu_list(target.cpus);
    if (!cpus) return cpus.error();
    read.target.cpus = *std::move(cpus);
  }
  if (Status good = check_target(read.target, options.line->name()); !good) return good.error();
  bool chosen = target.user || target.kernel;
  read.modes = {!chosen || target.user, !chosen || target.kernel, chosen};
  read.wish = pmu_wish(options.pmu);
  if (options.limits.any() && read.wish == app::PmuWish::kAuto) read.wish = app::PmuWish::kSoft;
  return read;
}

Result<linux_pmu::Sampling> read_sampling_options(const SamplingOptions& options) {
  linux_pmu::Sampling sampling;
  if (!options.period.empty()) sampling.period = parse_period(options.period)->events;
  if (options.frequency_hz && sampling.period)
    return make_error(ErrorCode::kInvalidArgument, "a period (-c) or a frequency (-F), not both");
  sampling.frequency_hz = options.frequency_hz;
  if (!options.branches.empty()) sampling.branch_filter = *kernel_branches(options.branches);
  CallGraph graph =
      *parse_call_graph(options.call_graph.empty() && options.call_chains ? "fp" : options.call_graph);
  sampling.call_chains = graph.how;
  sampling.stack_bytes = graph.stack_bytes;
  if (options.addresses) sampling.more_fields |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_SRC;
  if (options.physical_addresses) sampling.more_fields |= PERF_SAMPLE_ADDR | PERF_SAMPLE_PHYS_ADDR;
  if (options.page_sizes)
    sampling.more_fields |= PERF_SAMPLE_ADDR | PERF_SAMPLE_DATA_PAGE_SIZE | PERF_SAMPLE_CODE_PAGE_SIZE;
  if (options.weights) sampling.more_fields |= PERF_SAMPLE_WEIGHT_STRUCT;
  if (options.registers) sampling.more_fields |= PERF_SAMPLE_REGS_INTR;
  return sampling;
}

std::string describe(const Measurement& measurement, const ProgramOptions& options) {
  const linux_pmu::Target& target = measurement.target;
  std::string command = fmt::format("'{}'", fmt::join(target.command, " "));
  std::string what = !target.pids.empty()     ? fmt::format("process {}", fmt::join(target.pids, ", "))
                     : !target.tids.empty()   ? fmt::format("thread {}", fmt::join(target.tids, ", "))
                     : !target.cgroup.empty() ? fmt::format("control group {}", target.cgroup)
                     : !target.cpus.empty()   ? fmt::format("CPUs {}", options.target.cpus)
                     : target.whole_system    ? "the whole system"
                                              : command;
  bool meanwhile = target.by_cpu() && !target.command.empty();
  return meanwhile ? fmt::format("{} while {} ran", what, command) : what;
}

std::string cpu_list() {
  std::string list = fmt::format("{:18}{}\n", "host", "this machine (the default)");
  for (const soft::CpuPreset& preset : soft::cpu_presets()) {
    list += fmt::format("{:18}{}\n{:18}{}\n", preset.name, preset.description, "",
                        soft::describe(preset.geometry));
  }
  return list;
}

std::optional<int> refuse_missing_program(const std::vector<std::string>& command) {
  if (command.empty()) return std::nullopt;
  Result<std::string> program = find_program(command[0]);
  if (program) return std::nullopt;
  return fail(program.error().message, shell_status(program.error()));
}

int shell_status(const Error& error) {
  return error.code == ErrorCode::kNotFound ? kNotFoundStatus : kNotExecutableStatus;
}

}  // namespace hm::cli
