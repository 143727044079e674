// SPDX-License-Identifier: MIT
#include "web/site.h"

#include <memory>
#include <string_view>
#include <utility>

#include "base/unexpected_error.h"
#include "web/page.h"

namespace hm::web {
namespace {

constexpr const char* kText = "text/plain; charset=utf-8";
constexpr const char* kJson = "application/json";
constexpr const char* kHtml = "text/html; charset=utf-8";
// Allows only this server's own files: nothing inline, nothing from other sites, and no framing by other
// pages.
constexpr const char* kPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

http::Response response_of(int status, const char* type, std::string text) {
  return {status, type, std::make_shared<const std::string>(std::move(text))};
}

http::Response refusal(Verdict verdict) {
  return response_of(403, kText,
                     verdict == Verdict::kNoSecret
                         ? "open the link that hardmeter ui printed: it contains the secret\n"
                         : "this server answers only requests of its own page\n");
}

Caller caller_of(const http::Request& request) {
  return {std::string(request.header("Host")), std::string(request.header("Origin")),
          std::string(request.header("Sec-Fetch-Site")), std::string(request.header("Cookie"))};
}

// Returns the secret of the first link; empty for other requests.
std::string secret_in(const http::Request& request) {
  if (request.path != "/") return {};
  for (const auto& [name, value] : http::query_pairs(request.query)) {
    if (name == "secret") return value;
  }
  return {};
}

// Redirects from the first link to the page, so that the secret is not in the history or in a copied address.
// The cookie is strict: a browser that comes from another site only sends it if the page itself redirects.
http::Response entrance(const http::Request& request, const std::string& cookie) {
  bool is_elsewhere = request.header("Sec-Fetch-Site") == "cross-site";
  http::Response response =
      is_elsewhere
          ? response_of(200, kHtml, R"(<!doctype html><meta http-equiv="refresh" content="0;url=/">)")
          : response_of(302, kText, "");
  if (!is_elsewhere) response.headers.emplace_back("Location", "/");
  response.headers.emplace_back("Set-Cookie", cookie);
  return response;
}

}  // namespace

http::Response Site::respond_to_allowed(const http::Request& request) {
  constexpr std::string_view kApi = "/api/";
  if (request.method == "POST" && request.path.starts_with(kApi)) {
    Answer answer = api_.act(std::string_view(request.path).substr(kApi.size()), request.body);
    return response_of(answer.status, kJson, std::move(answer.json));
  }
  if (request.method != "GET") {
    http::Response response = response_of(405, kText, "only GET is supported here\n");
    response.headers.emplace_back("Allow", "GET, HEAD");
    return response;
  }
  if (request.path == "/") return response_of(200, kHtml, std::string(page_html()));
  if (request.path == "/page.js")
    return response_of(200, "text/javascript; charset=utf-8", std::string(page_script()));
  if (request.path == "/page.css")
    return response_of(200, "text/css; charset=utf-8", std::string(page_style()));
  if (!request.path.starts_with(kApi)) return response_of(404, kText, "no such file\n");
  Parameters::Given given;
  for (auto& [name, value] : http::query_pairs(request.query)) given[name] = value;
  Answer answer = api_.answer(std::string_view(request.path).substr(kApi.size()), given);
  return response_of(answer.status, kJson, std::move(answer.json));
}

http::Response Site::respond_or_report(const http::Request& request) {
  Result<http::Response> response =
      without_exceptions([&]() -> Result<http::Response> { return respond_to_allowed(request); });
  return response ? *std::move(response) : response_of(500, kText, response.error().message + '\n');
}

http::Response Site::respond(const http::Request& request) {
  std::string secret = secret_in(request);
  // Rejects form posts from other sites: they cannot send JSON, and browsers send the page's origin.
  bool is_strange = request.method != "GET" &&
                    (request.header("Content-Type") != kJson || request.header("Origin").empty());
  Verdict verdict = is_strange       ? Verdict::kWrongOrigin
                    : secret.empty() ? access_.judge(caller_of(request))
                                     : access_.judge_first(caller_of(request), secret);
  if (verdict == Verdict::kAllowed && !secret.empty()) was_entered_ = true;
  http::Response response = verdict != Verdict::kAllowed ? refusal(verdict)
                            : secret.empty()             ? respond_or_report(request)
                                                         : entrance(request, access_.set_cookie());
  response.headers.insert(response.headers.end(), {{"Content-Security-Policy", kPolicy},
                                                   {"X-Content-Type-Options", "nosniff"},
                                                   {"Referrer-Policy", "no-referrer"},
                                                   {"Cross-Origin-Resource-Policy", "same-origin"},
                                                   {"Cache-Control", "no-store"}});
  return response;
}

}  // namespace hm::web
