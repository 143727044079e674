// SPDX-License-Identifier: MIT
#include "view/prometheus/occupancy_metrics.h"

#include <fmt/format.h>

#include <utility>

#include "http/pages.h"
#include "view/prometheus/exposition.h"
#include "view/prometheus/metrics_page.h"

namespace hm::prometheus {

struct OccupancyMetrics::Served {
  MetricsPage page;
  uint64_t refreshes = 0;
  std::string host;
  std::unique_ptr<http::Server> server;  // declared last, because it reads the page until it is destroyed
};

OccupancyMetrics::OccupancyMetrics(std::unique_ptr<Served> served) : served_(std::move(served)) {}
OccupancyMetrics::~OccupancyMetrics() = default;

Result<std::unique_ptr<OccupancyMetrics>> OccupancyMetrics::serve(std::string_view address_and_port) {
  Result<http::Address> address = http::parse_address(address_and_port, "metrics");
  if (!address) return address.error();
  auto served = std::make_unique<Served>();
  served->host = address->host;
  served->page.set(exposition_of_nothing());
  http::Pages pages{{MetricsPage::kPath, [page = &served->page] { return page->response(); }}};
  auto server = http::Server::start(*address, "metrics", [pages](const http::Request& request) {
    return http::page_response(request, pages);
  });
  if (!server) return server.error();
  served->server = *std::move(server);
  return std::unique_ptr<OccupancyMetrics>(new OccupancyMetrics(std::move(served)));
}

std::string OccupancyMetrics::url() const {
  return fmt::format("http://{}:{}{}", served_->host, served_->server->port(), MetricsPage::kPath);
}

void OccupancyMetrics::update(const occupancy::Snapshot& snapshot) {
  served_->page.set(exposition(snapshot, ++served_->refreshes));
}

}  // namespace hm::prometheus
