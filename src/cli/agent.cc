// SPDX-License-Identifier: MIT
#include "agent/agent_loop.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <vector>

#include "agent/otlp_export.h"
#include "app/measure/sampling_arguments.h"
#include "base/text_file.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/store_options.h"
#include "view/text/format.h"

namespace hm::cli {
namespace {

struct AgentFlags {
  StoreFlags store;
  std::string folder = "/var/lib/hardmeter/agent";
  std::string host;
  std::string budget = "0.5%";
  std::string window = "10s";
  uint64_t max_waiting_mib = 256;
  uint64_t frequency_hz = 99;
  uint64_t max_rows = store::kMaxRows;
  uint64_t max_windows = 0;
  std::vector<std::string> software;  // "SERVICE=PERCENT"
  std::string listen, otlp_url;       // empty: none
  bool reads_llc = false;
  bool no_paths = false, no_functions = false;
  std::string config;  // a file; empty: none
  bool checks = false;
  CommandLine* line = nullptr;
};

volatile std::sig_atomic_t wants_reload = 0;
void note_reload(int /*signal*/) { wants_reload = 1; }

std::vector<std::string> own_words() {
  std::vector<std::string> words;
  std::string text = read_text("/proc/self/cmdline").value_or("");
  for (size_t at = 0; at < text.size(); at = text.find('\0', at) + 1) words.emplace_back(text.c_str() + at);
  return words;
}

// Replaces this process by the same program with the same arguments, which reads its settings file again. The
// PID stays. Returns if the file is invalid.
void start_anew() {
  std::vector<std::string> words = own_words();
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 2);
  for (std::string& word : words) pointers.push_back(word.data());
  std::string check = "--check";
  pointers.push_back(check.data());
  pointers.push_back(nullptr);
  pid_t child = 0;
  int status = -1;
  if (::posix_spawn(&child, "/proc/self/exe", nullptr, nullptr, pointers.data(), environ) != 0) return;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (status != 0) return;
  pointers[words.size()] = nullptr;
  ::execv("/proc/self/exe", pointers.data());
}

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof(name) - 1) == 0 ? name : "localhost";
}

// `words` are "SERVICE" or "SERVICE=PERCENT".
Result<std::vector<agent::ChosenService>> chosen_services(const std::vector<std::string>& words) {
  std::vector<agent::ChosenService> chosen;
  for (const std::string& word : words) {
    agent::ChosenService& service = chosen.emplace_back();
    size_t sign = word.rfind('=');
    service.name = word.substr(0, sign);
    std::optional<double> budget =
        sign == std::string::npos ? service.budget : measure::parse_percent(word.substr(sign + 1));
    if (service.name.empty() || !budget)
      return make_error(
          ErrorCode::kInvalidArgument,
          "--software takes a service and the CPU time that measuring may cost it, such as postgresql.service=2%, not '{}'",
          word);
    service.budget = *budget;
  }
  return chosen;
}

Result<agent::AgentOptions> agent_options(const AgentFlags& flags) {
  if (flags.store.address.empty())
    return make_error(ErrorCode::kInvalidArgument, "no store is given: name one with --store");
  agent::AgentOptions options;
  Result<store::Address> address = store::parse_address(flags.store.address);
  if (!address) return address.error();
  options.store = *std::move(address);
  Result<store::Credentials> credentials = credentials_of(flags.store);
  if (!credentials) return credentials.error();
  options.credentials = *std::move(credentials);
  std::optional<measure::Period> window = measure::parse_period(flags.window);
  if (!window || !window->is_time)
    return make_error(ErrorCode::kInvalidArgument, "--window takes a time such as 5s, not '{}'",
                      flags.window);
  if (!flags.listen.empty()) {
    Result<http::Address> listen = http::parse_address(flags.listen, "metrics");
    if (!listen) return listen.error();
    options.listen = *std::move(listen);
  }
  if (!flags.otlp_url.empty()) {
    if (Status right = agent::check_otlp_url(flags.otlp_url); !right) return right.error();
  }
  options.otlp_url = flags.otlp_url;
  options.version = HM_VERSION;
  options.folder = flags.folder;
  options.max_waiting_bytes = flags.max_waiting_mib << 20;
  options.host = flags.host.empty() ? host_name() : flags.host;
  options.budget = *measure::parse_percent(flags.budget);
  options.window.lasts_ns = window->events;
  options.window.frequency_hz = flags.frequency_hz;
  options.window.max_rows = flags.max_rows;
  options.window.privacy = {!flags.no_paths, !flags.no_functions};
  options.max_windows = flags.max_windows;
  options.occupancy = flags.reads_llc;
  Result<std::vector<agent::ChosenService>> software = chosen_services(flags.software);
  if (!software) return software.error();
  options.software = *std::move(software);
  return options;
}

