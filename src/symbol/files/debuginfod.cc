// SPDX-License-Identifier: MIT
// libdwfl loads libdebuginfod by itself if it is installed. The functions are those of elfutils/debuginfod.h,
// ELFUTILS_0.179 and later.
#include "symbol/files/debuginfod.h"

#include <dlfcn.h>
#include <elfutils/libdwfl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

#include "base/loaded_library.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "symbol/files/build_id.h"

namespace hm::symbol {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kSlow = seconds(1);

struct Client {
  using Progress = int (*)(debuginfod_client*, long, long);
  void (*set_progressfn)(debuginfod_client*, Progress) = nullptr;
  void (*set_user_data)(debuginfod_client*, void*) = nullptr;
  void* (*get_user_data)(debuginfod_client*) = nullptr;
  debuginfod_client* (*begin)() = nullptr;
  void (*end)(debuginfod_client*) = nullptr;
  using Find = int (*)(debuginfod_client*, const unsigned char*, int, char**);
  Find find_debuginfo = nullptr;
  Find find_executable = nullptr;
  int (*find_source)(debuginfod_client*, const unsigned char*, int, const char*, char**) = nullptr;

  [[nodiscard]] bool complete() const {
    return set_progressfn != nullptr && set_user_data != nullptr && get_user_data != nullptr &&
           begin != nullptr && end != nullptr && find_debuginfo != nullptr && find_executable != nullptr &&
           find_source != nullptr;
  }
};

// Returns the functions of the library that libdwfl loaded; incomplete if there is none.
const Client& client_functions() {
  static const Client functions = [] {
    Client client;
    void* library = ::dlopen("libdebuginfod.so.1", RTLD_LAZY);
    if (library == nullptr) return client;
    (void)find_function(library, "debuginfod_set_progressfn", client.set_progressfn);
    (void)find_function(library, "debuginfod_set_user_data", client.set_user_data);
    (void)find_function(library, "debuginfod_get_user_data", client.get_user_data);
    (void)find_function(library, "debuginfod_begin", client.begin);
    (void)find_function(library, "debuginfod_end", client.end);
    (void)find_function(library, "debuginfod_find_debuginfo", client.find_debuginfo);
    (void)find_function(library, "debuginfod_find_executable", client.find_executable);
    (void)find_function(library, "debuginfod_find_source", client.find_source);
    return client;
  }();
  return functions;
}

std::string value_of(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? "" : text;
}

// A build ID as the client's functions take it, with length 0.
const unsigned char* hex_digits(const std::string& build_id) {
  return reinterpret_cast<const unsigned char*>(build_id.c_str());
}

// Since 0.192, the library reports no progress before a server answers, so on_progress() cannot end the wait
// for a silent server. The library's own limits do: debuginfod_find_debuginfo(3).
void limit_wait_for_answer(milliseconds patience) {
  std::string limit_s = std::to_string(std::chrono::ceil<seconds>(patience).count());
  ::setenv("DEBUGINFOD_TIMEOUT", limit_s.c_str(), 1);
  ::setenv("DEBUGINFOD_RETRY_LIMIT", "0", 0);
}

// Returns true for errno values that mean a silent or missing server.
bool not_reached(int error) {
  switch (error) {
    case ECONNREFUSED:
    case ECONNRESET:
    case EHOSTUNREACH:
    case ENETUNREACH:
    case ETIME:
    case ETIMEDOUT:
      return true;
    default:
      return false;
  }
}

}  // namespace

Debuginfod::Debuginfod(milliseconds patience) : urls_(value_of("DEBUGINFOD_URLS")), patience_(patience) {
  if (!urls_.empty()) limit_wait_for_answer(patience_);
}

Debuginfod::~Debuginfod() {
  if (own_client_ != nullptr) client_functions().end(own_client_);
}

milliseconds Debuginfod::usual_patience() {
  constexpr seconds kUsual(5), kMost(3600);
  int wanted = std::atoi(value_of("DEBUGINFOD_TIMEOUT").c_str());
  return wanted > 0 ? std::min(seconds(wanted), kMost) : kUsual;
}

