// SPDX-License-Identifier: MIT
#include "view/text/fleet_rate_text.h"

#include <fmt/format.h>

#include <cmath>

#include "view/text/format.h"

namespace hm::text {

RateForm rate_form(const std::string& event, const std::string& unit) {
  if (unit == "instructions") return {"in 1000 instr.", 1000};
  if (unit == "cpu_ns" && event == "clock") return {"% of CPU time", 100};
  if (unit == "cpu_ns") return {"in 1 ms of CPU", 1e6};
  if (unit == "readings") return {"MiB held", 1.0 / (1 << 20)};
  return {"rate", 1};
}

std::string rate_number(double value) {
  double size = std::abs(value);
  return size >= 100 ? fmt::format("{:.0f}", value)
         : size >= 1 ? fmt::format("{:.2f}", value)
                     : fmt::format("{:.3f}", value);
}

std::string rate_text(const std::optional<fleet::Rate>& rate, const RateForm& form) {
  if (!rate) return kNotMeasured;
  std::string text = rate_number(rate->value * form.factor);
  return rate->limits
             ? fmt::format("{} ±{}", text, rate_number((rate->limits->high - rate->value) * form.factor))
             : text;
}

}  // namespace hm::text
