// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include "app/llc/llc_programs.h"
#include "pmu/soft/launcher/run.h"
#include "pmu/soft/launcher/session_occupancy.h"

namespace hm::llc {
namespace {

class ModelledPrograms final : public Programs {
 public:
  ModelledPrograms(const ProgramsOptions& options, std::unique_ptr<soft::Engine> engine,
                   const model::MachineGeometry& geometry)
      : Programs(options.commands),
        engine_(std::move(engine)),
        run_(*engine_, run_options_, [](Bytes) { return Status(); }) {
    run_options_.commands = options.commands;
    run_options_.output = options.output;
    run_options_.session.geometry = geometry;
    run_options_.session.modelled_cores = options.geometry.cores;
    run_options_.session.shares_cache = 1;
    run_options_.session.postponed = 1;
  }

  void describe(record::RecordingStart& /*start*/) const override {}
  Result<std::optional<pmu::Refusal>> start(pmu::Sink /*sink*/) override {
    if (Status started = run_.start(); !started) return started.error();
    occupancy_.emplace(*run_.cache(), run_options_.session.geometry.line_bytes);
    return std::optional<pmu::Refusal>();
  }
  void add_to(pmu::Wait& wait) const override {
    run_.add_to(wait);
    wait_to_begin(wait);
  }
  Status round(std::span<const pollfd> /*seen*/) override {
    if (are_to_begin()) run_.begin_commands();
    return run_.round();
  }
  bool over() override { return run_.over(); }
  void end(pmu::End how) override { run_.end(how); }
  void stop() override { run_.stop(); }
  Status finish() override { return run_.finish(); }
  void add_progress(pmu::Progress& progress) const override { progress.command_ended = run_.command_ended(); }
  std::optional<pmu::CommandEnd> command_end() const override {
    return pmu::CommandEnd{run_.exit_status(), 0};
  }
  std::string describe_run(const pmu::Outcome& /*outcome*/) const override { return {}; }
  pmu::Report report() const override {
    return {fmt::format("software PMU ({})", engine_->name()), {}, {}, {}};
  }

  rdt::Provider* provider() override { return &*occupancy_; }

 private:
  std::vector<pid_t> processes() const override { return run_.command_processes(); }

  std::unique_ptr<soft::Engine> engine_;
  soft::RunOptions run_options_;
  soft::Run run_;
  std::optional<soft::SessionOccupancy> occupancy_;
};

}  // namespace

Result<std::unique_ptr<Programs>> modelled_programs(const ProgramsOptions& options) {
  auto engine = soft::choose_engine(options.engine);
  if (!engine) return engine.error();
  auto geometry = soft::choose_geometry(options.geometry);
  if (!geometry) return geometry.error();
  if (!geometry->l3.present())
    return make_error(
        ErrorCode::kInvalidArgument,
        "the modelled machine has no third-level cache that programs could share; add one with --l3 SIZE,WAYS,LINE");
  return std::unique_ptr<Programs>(
      std::make_unique<ModelledPrograms>(options, *std::move(engine), *geometry));
}

}  // namespace hm::llc
