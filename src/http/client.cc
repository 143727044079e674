// SPDX-License-Identifier: MIT
#include "http/client.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <fmt/format.h>

#include <string_view>

#include "base/loaded_library.h"

namespace hm::http {
namespace {

constexpr size_t kMaxReplyBytes = size_t{1} << 30;
constexpr long kSecondsToConnect = 10;

// libcurl's functions that are used.
struct Curl {
  decltype(&::curl_global_init) global_init;
  decltype(&::curl_easy_init) easy_init;
  decltype(&::curl_easy_cleanup) easy_cleanup;
  decltype(&::curl_easy_setopt) easy_setopt;
  decltype(&::curl_easy_perform) easy_perform;
  decltype(&::curl_easy_getinfo) easy_getinfo;
  decltype(&::curl_easy_reset) easy_reset;
  decltype(&::curl_easy_strerror) easy_strerror;
  decltype(&::curl_slist_append) slist_append;
  decltype(&::curl_slist_free_all) slist_free_all;
};

// Returns null if libcurl is not installed. Both of Debian's variants have these functions.
const Curl* load_curl() {
  static Curl curl;
  for (const char* name : {"libcurl.so.4", "libcurl-gnutls.so.4"}) {
    void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library == nullptr) continue;
    if (find_function(library, "curl_global_init", curl.global_init) &&
        find_function(library, "curl_easy_init", curl.easy_init) &&
        find_function(library, "curl_easy_cleanup", curl.easy_cleanup) &&
        find_function(library, "curl_easy_setopt", curl.easy_setopt) &&
        find_function(library, "curl_easy_perform", curl.easy_perform) &&
        find_function(library, "curl_easy_getinfo", curl.easy_getinfo) &&
        find_function(library, "curl_easy_reset", curl.easy_reset) &&
        find_function(library, "curl_easy_strerror", curl.easy_strerror) &&
        find_function(library, "curl_slist_append", curl.slist_append) &&
        find_function(library, "curl_slist_free_all", curl.slist_free_all) &&
        curl.global_init(CURL_GLOBAL_ALL) == CURLE_OK)
      return &curl;
  }
  return nullptr;
}

const Curl* curl() {
  static const Curl* loaded = load_curl();
  return loaded;
}

size_t take_body(char* data, size_t size, size_t count, void* reply) {
  std::string& body = static_cast<Reply*>(reply)->body;
  if (body.size() + size * count > kMaxReplyBytes) return 0;  // ends the transfer
  body.append(data, size * count);
  return size * count;
}

}  // namespace

struct Client::State {
  explicit State(ClientOptions wanted) : options(std::move(wanted)) {}
  State(const State&) = delete;
  State& operator=(const State&) = delete;
  ~State() {
    if (handle != nullptr) curl()->easy_cleanup(handle);
  }

  ClientOptions options;
  CURL* handle = nullptr;
};

Client::Client(std::unique_ptr<State> state) : state_(std::move(state)) {}
Client::Client(Client&&) noexcept = default;
Client& Client::operator=(Client&&) noexcept = default;
Client::~Client() = default;

Result<Client> Client::make(ClientOptions options) {
  if (curl() == nullptr)
    return make_error(ErrorCode::kNotFound,
                      "cannot reach servers: libcurl is not installed (Debian: libcurl4)");
  auto state = std::make_unique<State>(std::move(options));
  state->handle = curl()->easy_init();
  if (state->handle == nullptr) return make_error(ErrorCode::kIo, "libcurl cannot be used: no memory");
  return Client(std::move(state));
}

Result<Reply> Client::post(const std::string& url, const std::string& type, const std::string& body) {
  const Curl& library = *curl();
  CURL* handle = state_->handle;
  curl_slist* headers = nullptr;
  headers = library.slist_append(headers, ("Content-Type: " + type).c_str());
  headers = library.slist_append(headers, "Expect:");  // do not wait for "100 Continue" before the body
  for (const auto& [name, value] : state_->options.headers)
    headers = library.slist_append(headers, fmt::format("{}: {}", name, value).c_str());
  Reply reply;
  library.easy_reset(handle);
  library.easy_setopt(handle, CURLOPT_URL, url.c_str());
  library.easy_setopt(handle, CURLOPT_PROTOCOLS_STR, "http,https");
  library.easy_setopt(handle, CURLOPT_HTTPHEADER, headers);
  library.easy_setopt(handle, CURLOPT_POST, 1L);
  library.easy_setopt(handle, CURLOPT_POSTFIELDS, body.data());
  library.easy_setopt(handle, CURLOPT_POSTFIELDSIZE_LARGE, static_cast<curl_off_t>(body.size()));
  library.easy_setopt(handle, CURLOPT_WRITEFUNCTION, &take_body);
  library.easy_setopt(handle, CURLOPT_WRITEDATA, &reply);
  library.easy_setopt(handle, CURLOPT_CONNECTTIMEOUT, kSecondsToConnect);
  library.easy_setopt(handle, CURLOPT_TIMEOUT, static_cast<long>(state_->options.patience.count()));
  library.easy_setopt(handle, CURLOPT_NOSIGNAL, 1L);
  if (!state_->options.authority.empty())
    library.easy_setopt(handle, CURLOPT_CAINFO, state_->options.authority.c_str());
  CURLcode code = library.easy_perform(handle);
  library.slist_free_all(headers);
  if (code != CURLE_OK) {
    std::string server = url.substr(0, url.find('/', url.find("://") + 3));
    return make_error(ErrorCode::kIo, "cannot reach {}: {}", server, library.easy_strerror(code));
  }
  long status = 0;
  library.easy_getinfo(handle, CURLINFO_RESPONSE_CODE, &status);
  reply.status = static_cast<int>(status);
  return reply;
}

std::string percent_encoded(std::string_view text) {
  constexpr std::string_view kPlain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  std::string encoded;
  for (char c : text) {
    if (kPlain.find(c) != std::string_view::npos)
      encoded += c;
    else
      encoded += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return encoded;
}

}  // namespace hm::http
