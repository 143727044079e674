// SPDX-License-Identifier: MIT
#include "view/prometheus/occupancy_metrics.h"

#include <fmt/format.h>

#include <mutex>
#include <utility>

#include "http/server.h"
#include "view/prometheus/exposition.h"

namespace hm::prometheus {

// The text is made once for each snapshot: requests cost no more than sending it.
struct OccupancyMetrics::Served {
  std::mutex mutex;  // of `text`
  std::shared_ptr<const std::string> text = std::make_shared<const std::string>(exposition_of_nothing());
  uint64_t refreshes = 0;
  std::string host;
  std::unique_ptr<http::Server> server;  // last: it reads the others until it has gone
};

namespace {

http::Response text_response(int status, std::string text) {
  return {status, "text/plain; charset=utf-8", std::make_shared<const std::string>(std::move(text))};
}

http::Response respond(const http::Request& request, std::shared_ptr<const std::string> metrics) {
  if (request.path != "/metrics") return text_response(404, "there is only /metrics here\n");
  if (request.method == "GET") return {200, "text/plain; version=0.0.4; charset=utf-8", std::move(metrics)};
  http::Response response = text_response(405, "there is only GET here\n");
  response.headers.emplace_back("Allow", "GET, HEAD");
  return response;
}

}  // namespace

OccupancyMetrics::OccupancyMetrics(std::unique_ptr<Served> served) : served_(std::move(served)) {}
OccupancyMetrics::~OccupancyMetrics() = default;

Result<std::unique_ptr<OccupancyMetrics>> OccupancyMetrics::serve(std::string_view address_and_port) {
  Result<http::Address> address = http::parse_address(address_and_port, "metrics");
  if (!address) return address.error();
  auto served = std::make_unique<Served>();
  served->host = address->host;
  auto server =
      http::Server::start(*address, "metrics", [served = served.get()](const http::Request& request) {
        std::unique_lock lock(served->mutex);
        std::shared_ptr<const std::string> text = served->text;
        lock.unlock();
        return respond(request, std::move(text));
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
