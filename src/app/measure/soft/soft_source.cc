// SPDX-License-Identifier: MIT
#include "app/measure/soft/soft_source.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iterator>
#include <memory>

#include "app/llc/llc_programs.h"
#include "app/llc/occupancy_recorder.h"
#include "app/measure/soft/block_listing.h"
#include "app/measure/soft/burst_description.h"
#include "app/measure/soft/burst_errors.h"
#include "app/measure/soft/collection_description.h"
#include "app/measure/soft/measured_kernel.h"
#include "app/measure/soft/modelled_events.h"
#include "app/measure/soft/option_checks.h"
#include "app/measure/soft/passing_records.h"
#include "app/measure/soft/soft_description.h"
#include "app/measure/soft/soft_result.h"
#include "app/measure/soft/stack_unwinder.h"
#include "app/measure/soft/typical_costs.h"
#include "app/measure/soft/undecodable.h"
#include "base/parallel.h"
#include "event/event_template.h"
#include "pmu/linux/command.h"
#include "pmu/soft/launcher/fixed_addresses.h"
#include "pmu/soft/launcher/session_occupancy.h"
#include "pmu/soft/ring/system_call.h"
#include "pmu/soft/sampling/demand.h"
#include "record/occupancy_record.h"

namespace hm::measure {
namespace {

using event::EventId;
using event::index_of;

// Returns true for events that a large part of all instructions cause: retirement and memory accesses.
bool is_frequent(EventId id) { return id < EventId::kL1CacheMiss || id == EventId::kBranchRetired; }

struct Plan {
  std::unique_ptr<soft::Engine> engine;
  soft::RunOptions run;
  SoftResult result;
};

// Returns true if results besides the events need all models. Time lines (of branches) need the cycles.
bool needs_all_models(const SoftOptions& options, bool calibrated) {
  return options.events.empty() || calibrated || options.bursts || options.sizes.lines.set_counts != 0 ||
         options.occupancy_ms != 0 || options.tlb_cycles != 0 || options.branch_filter != 0;
}

uint32_t modelled_cores(const SoftOptions& options, const soft::Engine& engine) {
  if (!engine.has_many_cores()) return 1;
  if (options.geometry.cores != 0) return options.geometry.cores;
  auto cpus = static_cast<uint32_t>(available_cpus());
  return options.bursts ? std::min(cpus, soft::BurstPlan::kMaxCores) : cpus;
}

// Assigns consecutive IDs to the events, starting at 1.
void configure(const SoftOptions& options, const model::MachineGeometry& geometry, const soft::Engine& engine,
               soft::RunOptions& run) {
  soft::Session& session = run.session;
  session.geometry = geometry;
  session.modelled_cores = options.geometry.cores;
  session.guest_modes =
      engine.runs_here() ? 0 : (options.modes.user ? 1u : 0u) | (options.modes.kernel ? 2u : 0u);
  session.sizes = options.sizes;
  session.began_in_midst = options.running.processes.empty() ? 0 : 1;
  if (options.bursts) session.bursts = *options.bursts;
  session.copies_only = options.copies_only ? 1 : 0;
  session.absent = options.absent;
  session.layout = options.layout;
  session.models = needs_all_models(options, session.calibrated != 0)
                       ? soft::Models::kAll
                       : needed_models(options.events, options.sampling);
  session.classifies_misses = options.classes ? 1 : 0;
  session.system_call_memory = options.system_call_memory ? 1 : 0;
  session.tlb_cycles = options.sampling ? options.tlb_cycles : 0;
  session.trace_blocks = options.block_trace ? 1 : 0;
  session.jitter = options.jitter ? 1 : 0;
  session.thinning.on = options.sampling && options.periods_grow ? 1 : 0;
  session.branch_filter = options.branch_filter;
  bool has_chains = options.call_chains && engine.finds_callers();
  bool sends_stacks = has_chains && options.stack_bytes != 0 && !engine.unwinds();
  session.stack_bytes = sends_stacks ? options.stack_bytes : 0;
  session.call_chain_depth = has_chains && !sends_stacks ? soft::kMaxCallChain : 0;
  const auto is_named = [&](EventId id) {
    return std::ranges::find(options.events, id) != options.events.end();
  };
  Modelled modelled{
      session.models,
      session.calibrated != 0 || is_named(EventId::kBranchMispredict) || is_named(EventId::kBranchWait),
      engine.has_many_cores() && !options.bursts};
  for (EventId id : kAlwaysCounted)
    session.events[index_of(id)].counted = is_modelled(id, geometry, modelled) ? 1 : 0;
  uint64_t next_id = 1;
  for (EventId id : options.events) {
    session.events[index_of(id)] = {1, options.sampling ? 1u : 0u, options.sampling ? next_id++ : 0,
                                    is_frequent(id) ? options.frequent_period : options.period};
  }
  if (options.copies_only) std::ranges::fill(session.events, soft::EventConfig{});
  if (options.sampling && !options.copies_only && engine.runs_here()) run.heap = options.heap;
  if (run.heap.observed) session.heap_site_id = next_id;
  session.shares_cache = options.occupancy_ms != 0 ? 1 : 0;
  run.limits = options.limits;
  run.max_samples = options.max_samples;
}

Result<std::vector<std::vector<std::string>>> commands_of(const SoftOptions& options,
                                                          const model::MachineGeometry& geometry) {
  if (options.occupancy_ms == 0) return std::vector<std::vector<std::string>>(1, options.command);
  if (!geometry.l3.present())
    return make_error(
        ErrorCode::kInvalidArgument,
        "--llc measures the third-level cache, and the modelled machine has none; add one with --l3 SIZE,WAYS,LINE");
  return llc::split_commands(options.command);
}

// Returns nullopt for the geometry's stated latencies.
Result<std::optional<CalibratedCosts>> chosen_costs(const SoftOptions& options) {
  const std::string& machine = options.geometry.costs_as;
  bool is_usual = machine.empty() && options.estimates_time;
  if (machine == "none" || (machine.empty() && !is_usual)) return std::optional<CalibratedCosts>();
  if (machine == "typical") return std::optional(typical_costs());
  Result<CalibratedCosts> found = find_calibrated_costs(is_usual ? "host" : machine);
  if (!found && is_usual) {
    CalibratedCosts costs = typical_costs();
    if (found.error().code != ErrorCode::kNotFound) costs.description += "; " + found.error().message;
    return std::optional(std::move(costs));
  }
  if (!found) return found.error();
  return std::optional(*std::move(found));
}

// Running processes are measured at their addresses, whatever they are.
bool has_random_addresses(const SoftOptions& options, const soft::Engine& engine) {
  return engine.defines_machine() && options.running.processes.empty() && !soft::can_fix_addresses();
}

Result<Plan> make_plan(const SoftOptions& options) {
  auto engine = soft::choose_engine(options.engine, options.guest);
  if (!engine) return engine.error();
  if (Status suits = check_options(options, **engine); !suits) return suits.error();
  auto geometry = soft::choose_geometry(options.geometry);
  if (!geometry) return geometry.error();
  if (Status suits = check_machine(options, *geometry, **engine); !suits) return suits.error();
  auto costs = chosen_costs(options);
  if (!costs) return costs.error();
  auto commands = commands_of(options, *geometry);
  if (!commands) return commands.error();
  Plan plan{*std::move(engine), {}, {}};
  plan.run.session.calibrated = *costs ? 1 : 0;
  if (*costs) plan.run.session.costs = (*costs)->costs;
  configure(options, *geometry, *plan.engine, plan.run);
  if (options.reproducible) {
    if (Status defined = soft::define_machine(*options.reproducible, plan.run.session); !defined)
      return defined.error();
    plan.run.environment = soft::defined_environment(*options.reproducible);
    plan.result.reproducible = soft::describe(*options.reproducible);
  }
  if (options.running.processes.empty()) plan.run.commands = *std::move(commands);
  plan.run.output = options.output;
  plan.run.output_file = options.output_file;
  plan.run.running = options.running;
  plan.result.layout = options.layout;
  plan.result.cores = modelled_cores(options, *plan.engine);
  plan.result.random_addresses = has_random_addresses(options, *plan.engine);
  plan.result.costs = *std::move(costs);
  plan.result.engine = plan.engine->name();
  plan.result.geometry = *geometry;
  plan.result.limits = options.limits;
  plan.result.sizes = options.sizes;
  plan.result.bursts = plan.run.session.bursts;
  plan.result.models = plan.run.session.models;
  plan.result.of_running_processes = !options.running.processes.empty();
  plan.result.in_episodes = options.running.budget != 0;
  for (unsigned i = 0; i < event::kEventCount; ++i) {
    if (plan.run.session.events[i].counted != 0) plan.result.counted.push_back(static_cast<EventId>(i));
  }
  return plan;
}

bool bursts_can_provide(const SoftOptions& options) {
  auto engine = soft::choose_engine(options.engine, options.guest);
  return engine && check_bursts(options, **engine);
}

class SoftSource final : public pmu::Source {
 public:
  SoftSource(SoftOptions options, Plan plan)
      : options_(std::move(options)),
        engine_(std::move(plan.engine)),
        run_options_(std::move(plan.run)),
        result_(std::move(plan.result)),
        passing_(options_.keep_symbols, engine_->runs_here()),
        awaits_kernel_(options_.sampling && !engine_->runs_here()),
        run_(*engine_, run_options_, [this](Bytes record) { return take(record); }) {
    if (run_options_.session.stack_bytes != 0)
      unwinder_.emplace(describe_events(options_.events, run_options_.session).front().attr,
                        run_options_.session, passing_);
    if (!options_.block_trace) return;
    listing_.emplace(passing_, options_.traced_function);
    run_options_.block_sink = [this](const soft::TracedBlock& block) {
      options_.block_trace(listing_->text(block));
    };
  }

