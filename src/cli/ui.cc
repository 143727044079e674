// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "cli/commands.h"
#include "cli/interrupts.h"
#include "cli/output.h"
#include "cli/recording_options.h"
#include "cli/store_options.h"
#include "http/address.h"
#include "http/server.h"
#include "web/access.h"
#include "web/api.h"
#include "web/fleet.h"
#include "web/recorder.h"
#include "web/site.h"

namespace hm::cli {
namespace {

struct UiWords {
  std::vector<std::string> inputs;
  query::Reading reading;
  std::string address = "0";
  bool no_browser = false;
  bool allow_record = false;
  StoreWords store;
};

bool has_desktop() {
  const auto is_set = [](const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr && *value != '\0';
  };
  return is_set("DISPLAY") || is_set("WAYLAND_DISPLAY") || is_set("BROWSER");
}

// What the browser prints is not for this terminal. False where there is none.
bool open_browser(const std::string& link) {
  std::string program = "xdg-open", address = link;
  char* words[] = {program.data(), address.data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  for (int descriptor : {STDOUT_FILENO, STDERR_FILENO})
    ::posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  int failed = ::posix_spawnp(&child, program.c_str(), &actions, nullptr, words, environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return false;
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Null where none is named. One that cannot be asked is an error now, rather than in the browser.
Result<std::unique_ptr<web::Fleet>> open_fleet(const UiWords& words) {
  const std::string& name = words.store.address;
  if (name.empty()) return std::unique_ptr<web::Fleet>();
  if (!words.inputs.empty() || words.allow_record)
    return make_error(ErrorCode::kInvalidArgument,
                      "the page is about a store or about recordings: give --store, or recordings and "
                      "--allow-record");
  Result<std::unique_ptr<store::Store>> store = open_store(words.store);
  if (!store) return store.error();
  if (Result<store::Answer> can_be_asked = (*store)->ask("SELECT 1"); !can_be_asked)
    return can_be_asked.error();
  return std::make_unique<web::Fleet>(*std::move(store), name);
}

Result<int> serve(const UiWords& words) {
  Result<std::unique_ptr<web::Fleet>> fleet = open_fleet(words);
  if (!fleet) return fleet.error();
  std::vector<std::string> inputs = words.inputs;
  if (inputs.empty() && !words.allow_record && !*fleet) inputs = {"perf.data"};
  for (const std::string& input : inputs) {
    if (::access(input.c_str(), R_OK) != 0)
      return make_error(ErrorCode::kNotFound, "cannot open {}: {}", input, errno_text(errno));
  }
  web::Api api(inputs, words.reading, HM_VERSION);
  web::Recorder recorder(std::filesystem::read_symlink("/proc/self/exe"), std::filesystem::current_path());
  if (words.allow_record) api.allow_recording(recorder);
  if (*fleet) api.ask_store(**fleet);
  Result<http::Address> address = http::parse_address(words.address, "the page");
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
  std::string link = access.first_link();
  if (Status told = write_output(link + '\n'); !told) return told.error();
  // Beside the requests, until the process ends.
  std::thread([&api] { api.load_first(); }).detach();
  if (!words.no_browser && has_desktop() && !open_browser(link))
    (void)fail("no browser could be opened (xdg-open): open the link in one", 0);
  write_message("hardmeter: serving until Ctrl-C\n");
  while (interrupts() == 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
  recorder.end();
  // What is being loaded for an answer is not waited for.
  std::quick_exit(0);
}

}  // namespace

Run add_ui(CommandLine& line) {
  auto words = std::make_shared<UiWords>();
  line.add_option("-i,--input,FILE", words->inputs, "recordings; several are compared (default: perf.data)")
      .type("FILE...");
  line.add_option(
          "--address", words->address,
          "where to serve (default: to this machine alone, at a port that is free); whoever can reach it and "
          "has the link sees the recordings, and the source that they name")
      .type("[ADDRESS:]PORT");
  line.add_flag("--no-browser", words->no_browser, "only print the link");
  line.add_flag("--allow-record", words->allow_record,
                "let the page record commands and processes, with this user's rights, into this folder");
  add_reading_options(line, words->reading);
  add_store_options(line, words->store);
  return [words] { return serve(*words); };
}

}  // namespace hm::cli
