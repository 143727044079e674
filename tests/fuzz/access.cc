// SPDX-License-Identifier: MIT
// The input has one line each for Host, Origin, Sec-Fetch-Site, Cookie, and the secret of a first link. An
// allowed caller has used the server's own name, has the secret, and comes from no other site's page.
#include "web/access.h"

#include "input.h"

namespace {

using namespace hm;

constexpr std::string_view kSecret = "5ec2e7";

bool is_own_name(std::string_view host) {
  for (std::string_view name : {"127.0.0.1", "127.0.0.1:80", "localhost", "localhost:80"}) {
    if (host == name) return true;
  }
  return false;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  std::string_view text = fuzz::text(data, size);
  web::Caller caller;
  for (std::string* each : {&caller.host, &caller.origin, &caller.site, &caller.cookie})
    *each = fuzz::take_line(text);
  web::Access access{std::string(kSecret), "127.0.0.1"};
  fuzz::require(access.judge(caller) == web::Verdict::kWrongHost);  // the server has no port yet
  access.set_port(80);
  if (access.judge(caller) == web::Verdict::kAllowed) {
    fuzz::require(is_own_name(caller.host));
    fuzz::require(caller.origin.empty() || caller.origin == "http://" + caller.host);
    fuzz::require(caller.site != "cross-site" && caller.site != "same-site");
    fuzz::require(caller.cookie.find("hardmeter_80=5ec2e7") != std::string::npos);
  }
  bool may_enter = access.judge_first(caller, text) == web::Verdict::kAllowed;
  fuzz::require(may_enter == (is_own_name(caller.host) && text == kSecret));
  return 0;
}