  void describe(record::RecordingStart& start) const override {
    std::ranges::move(describe_events(options_.events, run_options_.session),
                      std::back_inserter(start.events));
    if (options_.occupancy_ms != 0) start.events.push_back(record::occupancy_event(llc::kOccupancyEventId));
    start.features.caches = describe_caches(result_.geometry);
    start.features.pmus = {{PERF_TYPE_RAW, "hardmeter_soft"}};
    start.features.hardmeter = describe_machine(result_, options_.command);
    start.ring_bytes = soft::kRingDataBytes;
  }

  Result<std::optional<pmu::Refusal>> start(pmu::Sink sink) override {
    sink_ = std::move(sink);
    if (Status started = run_.start(); !started) return started.error();
    if (Status began = begin_meanwhile(); !began) return began.error();
    if (options_.occupancy_ms != 0) begin_occupancy();
    return std::optional<pmu::Refusal>();
  }

  void add_to(pmu::Wait& wait) const override {
    run_.add_to(wait);
    if (occupancy_recorder_) wait.at_most(occupancy_recorder_->wait_ns(soft::monotonic_ns()));
  }
  Status round(std::span<const pollfd> /*seen*/) override {
    if (Status collected = run_.round(); !collected) return collected;
    return occupancy_recorder_ ? occupancy_recorder_->round(soft::monotonic_ns(), sink_) : Status();
  }
  bool over() override {
    if (meanwhile_ && !meanwhile_end_ && meanwhile_->status()) {
      meanwhile_end_ = pmu::CommandEnd{*meanwhile_->status(), meanwhile_->cpu_time()};
      run_.end(pmu::End::kAsked);
    }
    return run_.over();
  }
  void end(pmu::End how) override { run_.end(how); }
  void stop() override { run_.stop(); }

