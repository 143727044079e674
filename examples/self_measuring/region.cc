// SPDX-License-Identifier: MIT
// As region.c, in C++: `region_cc [RESOURCE]`.
#include <cstdio>
#include <hardmeter/region.hpp>
#include <vector>

namespace {

volatile long g_sink;

[[gnu::noipa]] void walk_inside(const std::vector<long>& data) {
  for (size_t i = 0; i < data.size(); i += 8) g_sink = g_sink + data[i];
}
[[gnu::noipa]] void walk_outside(const std::vector<long>& data) {
  for (size_t i = 0; i < data.size(); i += 8) g_sink = g_sink + data[i];
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<long> data(1 << 20, 1);
  walk_outside(data);
  {
    hardmeter::Region region{argc > 1 ? argv[1] : "load"};
    if (!region.ok()) std::fprintf(stderr, "%s\n", hardmeter_error());
    walk_inside(data);
  }
  walk_outside(data);
}
