// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/unexpected_error.h"
#include "cli/browser.h"
#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "cli/store_options.h"
#include "http/http_address.h"
#include "http/http_server.h"
#include "web/access.h"
#include "web/api.h"
#include "web/fleet_requests.h"
#include "web/page_recorder.h"
#include "web/site.h"

namespace hm::cli {
namespace {

constexpr std::string_view kNoBrowser = "cannot open a browser (xdg-open): open the link yourself";

struct UiFlags {
  std::vector<std::string> inputs;
  query::Reading reading;
  std::string address = "0";
  bool no_browser = false;
  bool allow_record = false;
  StoreFlags store;
};

// Returns null if no store is named. Fails now, rather than in the browser, if the store cannot be queried.
Result<std::unique_ptr<web::Fleet>> open_fleet(const UiFlags& flags) {
  const std::string& name = flags.store.address;
  if (name.empty()) return std::unique_ptr<web::Fleet>();
  if (!flags.inputs.empty() || flags.allow_record)
    return make_error(ErrorCode::kInvalidArgument,
                      "the page shows a store or recordings: give --store, or recordings and --allow-record");
  Result<std::unique_ptr<store::Store>> store = open_store(flags.store);
  if (!store) return store.error();
  if (Result<store::Answer> can_be_asked = (*store)->ask("SELECT 1"); !can_be_asked)
    return can_be_asked.error();
  return std::make_unique<web::Fleet>(*std::move(store), name);
}

// Returns null, and writes a message, if no browser can be opened.
std::unique_ptr<Browser> open_browser(const std::string& link) {
  Result<std::unique_ptr<Browser>> browser = Browser::open(link);
  if (browser) return *std::move(browser);
  (void)fail(fmt::format("{}: {}", kNoBrowser, browser.error().message), 0);
  return nullptr;
}

// `browser` is null if none was opened.
void serve_until_interrupted(const web::Site& site, Browser* browser) {
  using SteadyClock = std::chrono::steady_clock;
  constexpr auto kPageLasts = std::chrono::seconds(60);
  for (SteadyClock::time_point begin = SteadyClock::now(); interrupts() == 0;) {
    if (browser != nullptr && browser->has_failed()) (void)fail(kNoBrowser, 0);
    if (browser != nullptr && (site.was_entered() || SteadyClock::now() - begin > kPageLasts))
      browser->remove_page();
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
}

Result<int> serve(const UiFlags& flags) {
  Result<std::unique_ptr<web::Fleet>> fleet = open_fleet(flags);
  if (!fleet) return fleet.error();
  std::vector<std::string> inputs = flags.inputs;
  if (inputs.empty() && !flags.allow_record && !*fleet) inputs = {"perf.data"};
  for (const std::string& input : inputs) {
    if (::access(input.c_str(), R_OK) != 0)
      return make_error(ErrorCode::kNotFound, "cannot open {}: {}", input, errno_text(errno));
  }
  web::Api api(inputs, flags.reading, HM_VERSION);
  std::error_code error;
  std::string folder = std::filesystem::current_path(error).string();
  if (error && flags.allow_record)
    return make_error(ErrorCode::kIo, "cannot determine the current folder, which the recordings go to: {}",
                      error.message());
  web::Recorder recorder(std::filesystem::read_symlink("/proc/self/exe", error), folder);
  if (flags.allow_record) api.allow_recording(recorder);
  if (*fleet) api.query_store(**fleet);
  Result<http::Address> address = http::parse_address(flags.address, "the page");
  if (!address) return address.error();
  Result<std::string> secret = web::make_secret();
  if (!secret) return secret.error();
  web::Access access(*std::move(secret), address->host);
  web::Site site(api, access);
  count_interrupts();
  auto server = http::Server::start(*address, "the page",
                                    [&](const http::Request& request) { return site.respond(request); });
  if (!server) return server.error();
  access.set_port((*server)->port());
  if (Status told = write_output(access.first_link() + '\n'); !told) return told.error();
  // Loads in parallel to requests, until the process ends.
  std::thread([&api] {
    Status loaded = without_exceptions([&api] {
      api.load_first();
      return Status();
    });
    if (!loaded) (void)fail(loaded.error().message, 0);
  }).detach();
  std::unique_ptr<Browser> browser =
      !flags.no_browser && Browser::is_likely() ? open_browser(access.first_link()) : nullptr;
  write_message("hardmeter: serving until Ctrl-C\n");
  serve_until_interrupted(site, browser.get());
  browser.reset();
  recorder.end();
  // Does not wait for data that is being loaded for a request.
  std::quick_exit(0);
}

}  // namespace

Run add_ui(CommandLine& line) {
  auto flags = std::make_shared<UiFlags>();
  line.add_option("-i,--input,FILE", flags->inputs, "recordings; several are compared (default: perf.data)")
      .type("FILE...");
  line.add_option(
          "--address", flags->address,
          "where to serve (default: only to this machine, at a free port); whoever can reach it and has the link can see the recordings and their source files")
      .type("[ADDRESS:]PORT");
  line.add_flag("--no-browser", flags->no_browser, "only print the link");
  line.add_flag("--allow-record", flags->allow_record,
                "let the page record commands and processes, with this user's rights, into this folder");
  add_reading_options(line, flags->reading);
  add_store_options(line, flags->store);
  return [flags] { return serve(*flags); };
}

}  // namespace hm::cli