  Status finish() override {
    if (Status finished = run_.finish(); !finished) return finished;
    passing_.end();
    if (occupancy_recorder_) {
      if (Status written = occupancy_recorder_->write(soft::monotonic_ns(), sink_); !written) return written;
    }
    result_.run = run_.result();
    return {};
  }

  void add_progress(pmu::Progress& progress) const override {
    SoftResult now = so_far();
    progress.samples += now.run.totals.samples;
    if (uint64_t lost = now.run.totals.lost_records; lost != 0)
      progress.lost_records = progress.lost_records.value_or(0) + lost;
    progress.command_ended = run_.command_ended();
    progress.processes = run_.live_processes();
    progress.instructions = total_of(now, EventId::kInstrRetired);
    progress.l1_misses = total_of(now, EventId::kL1CacheMiss);
    if (options_.running.processes.empty()) progress.own_ns = estimated_ns(now);
    if (const soft::Episodes* episodes = run_.episodes()) {
      progress.cost = episodes->cost();
      progress.budget = episodes->budget();
    }
  }

  bool has_description_so_far() const override { return true; }
  std::string describe_so_far() const override { return describe_counted_so_far(so_far(), options_.command); }

  std::optional<pmu::CommandEnd> command_end() const override {
    if (options_.running.processes.empty()) return pmu::CommandEnd{run_.exit_status(), run_.cpu_time()};
    return meanwhile_end_;
  }

