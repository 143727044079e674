// SPDX-License-Identifier: MIT
#include "view/prometheus/occupancy_metrics.h"

#include <fmt/format.h>

#include <mutex>
#include <utility>

#include "view/prometheus/address.h"
#include "view/prometheus/exposition.h"
#include "view/prometheus/http_server.h"

namespace hm::prometheus {

// The text is made once for each snapshot: requests cost no more than sending it.
struct OccupancyMetrics::Served {
  std::mutex mutex;  // of `text`
  std::shared_ptr<const std::string> text = std::make_shared<const std::string>(exposition_of_nothing());
  uint64_t refreshes = 0;
  std::string host;
  std::unique_ptr<HttpServer> server;  // last: it reads the others until it has gone
};

OccupancyMetrics::OccupancyMetrics(std::unique_ptr<Served> served) : served_(std::move(served)) {}
OccupancyMetrics::~OccupancyMetrics() = default;

Result<std::unique_ptr<OccupancyMetrics>> OccupancyMetrics::serve(std::string_view address_and_port) {
  Result<Address> address = parse_address(address_and_port);
  if (!address) return address.error();
  auto served = std::make_unique<Served>();
  served->host = address->host;
  auto server = HttpServer::start(*address, [served = served.get()] {
    std::lock_guard lock(served->mutex);
    return served->text;
  });
  if (!server) return server.error();
  served->server = *std::move(server);
  return std::unique_ptr<OccupancyMetrics>(new OccupancyMetrics(std::move(served)));
}

std::string OccupancyMetrics::url() const {
  return fmt::format("http://{}:{}/metrics", served_->host, served_->server->port());
}

void OccupancyMetrics::update(const occupancy::Snapshot& snapshot) {
  auto text = std::make_shared<const std::string>(exposition(snapshot, ++served_->refreshes));
  std::lock_guard lock(served_->mutex);
  served_->text = std::move(text);
}

}  // namespace hm::prometheus
