// SPDX-License-Identifier: MIT
// Access control of the page's server. The first link contains a secret, and opening it sets a cookie with
// that secret. Other users of the machine, and pages of other sites in the same browser, have neither.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hm::web {

// Headers of a request; a missing header is empty.
struct Caller {
  std::string host;    // Host
  std::string origin;  // Origin
  std::string site;    // Sec-Fetch-Site
  std::string cookie;  // Cookie
};

enum class Verdict {
  kAllowed,
  kWrongHost,    // the Host header is not this server's: possibly a page of another site (DNS rebinding)
  kWrongOrigin,  // the request comes from a page of another site
  kNoSecret,
};

class Access {
 public:
  // `secret` is in hex. `host` is the address that is served, as an IPv4 address.
  Access(std::string secret, const std::string& host);
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;

  // Without a port, every request is refused.
  void set_port(uint16_t port) { port_ = port; }

  [[nodiscard]] Verdict judge(const Caller& caller) const;
  // Like judge(), for the first link with the secret `token`. A link may be followed from any site.
  [[nodiscard]] Verdict judge_first(const Caller& caller, std::string_view token) const;

  // Returns the value of Set-Cookie. The cookie's name contains the port: cookies ignore ports, and two
  // servers must not overwrite each other's cookie.
  [[nodiscard]] std::string set_cookie() const;
  // Returns the link for opening the page in a browser.
  [[nodiscard]] std::string first_link() const;

 private:
  [[nodiscard]] bool is_own_host(std::string_view host) const;
  [[nodiscard]] std::string cookie_name() const;

  std::string secret_;
  std::string host_;
  std::atomic<uint16_t> port_ = 0;
};

// Returns 32 random bytes from getrandom(2), hex-encoded. Fails with kIo if they are unavailable.
[[nodiscard]] Result<std::string> make_secret();

}  // namespace hm::web
