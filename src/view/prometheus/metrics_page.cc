// SPDX-License-Identifier: MIT
#include "view/prometheus/metrics_page.h"

#include <utility>

namespace hm::prometheus {

void MetricsPage::set(std::string text) {
  auto made = std::make_shared<const std::string>(std::move(text));
  MutexLock lock(mutex_);
  text_ = std::move(made);
}

http::Response MetricsPage::response() const {
  MutexLock lock(mutex_);
  return {200, "text/plain; version=0.0.4; charset=utf-8", text_};
}

}  // namespace hm::prometheus
