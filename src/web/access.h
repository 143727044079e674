// SPDX-License-Identifier: MIT
// Who may ask the page's server. Whoever opens the first link, which has a secret in it, gets a cookie with
// that secret; other users of the machine, and pages of other sites in the same browser, have neither.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace hm::web {

// Of a request: what its headers say; empty text for what is not there.
struct Caller {
  std::string host;    // Host
  std::string origin;  // Origin
  std::string site;    // Sec-Fetch-Site
  std::string cookie;  // Cookie
};

enum class Verdict {
  kAllowed,
  kWrongHost,    // another name for this address: a page of another site may have made it (DNS rebinding)
  kWrongOrigin,  // a page of another site asks
  kNoSecret,
};

class Access {
 public:
  // `secret`: hex. `host`: the address that is served, in numbers.
  Access(std::string secret, const std::string& host);
  Access(const Access&) = delete;
  Access& operator=(const Access&) = delete;

  // Before that, nobody is allowed.
  void set_port(uint16_t port) { port_ = port; }

  [[nodiscard]] Verdict judge(const Caller& caller) const;
  // The same for the first link, whose secret is `token`; a link may be followed from anywhere.
  [[nodiscard]] Verdict judge_first(const Caller& caller, std::string_view token) const;

  // The value of Set-Cookie. Cookies do not know ports: its name has the port, so that two servers do not
  // take each other's away.
  [[nodiscard]] std::string set_cookie() const;
  // Brings a browser in.
  [[nodiscard]] std::string first_link() const;

 private:
  [[nodiscard]] bool is_own_host(std::string_view host) const;
  [[nodiscard]] std::string cookie_name() const;

  std::string secret_;
  std::string host_;
  std::atomic<uint16_t> port_ = 0;
};

// 32 bytes of the kernel's, as hex. kIo where it has none to give.
[[nodiscard]] Result<std::string> make_secret();

}  // namespace hm::web
