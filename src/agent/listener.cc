// SPDX-License-Identifier: MIT
#include "agent/listener.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "agent/window_files.h"
#include "base/text_file.h"
#include "http/pages.h"

namespace hm::agent {
namespace {

constexpr size_t kMaxPprofBytes = size_t{64} << 20;

http::Response pprof_response(const std::string& file) {
  std::optional<std::string> profile = read_text(file, kMaxPprofBytes);
  if (!profile) return http::text_response(503, "nothing has been measured yet: try again later\n");
  return {200,
          "application/octet-stream",
          std::make_shared<const std::string>(*std::move(profile)),
          {{"Content-Disposition", "attachment; filename=\"window.pprof\""},
           {"X-Content-Type-Options", "nosniff"},
           {"Cache-Control", "no-store"}}};
}

}  // namespace

Result<std::unique_ptr<Listener>> Listener::start(const http::Address& address, const std::string& folder,
                                                  const Metrics& metrics) {
  std::unique_ptr<Listener> listener(new Listener());
  listener->host_ = address.host;
  listener->publish(metrics);
  http::Pages pages{{prometheus::MetricsPage::kPath, [page = &listener->page_] { return page->response(); }},
                    {kPprofPath, [file = pprof_file(folder)] { return pprof_response(file); }}};
  Result<std::unique_ptr<http::Server>> server = http::Server::start(
      address, "metrics",
      [pages](const http::Request& request) { return http::page_response(request, pages); });
  if (!server) return server.error();
  listener->server_ = *std::move(server);
  return listener;
}

std::string Listener::url(std::string_view path) const {
  return fmt::format("http://{}:{}{}", host_, server_->port(), path);
}

}  // namespace hm::agent
