// SPDX-License-Identifier: MIT
#include "cli/store_options.h"

#include <algorithm>
#include <charconv>
#include <ctime>
#include <optional>
#include <string_view>

namespace hm::cli {
namespace {

constexpr const char* kGroup = "A store";

// Parses "90s", "30m", "2h", "7d" or "1w" into seconds.
std::optional<uint64_t> seconds_in(std::string_view word) {
  constexpr std::pair<char, uint64_t> kUnits[] = {
      {'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
  uint64_t number = 0;
  auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
  if (error != std::errc() || end + 1 != word.data() + word.size()) return std::nullopt;
  for (auto [letter, seconds] : kUnits) {
    if (letter == *end && number < UINT32_MAX) return number * seconds;
  }
  return std::nullopt;
}

// Parses a time: a duration before now, or local time. Returns nullopt for other words.
std::optional<uint64_t> moment_in(const std::string& word) {
  if (std::optional<uint64_t> ago = seconds_in(word)) {
    auto now = static_cast<uint64_t>(std::time(nullptr));
    return now > *ago ? now - *ago : 0;
  }
  for (const char* form :
       {"%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M", "%Y-%m-%d"}) {
    std::tm fields{};
    fields.tm_isdst = -1;
    const char* end = ::strptime(word.c_str(), form, &fields);
    if (end == nullptr || *end != '\0') continue;
    std::time_t time = std::mktime(&fields);
    if (time >= 0) return static_cast<uint64_t>(time);
  }
  return std::nullopt;
}

std::string check_moment(std::string& word) {
  return moment_in(word)
             ? ""
             : "a time is 30m, 2h or 7d (ago), or 2026-11-26 or '2026-11-26 14:30', not '" + word + "'";
}

}  // namespace

Status check_store_use(const CommandLine& line, const StoreFlags& flags,
                       const std::vector<std::string>& of_stores) {
  for (const Option& each : line.options()) {
    if (!each.is_stated()) continue;
    bool selects = each.group_name() == kGroup;
    std::vector<std::string> names = each.names();
    std::string name = names.empty() ? "a recording" : names.back();
    if (flags.address.empty() && selects)
      return make_error(ErrorCode::kInvalidArgument,
                        "{} is for the data of a store, and would be ignored: add --store, or omit it", name);
    if (!flags.address.empty() && !selects && std::ranges::find(of_stores, name) == of_stores.end())
      return make_error(ErrorCode::kInvalidArgument,
                        "{} is for recordings, and would be ignored: omit it, or --store", name);
  }
  return {};
}

void add_store_options(CommandLine& line, StoreFlags& flags) {
  line.add_option(
          "--store", flags.address,
          "a store of many measurements: a folder (SQLite), or http[s]://HOST:PORT[,...]/DATABASE[?cluster=NAME] (ClickHouse)")
      .type("STORE")
      .group(kGroup);
  line.add_option(
          "--store-credentials", flags.credentials,
          "file with the user name and password for the store: lines user = NAME, password = WORDS, authority = FILE (trusted certificates)")
      .type("FILE")
      .group(kGroup);
}

Result<store::Credentials> credentials_of(const StoreFlags& flags) {
  if (flags.credentials.empty()) return store::Credentials();
  return store::read_credentials(flags.credentials);
}

Result<std::unique_ptr<store::Store>> open_store(const StoreFlags& flags) {
  Result<store::Address> address = store::parse_address(flags.address);
  if (!address) return address.error();
  Result<store::Credentials> credentials = credentials_of(flags);
  if (!credentials) return credentials.error();
  return store::open_store(*address, *credentials);
}

void add_selection_options(CommandLine& line, SelectionFlags& flags) {
  line.add_option("--service", flags.service,
                  "only this service: a systemd unit, a container or the name of a program")
      .group(kGroup);
  line.add_option("--host", flags.host, "only this machine").group(kGroup);
  line.add_option("--source", flags.source,
                  "only measurements by this source, if an event was measured by several")
      .one_of({"hardware", "clock", "software"})
      .type("PMU")
      .group(kGroup);
  line.add_option("--build", flags.build,
                  "only this build of the service: a build ID or its first digits; for diff two builds, A..B")
      .type("ID")
      .group(kGroup);
  for (auto [name, variable, text] :
       {std::tuple{"--from", &flags.from,
                   "only measurements since then: 2h (ago), 2026-11-26, '2026-11-26 14:30'"},
        {"--to", &flags.to, "only measurements before then"}})
    line.add_option(name, *variable, text).type("TIME").check(check_moment, "").group(kGroup);
}

Result<store::Selection> read_selection(const SelectionFlags& flags) {
  store::Selection selection;
  selection.service = flags.service;
  selection.host = flags.host;
  selection.source = flags.source;
  selection.release = flags.build;
  if (!flags.from.empty()) selection.from_s = moment_in(flags.from);
  if (!flags.to.empty()) selection.to_s = moment_in(flags.to);
  return selection;
}

}  // namespace hm::cli