void Debuginfod::watch(Dwfl* session) {
  if (urls_.empty()) return;
  MutexLock lock(mutex_);
  take_client(client_functions().complete() ? dwfl_get_debuginfod_client(session) : nullptr);
}

bool Debuginfod::take_client(debuginfod_client* client) {
  if (client == nullptr) {
    say("DEBUGINFOD_URLS is set, but libdebuginfod.so.1 is not installed, so no debug files are downloaded");
    return false;
  }
  client_functions().set_user_data(client, this);
  client_functions().set_progressfn(client, &Debuginfod::on_progress);
  return true;
}

bool Debuginfod::make_own_client() {
  if (own_client_ == nullptr && client_functions().complete()) own_client_ = client_functions().begin();
  return take_client(own_client_);
}

std::string Debuginfod::fetched(const std::string& build_id, const std::function<int(char** path)>& request) {
  if (urls_.empty() || !is_build_id(build_id)) return {};
  char* path = nullptr;
  UniqueFd file(find([&](bool may_ask)
                         HM_UNCHECKED_LOCKS { return may_ask && make_own_client() ? request(&path) : -1; }));
  std::string found = file.valid() && path != nullptr ? path : "";
  std::free(path);
  return found;
}

std::string Debuginfod::fetch(const std::string& build_id) {
  return fetched(build_id, [&](char** path) HM_UNCHECKED_LOCKS {
    return client_functions().find_debuginfo(own_client_, hex_digits(build_id), 0, path);
  });
}

std::string Debuginfod::fetch_program(const std::string& build_id) {
  return fetched(build_id, [&](char** path) HM_UNCHECKED_LOCKS {
    return client_functions().find_executable(own_client_, hex_digits(build_id), 0, path);
  });
}

std::string Debuginfod::fetch_source(const std::string& build_id, const std::string& path) {
  if (!path.starts_with('/')) return {};  // servers have absolute paths
  return fetched(build_id, [&](char** found) HM_UNCHECKED_LOCKS {
    return client_functions().find_source(own_client_, hex_digits(build_id), 0, path.c_str(), found);
  });
}

int Debuginfod::find(const std::function<int(bool may_ask)>& look) {
  if (urls_.empty()) return look(true);
  MutexLock lock(mutex_);
  if (gave_up_) return look(false);
  Clock::time_point begin = last_news_ = Clock::now();
  done_ = 0;
  cancelled_ = false;
  int answer = look(true);
  take_answer(answer, Clock::now() - begin);
  return answer;
}

// Called during find(), in the same thread. `total` is 0 until a server begins to answer; until then `done`
// does not count bytes.
int Debuginfod::on_progress(debuginfod_client* client, long done, long total) HM_UNCHECKED_LOCKS {
  auto* self = static_cast<Debuginfod*>(client_functions().get_user_data(client));
  return self->goes_on(done, total) ? 0 : 1;
}

bool Debuginfod::goes_on(long done, long total) {
  Clock::time_point now = Clock::now();
  if (total > 0 && done > done_) {
    done_ = done;
    last_news_ = now;
  }
  cancelled_ = now - last_news_ > patience_;
  return !cancelled_;
}

void Debuginfod::take_answer(int answer, Clock::duration took) {
  if (answer >= 0 || (!cancelled_ && !not_reached(-answer))) return;
  bool silent = cancelled_ || answer == -ETIME;
  std::string reason =
      silent ? fmt::format("nothing came for {} s", std::chrono::duration<double>(patience_).count())
             : errno_text(-answer);
  say(fmt::format(
      "debug files could not be downloaded from DEBUGINFOD_URLS ({}): {}; functions without symbols are shown by address",
      urls_, reason));
  gave_up_ = silent || took > kSlow;
}

void Debuginfod::say(std::string problem) {
  if (problems_.empty()) problems_.push_back(std::move(problem));
}

std::vector<std::string> Debuginfod::problems() const {
  MutexLock lock(mutex_);
  return problems_;
}

}  // namespace hm::symbol
