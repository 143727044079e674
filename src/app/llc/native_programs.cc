// SPDX-License-Identifier: MIT
#include <algorithm>

#include "app/llc/llc_programs.h"
#include "pmu/linux/command.h"

namespace hm::llc {
namespace {

class NativePrograms final : public Programs {
 public:
  explicit NativePrograms(const ProgramsOptions& options)
      : Programs(options.commands), output_(options.output) {}

  void describe(record::RecordingStart& /*start*/) const override {}

  Result<std::optional<pmu::Refusal>> start(pmu::Sink /*sink*/) override {
    for (const std::vector<std::string>& words : commands()) {
      Result<linux_pmu::Command> command = linux_pmu::Command::prepare(words, output_);
      if (!command) return command.error();
      children_.push_back(*std::move(command));
    }
    return std::optional<pmu::Refusal>();
  }

  void add_to(pmu::Wait& wait) const override {
    for (const linux_pmu::Command& each : children_) {
      if (each.ended_fd() >= 0) wait.descriptors.push_back({each.ended_fd(), POLLIN, 0});
    }
    if (!children_.empty()) wait_to_begin(wait);
  }

  Status round(std::span<const pollfd> /*seen*/) override {
    if (!are_to_begin()) return {};
    for (linux_pmu::Command& each : children_) {
      if (Status gone = each.go(); !gone) return gone;
    }
    return {};
  }

  bool over() override {
    if (stopped_) return true;
    if (children_.empty()) return asked_to_end_;
    exit_status_ = 0;
    bool all = true;
    for (linux_pmu::Command& each : children_) {
      std::optional<int> status = each.status();
      all = all && status.has_value();
      if (exit_status_ == 0) exit_status_ = status.value_or(0);
    }
    return all;
  }

  void end(pmu::End how) override {
    asked_to_end_ = true;
    if (how == pmu::End::kNow) stopped_ = true;
    if (how != pmu::End::kUrged) return;
    for (linux_pmu::Command& each : children_) each.terminate();
  }

  void stop() override {}
  void add_progress(pmu::Progress& /*progress*/) const override {}
  std::optional<pmu::CommandEnd> command_end() const override { return pmu::CommandEnd{exit_status_, 0}; }
  std::string describe_run(const pmu::Outcome& /*outcome*/) const override { return {}; }
  pmu::Report report() const override { return {}; }

 private:
  std::vector<pid_t> processes() const override {
    std::vector<pid_t> pids;
    std::ranges::transform(children_, std::back_inserter(pids), &linux_pmu::Command::pid);
    return pids;
  }

  pmu::CommandOutput output_;
  std::vector<linux_pmu::Command> children_;
  int exit_status_ = 0;  // of the first program that failed
  bool asked_to_end_ = false, stopped_ = false;
};

}  // namespace

std::unique_ptr<Programs> native_programs(const ProgramsOptions& options) {
  return std::make_unique<NativePrograms>(options);
}

}  // namespace hm::llc
