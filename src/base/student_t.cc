// SPDX-License-Identifier: MIT
#include "base/student_t.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace hm {
namespace {

struct Quantile {
  double degrees;
  double t;
};

// Source: NIST/SEMATECH e-Handbook of Statistical Methods, table 1.3.6.7.2.
constexpr std::array<Quantile, 33> kQuantiles{
    {{1, 12.706}, {2, 4.303},  {3, 3.182},  {4, 2.776},  {5, 2.571},  {6, 2.447},  {7, 2.365},
     {8, 2.306},  {9, 2.262},  {10, 2.228}, {11, 2.201}, {12, 2.179}, {13, 2.160}, {14, 2.145},
     {15, 2.131}, {16, 2.120}, {17, 2.110}, {18, 2.101}, {19, 2.093}, {20, 2.086}, {21, 2.080},
     {22, 2.074}, {23, 2.069}, {24, 2.064}, {25, 2.060}, {26, 2.056}, {27, 2.052}, {28, 2.048},
     {29, 2.045}, {30, 2.042}, {40, 2.021}, {60, 2.000}, {100, 1.984}}};

}  // namespace

double student_t(double degrees) {
  const auto* above = std::ranges::upper_bound(kQuantiles, degrees, {}, &Quantile::degrees);
  if (above == kQuantiles.begin()) return kQuantiles.front().t;
  const Quantile& below = *std::prev(above);
  if (above == kQuantiles.end()) return below.t;
  double part = (1 / below.degrees - 1 / degrees) / (1 / below.degrees - 1 / above->degrees);
  return below.t + part * (above->t - below.t);
}

}  // namespace hm
