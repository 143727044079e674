// SPDX-License-Identifier: MIT
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>

#include "base/local_time.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/store_options.h"
#include "view/text/format.h"

namespace hm::cli {
namespace {

struct StoreCommandFlags {
  std::string action;
  StoreFlags store;
  uint64_t keep_days = 0, keep_hours_days = 0;
};

std::string local_time_text(uint64_t seconds) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", local_time(static_cast<std::time_t>(seconds)));
}

Result<int> print_status(store::Store& store) {
  Result<std::string> description = store.description();
  if (!description) return description.error();
  Result<store::Extent> extent = store::extent(store);
  if (!extent) return extent.error();
  Result<std::optional<uint64_t>> bytes = store.bytes();
  if (!bytes) return bytes.error();
  std::string out = fmt::format("{}\n", *description);
  out += fmt::format("{} in {} of {}, {}; {}\n", text::count_of(extent->rows, "row", "rows"),
                     text::count_of(extent->batches, "measurement", "measurements"),
                     text::count_of(extent->hosts, "machine", "machines"),
                     text::count_of(extent->services, "service", "services"),
                     *bytes ? text::bytes_text(static_cast<double>(**bytes)) : "size not known");
  if (extent->first_s)
    out +=
        fmt::format("from {} to {}\n", local_time_text(*extent->first_s), local_time_text(*extent->last_s));
  Result<uint64_t> stale = store.stale_days();
  if (!stale) return stale.error();
  if (*stale != 0)
    out += fmt::format(
        "the sums of {} lack measurements, because a server died: hardmeter store init recomputes them\n",
        text::count_of(*stale, "day", "days"));
  return print(out);
}

Status make_tables(store::Store& store, const StoreCommandFlags& flags) {
  Status made = store.init();
  return made && flags.keep_days != 0 ? store.keep_for(flags.keep_days) : made;
}

Status forget(store::Store& store, const StoreCommandFlags& flags) {
  if (flags.keep_days == 0) return make_error(ErrorCode::kInvalidArgument, "store prune needs --keep-days");
  const auto days_ago = [](uint64_t days) {
    auto now = static_cast<uint64_t>(std::time(nullptr));
    return days == 0 ? 0 : now - std::min(now, days * 86400);
  };
  return store.prune(days_ago(flags.keep_days), days_ago(flags.keep_hours_days));
}

Result<int> run_store(const StoreCommandFlags& flags) {
  if (flags.store.address.empty())
    return make_error(ErrorCode::kInvalidArgument, "no store is given: name one with --store");
  Result<std::unique_ptr<store::Store>> store = open_store(flags.store);
  if (!store) return store.error();
  if (flags.action == "status") return print_status(**store);
  Status done = flags.action == "init" ? make_tables(**store, flags) : forget(**store, flags);
  return done ? Result<int>(0) : Result<int>(done.error());
}

}  // namespace

Run add_store(CommandLine& line) {
  auto flags = std::make_shared<StoreCommandFlags>();
  line.add_option(
          "action", flags->action,
          "init: create or upgrade the tables; status: show the contents; prune: delete old measurements")
      .type("init|status|prune")
      .one_of({"init", "status", "prune"})
      .required();
  add_store_options(line, flags->store);
  line.add_option(
          "--keep-days", flags->keep_days,
          "prune: keep the measurements of this many days; init: delete older measurements automatically from now on")
      .between(uint64_t{1}, uint64_t{100'000});
  line.add_option(
          "--keep-hours-days", flags->keep_hours_days,
          "prune: keep the sums of each hour, service and machine for this many days (default: for ever)")
      .between(uint64_t{1}, uint64_t{100'000});
  return [flags] { return run_store(*flags); };
}

}  // namespace hm::cli
