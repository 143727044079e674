// SPDX-License-Identifier: MIT
#include "web/access.h"

#include <fmt/format.h>
#include <sys/random.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>

#include "base/hex.h"

namespace hm::web {
namespace {

constexpr std::string_view kLoopback = "127.0.0.1", kAll = "0.0.0.0";

// Compares in constant time.
bool is_same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  unsigned different = 0;
  for (size_t i = 0; i < a.size(); ++i) different |= static_cast<unsigned char>(a[i] ^ b[i]);
  return different == 0;
}

std::string_view trimmed(std::string_view text) {
  size_t begin = text.find_first_not_of(' ');
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// Finds a cookie in a header such as "a=1; b=2".
std::optional<std::string_view> cookie_in(std::string_view header, std::string_view name) {
  while (!header.empty()) {
    size_t end = std::min(header.find(';'), header.size());
    std::string_view pair = trimmed(header.substr(0, end));
    header.remove_prefix(std::min(end + 1, header.size()));
    size_t equals = pair.find('=');
    if (equals != std::string_view::npos && pair.substr(0, equals) == name) return pair.substr(equals + 1);
  }
  return std::nullopt;
}

}  // namespace

Access::Access(std::string secret, const std::string& host) : secret_(std::move(secret)), host_(host) {}

// If the server listens at all addresses, browsers may use any name of the machine, so all are accepted.
bool Access::is_own_host(std::string_view host) const {
  constexpr uint16_t kUnsaid = 80;  // the default port, which browsers omit
  if (port_ == 0) return false;
  if (host_ == kAll) return true;
  std::string port = fmt::format(":{}", port_.load());
  if (host.ends_with(port))
    host.remove_suffix(port.size());
  else if (port_ != kUnsaid)
    return false;
  return host == host_ || (host_ == kLoopback && host == "localhost");
}

std::string Access::cookie_name() const { return fmt::format("hardmeter_{}", port_.load()); }

std::string Access::first_link() const {
  return fmt::format("http://{}:{}/?secret={}", host_ == kAll ? kLoopback : host_, port_.load(), secret_);
}

std::string Access::set_cookie() const {
  return fmt::format("{}={}; Path=/; HttpOnly; SameSite=Strict", cookie_name(), secret_);
}

Verdict Access::judge(const Caller& caller) const {
  constexpr std::string_view kScheme = "http://";
  if (!is_own_host(caller.host)) return Verdict::kWrongHost;
  std::string_view origin = caller.origin;
  bool is_own_origin =
      origin.empty() || (origin.starts_with(kScheme) && origin.substr(kScheme.size()) == caller.host);
  bool is_other_site = caller.site == "cross-site" || caller.site == "same-site";
  if (!is_own_origin || is_other_site) return Verdict::kWrongOrigin;
  std::optional<std::string_view> cookie = cookie_in(caller.cookie, cookie_name());
  return cookie && is_same(*cookie, secret_) ? Verdict::kAllowed : Verdict::kNoSecret;
}

Verdict Access::judge_first(const Caller& caller, std::string_view token) const {
  if (!is_own_host(caller.host)) return Verdict::kWrongHost;
  return is_same(token, secret_) ? Verdict::kAllowed : Verdict::kNoSecret;
}

Result<std::string> make_secret() {
  std::array<std::byte, 32> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return make_error(ErrorCode::kIo, "the kernel returns no random numbers: {}", errno_text(errno));
  return hex_of(bytes);
}

}  // namespace hm::web