  std::optional<record::CpuUse> cpu_use() const override {
    const CpuTime& time = result_.run.cpu_time;
    bool is_of_guest = options_.engine == soft::EngineWish::kGuest;  // QEMU's time, mostly
    if (time.sum_ns() == 0 || is_of_guest) return std::nullopt;
    record::CpuUse use{time, false, true};
    if (time.kernel_share() > record::kKernelShareWorthALook) use.view = kernel_view();
    return use;
  }

  void describe(record::Features& features) const override {
    passing_.describe(features);
    if (kernel_) kernel_->describe(features, options_.keep_symbols);
  }

  std::string describe_run(const pmu::Outcome& outcome) const override {
    return passing_.with_seen(describe_recorded(result_, outcome, options_.command));
  }

  pmu::Report report() const override {
    pmu::Report report;
    report.name = fmt::format("software PMU ({})", result_.engine);
    std::string collected = describe_collection(result_);
    if (!collected.empty()) report.delivery.push_back({"collected", collected});
    if (!result_.reproducible.empty()) report.delivery.push_back({"reproducible", result_.reproducible});
    if (std::string layout = describe_layout(result_); !layout.empty())
      report.delivery.push_back({"memory layout", layout});
    if (std::string models = describe_models(result_); !models.empty())
      report.delivery.push_back({"modelled", models});
    if (std::string periods = describe_periods(result_); !periods.empty())
      report.delivery.push_back({"periods", periods});
    if (std::string bursts = describe_bursts(result_); !bursts.empty())
      report.delivery.push_back({"bursts", bursts});
    if (std::string budget = describe_budget(result_); !budget.empty())
      report.delivery.push_back({"budget", budget});
    report.delivery.push_back({report.name, soft::describe(result_.geometry)});
    report.shortfalls = describe_shortfalls(result_.run.totals);
    std::ranges::copy(result_.run.attachment_shortfalls, std::back_inserter(report.shortfalls));
    report.obstacles = obstacles();
    return report;
  }

  pmu::Counts counts() const override {
    const soft::Totals& totals = result_.run.totals;
    BurstErrors errors(totals, result_.in_episodes);
    pmu::Counts counts;
    for (EventId id : result_.counted)
      counts.events.push_back({.name = std::string(event::event_template(id).name),
                               .value = total_of(result_, id),
                               .in_bursts = was_in_bursts(result_),
                               .relative_error = errors.of_total(id)});
    counts.modelled = pmu::Modelled{.machine = soft::describe(result_.geometry),
                                    .processes = totals.processes,
                                    .threads = totals.threads,
                                    .unrecorded_processes = totals.unrecorded,
                                    .cycles = cycles_of(result_),
                                    .wait_share_error = errors.of_wait_share(),
                                    .unseen_waits = errors.unseen_waits(),
                                    .costs = cost_source_of(result_),
                                    .cost_model = describe_cost_model(result_)};
    std::string collected = describe_collection(result_);
    if (!collected.empty()) counts.notes.push_back(fmt::format("collected: {}", collected));
    if (!result_.reproducible.empty())
      counts.notes.push_back(fmt::format("reproducible: {}", result_.reproducible));
    if (std::string layout = describe_layout(result_); !layout.empty())
      counts.notes.push_back(fmt::format("memory layout: {}", layout));
    if (std::string models = describe_models(result_); !models.empty())
      counts.notes.push_back(fmt::format("modelled: {}", models));
    if (std::string bursts = describe_bursts(result_); !bursts.empty()) counts.notes.push_back(bursts);
    if (std::string budget = describe_budget(result_); !budget.empty()) counts.notes.push_back(budget);
    counts.in_episodes = result_.in_episodes;
    if (totals.checking != 0) counts.notes.push_back(describe_checking(totals));
    if (totals.cut_short != 0) counts.notes.push_back(describe_cut_short(totals));
    if (totals.lost_flags != 0) counts.notes.push_back(describe_lost_flags(totals));
    std::ranges::move(describe_left(totals), std::back_inserter(counts.notes));
    if (totals.outlived != 0) counts.notes.push_back(describe_outlived(totals));
    std::ranges::copy(result_.run.attachment_shortfalls, std::back_inserter(counts.notes));
    if (totals.without_frames != 0) counts.notes.push_back(describe_without_frames(totals));
    if (totals.lost_records != 0) counts.notes.push_back(describe_lost_records(totals));
    if (totals.unread_rings != 0) counts.notes.push_back(describe_unread(totals));
    if (totals.unshared != 0) counts.notes.push_back(describe_unshared(totals));
    if (totals.lost_pages != 0) counts.notes.push_back(describe_lost_pages(totals));
    counts.obstacles = obstacles();
    return counts;
  }

