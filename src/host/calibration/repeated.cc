// SPDX-License-Identifier: MIT
#include "host/calibration/repeated.h"

#include <cmath>

namespace hm::host {

Estimate difference(const Estimate& of, const Estimate& from) {
  double value = of.value - from.value;
  double below = std::hypot(of.value - of.low, from.high - from.value);
  double above = std::hypot(of.high - of.value, from.value - from.low);
  return {value, value - below, value + above};
}

Estimate rate(double amount, const Estimate& time) {
  return {amount / time.value, amount / time.high, amount / time.low};
}

}  // namespace hm::host