std::string account_text(const agent::Account& account) {
  return fmt::format("{}, {} sent with {}; {:.2f} s of CPU time in {:.1f} s, {:.2f}% of one CPU",
                     text::count_of(account.windows, "measurement", "measurements"),
                     text::count_of(account.batches_sent, "batch", "batches"),
                     text::count_of(account.rows_sent, "row", "rows"), account.cpu_s, account.elapsed_s,
                     100 * account.cpu_s / account.elapsed_s);
}

Result<int> run_agent(AgentFlags& flags) {
  if (!flags.config.empty()) {
    if (Status read = flags.line->read_settings(flags.config, {"config", "check", "help"}); !read)
      return read.error();
  }
  Result<agent::AgentOptions> options = agent_options(flags);
  if (!options) return options.error();
  if (flags.checks) return 0;
  ::unsetenv("DEBUGINFOD_URLS");  // the agent does not look up names: readers of the store do
  count_interrupts();
  std::signal(SIGHUP, note_reload);
  agent::Watcher watcher;
  watcher.stops = [] { return interrupts() != 0 || wants_reload != 0; };
  watcher.log = [](const std::string& sentence) { write_message("hardmeter agent: " + sentence + '\n'); };
  for (;;) {
    Result<agent::Account> account = agent::run_agent(*options, watcher);
    if (!account) return account.error();
    watcher.log(account_text(*account));
    if (wants_reload == 0) return 0;
    wants_reload = 0;
    start_anew();
    watcher.log("keeping the previous settings");
  }
}

}  // namespace

Run add_agent(CommandLine& line) {
  auto flags = std::make_shared<AgentFlags>();
  add_store_options(line, flags->store);
  line.add_option("--folder", flags->folder,
                  "folder where measurements wait for the store; each agent needs its own")
      .type("FOLDER")
      .show_default();
  line.add_option("--folder-limit", flags->max_waiting_mib,
                  "limit for the waiting measurements, in MiB; beyond it the oldest are merged")
      .between(uint64_t{1}, uint64_t{1'000'000})
      .show_default();
  line.add_option("--host-name", flags->host, "name of this machine in the store (default: its host name)")
      .type("NAME");
  line.add_option("--budget", flags->budget, "average CPU use allowed, in percent of one CPU")
      .type("PERCENT")
      .check(measure::check_percent, "")
      .show_default();
  line.add_option("--window", flags->window, "length of a measurement").type("TIME").show_default();
  line.add_option("-F,--freq", flags->frequency_hz, "samples a second of each CPU while it measures")
      .between(uint64_t{1}, uint64_t{10'000})
      .show_default();
  line.add_option(
          "--rows", flags->max_rows,
          "send at most this many rows of a measurement, and the totals of all services; beyond it, the locations with the fewest samples are summed by module")
      .between(uint64_t{1}, uint64_t{store::kMaxRows})
      .show_default();
  line.add_option("--windows", flags->max_windows,
                  "end after this many measurements; 0: continue until stopped")
      .show_default();
  line.add_option(
          "--software", flags->software,
          "also measure this service with the software PMU, in bursts that cost it at most this share of its CPU time (2%); may be given several times, and services take turns")
      .type("SERVICE[=PERCENT]");
  line.add_flag(
      "--llc", flags->reads_llc,
      "also read how much of the last-level cache each service holds, if the kernel has resctrl; uses the processor's monitoring groups");
  line.add_flag("--no-paths", flags->no_paths, "send names of source files without their folders");
  line.add_flag("--no-functions", flags->no_functions, "send addresses only, no names of functions and data");
  line.add_option(
          "--listen", flags->listen,
          "serve metrics for Prometheus at http://ADDRESS:PORT/metrics, and the last measurement as a pprof profile at /debug/pprof/window; without ADDRESS, only to this machine: the profile contains names of functions")
      .type("[ADDRESS:]PORT");
  line.add_option(
          "--experimental-otlp", flags->otlp_url,
          "also send each measurement as OpenTelemetry profiles (OTLP, HTTP), such as to https://HOST:4318/v1development/profiles; rejected profiles are not kept")
      .type("URL");
  line.add_option(
          "--config", flags->config,
          "a TOML file with these options by their long names, such as budget = \"0.5%\"; the command line has precedence; read again at SIGHUP")
      .type("FILE");
  line.add_flag("--check", flags->checks, "only check the options and the file");
  flags->line = &line;
  return [flags] { return run_agent(*flags); };
}

}  // namespace hm::cli