 private:
  [[nodiscard]] SoftResult so_far() const {
    SoftResult now = result_;
    now.run.totals = run_.totals();
    if (const soft::Episodes* episodes = run_.episodes()) now.run.episodes = episodes->times();
    return now;
  }

  Status take(Bytes record) {
    if (awaits_kernel_) {
      awaits_kernel_ = false;
      kernel_.emplace(engine_->kernel_files());
      Status written =
          kernel_->write_records(describe_events(options_.events, run_options_.session).front().attr, sink_);
      if (!written) return written;
    }
    passing_.see(record);
    if (!unwinder_) return sink_(record);
    Result<Bytes> with_chain = unwinder_->add_to(record);
    if (!with_chain) return with_chain.error();
    return with_chain->empty() ? Status() : sink_(*with_chain);
  }

  // Starts the command that runs natively while running processes are measured.
  Status begin_meanwhile() {
    if (options_.running.processes.empty() || options_.command.empty()) return {};
    Result<linux_pmu::Command> command =
        linux_pmu::Command::prepare(options_.command, options_.output, options_.output_file);
    if (!command) return command.error();
    meanwhile_.emplace(*std::move(command));
    return meanwhile_->go();
  }

  // A guest runs a command of its own, so it shows nothing of running processes. The search starts QEMU.
  [[nodiscard]] record::KernelView kernel_view() const {
    if (!kernel_view_) {
      bool has_guest = options_.running.processes.empty() && soft::find_guest_engine(options_.guest).ok();
      kernel_view_ = has_guest ? record::KernelView::kGuest : record::KernelView::kByTime;
    }
    return *kernel_view_;
  }

  void begin_occupancy() {
    occupancy_.emplace(*run_.cache(), run_options_.session.geometry.line_bytes);
    llc::WantedRows rows = [this] {
      return llc::program_rows(run_options_.commands, run_.command_processes());
    };
    occupancy_recorder_.emplace(llc::Monitor(*occupancy_, occupancy::By::kProgram, std::move(rows)),
                                options_.occupancy_ms * 1'000'000);
  }

  [[nodiscard]] std::vector<std::string> obstacles() const {
    std::vector<std::string> all = explain_undecodable(result_.run.undecodable, passing_, *engine_);
    std::ranges::move(explain_collection(result_), std::back_inserter(all));
    std::ranges::move(explain_allocators(result_), std::back_inserter(all));
    return all;
  }

  SoftOptions options_;
  std::unique_ptr<soft::Engine> engine_;
  soft::RunOptions run_options_;
  SoftResult result_;
  PassingRecords passing_;
  bool awaits_kernel_;                     // the engine samples a kernel, and has not begun
  std::optional<MeasuredKernel> kernel_;   // set if the engine samples a kernel, and has begun
  std::optional<StackUnwinder> unwinder_;  // set if the engine sends stacks
  std::optional<BlockListing> listing_;    // set if a block listing is requested
  mutable std::optional<record::KernelView> kernel_view_;  // once it is known
  pmu::Sink sink_;
  soft::Run run_;
  std::optional<linux_pmu::Command> meanwhile_;  // runs natively beside the measured processes
  std::optional<pmu::CommandEnd> meanwhile_end_;
  std::optional<soft::SessionOccupancy>
      occupancy_;  // this and the next member are set if occupancy is recorded
  std::optional<llc::OccupancyRecorder> occupancy_recorder_;
};

}  // namespace

Result<std::unique_ptr<pmu::Source>> open_soft_source(const SoftOptions& options) {
  SoftOptions chosen = options;
  if (options.bursts_if_possible && !bursts_can_provide(options)) chosen.bursts.reset();
  Result<Plan> plan = make_plan(chosen);
  if (!plan) return plan.error();
  return std::unique_ptr<pmu::Source>(std::make_unique<SoftSource>(std::move(chosen), *std::move(plan)));
}

}  // namespace hm::measure
