// SPDX-License-Identifier: MIT
#include "cli/program_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <limits>

#include "cli/output.h"
#include "pmu/soft/launcher/target.h"

namespace hm::cli {
namespace {

constexpr int kNotFoundStatus = 127;  // POSIX, Shell Command Language, 2.8.2
constexpr int kNotExecutableStatus = 126;
constexpr const char* kMachine = "Modelled machine";

// BranchFilter bits; nullopt for a word that is none of them.
std::optional<uint32_t> branch_bits(const std::string& list) {
  uint32_t bits = 0;
  for (const std::string& word : CLI::detail::split(list, ',')) {
    if (word == "any") {
      bits |= soft::kBranchAny;
    } else if (word == "call" || word == "any_call") {
      bits |= soft::kBranchCall;
    } else if (word == "ret" || word == "any_ret") {
      bits |= soft::kBranchReturn;
    } else {
      return std::nullopt;
    }
  }
  return bits;
}

std::string check_branches(std::string& list) {
  return branch_bits(list) ? "" : fmt::format("{} is no list of any, call, ret", list);
}

void add_machine_options(CLI::App& app, soft::GeometryOptions& geometry) {
  auto add = [&](const char* name, std::string& value, const char* type, const char* description) {
    app.add_option(name, value, description)->type_name(type)->group(kMachine);
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

}  // namespace

void add_program_options(CLI::App& app, ProgramOptions& options) {
  options.app = &app;
  app.prefix_command();
  app.footer("The program follows: hardmeter " + app.get_name() + " [OPTIONS] [--] PROGRAM [ARGUMENTS...]");
  app.add_option("-e,--event", options.events, "the events, by their names in `hardmeter list`")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
  app.add_option("--pmu", options.pmu, "which PMU: soft, the software PMU")
      ->check(CLI::IsMember({"soft"}))
      ->capture_default_str();
  add_machine_options(app, options.geometry);
}

void add_sampling_options(CLI::App& app, SamplingOptions& options) {
  app.add_option("-c,--count", options.period, "take a sample every so many events")
      ->check(CLI::Range(uint64_t{1}, std::numeric_limits<uint64_t>::max()))
      ->type_name("PERIOD")
      ->capture_default_str();
  app.add_flag("--no-jitter", options.no_jitter, "periods of exactly that length; else they vary a little");
  app.add_option("-b,--branch-filter", options.branches,
                 "record the last 32 branches with each sample: any (the default), call, ret")
      ->expected(0, 1)
      ->check(CLI::Validator(check_branches, "any,call,ret"))
      ->type_name("")
      ->default_str("any");
  app.add_flag("-g,--call-graph", options.call_chains, "record who called, with each sample");
}

Result<app::SoftOptions> soft_options(const ProgramOptions& options) {
  app::SoftOptions soft;
  soft.command = options.app->remaining();
  if (soft.command.empty()) {
    return make_error(ErrorCode::kInvalidArgument, "there is no program to run (see hardmeter {} --help)",
                      options.app->get_name());
  }
  if (!options.events.empty()) {
    auto events = event::parse_event_list(fmt::format("{}", fmt::join(options.events, ",")));
    if (!events) return events.error();
    soft.events = *std::move(events);
  }
  soft.geometry = options.geometry;
  return soft;
}

void take_sampling(const SamplingOptions& sampling, app::SoftOptions& options) {
  options.period = sampling.period;
  options.jitter = !sampling.no_jitter;
  options.call_chain_depth = sampling.call_chains ? soft::kMaxCallChain : 0;
  if (!sampling.branches.empty()) options.branch_filter = branch_bits(sampling.branches).value_or(0);
}

std::string cpu_list() {
  std::string list = fmt::format("{:18}{}\n", "host", "this machine (the default)");
  for (const soft::CpuPreset& preset : soft::cpu_presets()) {
    list += fmt::format("{:18}{}\n{:18}{}\n", preset.name, preset.description, "",
                        soft::describe(preset.geometry));
  }
  return list;
}

std::optional<int> refuse_program(const std::string& program) {
  auto target = soft::resolve_target(program);
  if (target) return std::nullopt;
  bool missing = target.error().code == ErrorCode::kNotFound;
  return fail(target.error().message, missing ? kNotFoundStatus : kNotExecutableStatus);
}

}  // namespace hm::cli
