// SPDX-License-Identifier: MIT
#include "agent/agent.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "app/measure/sampling_words.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/store_options.h"
#include "view/text/format.h"

namespace hm::cli {
namespace {

struct AgentWords {
  StoreWords store;
  std::string folder = "/var/lib/hardmeter/agent";
  std::string host;
  std::string budget = "0.5%";
  std::string window = "5s";
  uint64_t frequency_hz = 99;
  uint64_t most_windows = 0;
  bool no_paths = false, no_functions = false;
};

std::string host_name() {
  char name[256] = {};
  return ::gethostname(name, sizeof(name) - 1) == 0 ? name : "localhost";
}

Result<agent::AgentOptions> agent_options(const AgentWords& words) {
  if (words.store.address.empty())
    return make_error(ErrorCode::kInvalidArgument, "where do measurements go? Name a store with --store");
  agent::AgentOptions options;
  Result<store::Address> address = store::parse_address(words.store.address);
  if (!address) return address.error();
  options.store = *std::move(address);
  Result<store::Credentials> credentials = credentials_of(words.store);
  if (!credentials) return credentials.error();
  options.credentials = *std::move(credentials);
  std::optional<measure::Period> window = measure::parse_period(words.window);
  if (!window || !window->is_time)
    return make_error(ErrorCode::kInvalidArgument, "--window takes a time such as 5s, not '{}'",
                      words.window);
  options.folder = words.folder;
  options.host = words.host.empty() ? host_name() : words.host;
  options.budget = *measure::parse_percent(words.budget);
  options.window.lasts_ns = window->events;
  options.window.frequency_hz = words.frequency_hz;
  options.window.privacy = {!words.no_paths, !words.no_functions};
  options.most_windows = words.most_windows;
  return options;
}

Result<int> run_agent(const AgentWords& words) {
  Result<agent::AgentOptions> options = agent_options(words);
  if (!options) return options.error();
  count_interrupts();
  agent::Watcher watcher;
  watcher.stops = [] { return interrupts() != 0; };
  watcher.tell = [](const std::string& sentence) { write_message("hardmeter agent: " + sentence + '\n'); };
  Result<agent::Account> account = agent::run_agent(*options, watcher);
  if (!account) return account.error();
  watcher.tell(fmt::format("{}, {} sent with {}; {:.2f} s of CPU time in {:.1f} s, {:.2f}% of one CPU",
                           text::count_of(account->windows, "measurement", "measurements"),
                           text::count_of(account->batches_sent, "batch", "batches"),
                           text::count_of(account->rows_sent, "row", "rows"), account->cpu_s,
                           account->elapsed_s, 100 * account->cpu_s / account->elapsed_s));
  return 0;
}

}  // namespace

Run add_agent(CommandLine& line) {
  auto words = std::make_shared<AgentWords>();
  add_store_options(line, words->store);
  line.add_option("--folder", words->folder, "where measurements wait for the store; each agent has its own")
      .type("FOLDER")
      .show_default();
  line.add_option("--host-name", words->host,
                  "what this machine is called in the store (default: its own name)")
      .type("NAME");
  line.add_option("--budget", words->budget, "what it may cost, of one CPU, in the mean")
      .type("PERCENT")
      .check(measure::check_percent, "")
      .show_default();
  line.add_option("--window", words->window, "how long it measures at a time").type("TIME").show_default();
  line.add_option("-F,--freq", words->frequency_hz, "samples a second of each CPU while it measures")
      .between(uint64_t{1}, uint64_t{10'000})
      .show_default();
  line.add_option("--windows", words->most_windows, "end after so many; 0: go on until stopped")
      .show_default();
  line.add_flag("--no-paths", words->no_paths, "source files go by their names alone, without their folders");
  line.add_flag("--no-functions", words->no_functions,
                "no names of functions and data leave this machine, only addresses");
  return [words] { return run_agent(*words); };
}

}  // namespace hm::cli
