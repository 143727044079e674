// SPDX-License-Identifier: MIT
// Records the occupancy of the last-level caches while the kernel's PMU samples.
#include <fmt/format.h>
#include <unistd.h>

#include "app/llc/occupancy_recorder.h"
#include "app/llc/provider_choice.h"
#include "app/llc/row_sources.h"
#include "app/measure/rows.h"
#include "app/measure/sampling_arguments.h"
#include "base/json.h"
#include "pmu/soft/ring/system_call.h"
#include "record/occupancy_record.h"

namespace hm::measure {
namespace {

class OccupancySource final : public pmu::Source {
 public:
  // `measured`: the processes; each gets a row that includes its descendants.
  OccupancySource(std::unique_ptr<rdt::Provider> provider, const std::vector<pid_t>& measured,
                  uint64_t every_ns)
      : provider_(std::move(provider)), recorder_(monitor(measured), every_ns) {}

  void describe(record::RecordingStart& start) const override {
    start.events.push_back(record::occupancy_event(llc::kOccupancyEventId));
  }
  Result<std::optional<pmu::Refusal>> start(pmu::Sink sink) override {
    sink_ = std::move(sink);
    return std::optional<pmu::Refusal>();
  }
  void add_to(pmu::Wait& wait) const override { wait.at_most(recorder_.wait_ns(soft::monotonic_ns())); }
  Status round(std::span<const pollfd> /*seen*/) override {
    return stopped_ ? Status() : recorder_.round(soft::monotonic_ns(), sink_);
  }
  bool over() override { return true; }  // ends with the other sources
  void stop() override { stopped_ = true; }
  Status finish() override { return recorder_.write(soft::monotonic_ns(), sink_); }
  void add_progress(pmu::Progress& /*progress*/) const override {}
  std::string describe_run(const pmu::Outcome& /*outcome*/) const override {
    return json_line({{"pmu", provider_->capabilities().name}});
  }
  pmu::Report report() const override {
    const std::string& name = provider_->capabilities().name;
    return {name, {{name, "measured the occupancy of the last-level cache"}}, {}, {}};
  }

 private:
  llc::Monitor monitor(const std::vector<pid_t>& measured) {
    llc::RowOptions rows;
    rows.by = occupancy::By::kTree;
    rows.roots = measured;
    rows.apart_from = ::getpid();
    return {*provider_, rows.by, llc::wanted_rows(rows, std::make_shared<llc::TaskTable>())};
  }

  std::unique_ptr<rdt::Provider> provider_;
  llc::OccupancyRecorder recorder_;
  pmu::Sink sink_;
  bool stopped_ = false;
};

}  // namespace

Result<std::unique_ptr<pmu::Source>> open_occupancy(const MeasureOptions& options,
                                                    const SamplingOptions* sampling, SourceKind chosen) {
  // The software PMU records the occupancy of its own cache.
  if (sampling == nullptr || occupancy_ms_of(*sampling) == 0 || chosen != SourceKind::kKernel)
    return std::unique_ptr<pmu::Source>();
  Result<std::unique_ptr<rdt::Provider>> provider = llc::open_provider({});
  if (!provider) return provider.error();
  return std::unique_ptr<pmu::Source>(std::make_unique<OccupancySource>(
      *std::move(provider), options.target.pids, occupancy_ms_of(*sampling) * 1'000'000));
}

}  // namespace hm::measure
