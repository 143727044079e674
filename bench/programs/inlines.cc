// SPDX-License-Identifier: MIT
// Typical C++ code: small templates, inlined several levels deep into a few large functions. Three processes
// of two threads each parse and print JSON, sort records and match texts. Argument: rounds (1).
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <regex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

namespace {

struct Order {
  std::string customer;
  uint32_t item;
  double price;
};

std::vector<Order> make_orders(uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<Order> orders;
  for (int i = 0; i < 3000; ++i)
    orders.push_back({"customer " + std::to_string(random() % 500), static_cast<uint32_t>(random() % 997),
                      static_cast<double>(random() % 10000) / 100.0});
  return orders;
}

size_t through_json(const std::vector<Order>& orders) {
  nlohmann::json list = nlohmann::json::array();
  for (const Order& order : orders)
    list.push_back({{"customer", order.customer}, {"item", order.item}, {"price", order.price}});
  return nlohmann::json::parse(list.dump()).size();
}

double sort_and_sum(std::vector<Order> orders) {
  std::sort(orders.begin(), orders.end(), [](const Order& a, const Order& b) {
    return a.customer != b.customer ? a.customer < b.customer : a.price < b.price;
  });
  std::map<std::string, double> by_customer;
  std::unordered_map<uint32_t, double> by_item;
  for (const Order& order : orders) {
    by_customer[order.customer] += order.price;
    by_item[order.item] += order.price;
  }
  double sum = 0;
  for (const auto& [item, price] : by_item) sum += price;
  for (const auto& [customer, price] : by_customer) sum += price;
  return sum;
}

size_t match(const std::vector<Order>& orders) {
  static const std::regex pattern("c(u|o)stomer ([0-9]*)7([0-9]*)");
  return static_cast<size_t>(std::count_if(orders.begin(), orders.end(), [](const Order& order) {
    return std::regex_match(order.customer, pattern);
  }));
}

void work(uint32_t seed, int rounds) {
  double sum = 0;
  for (int round = 0; round < rounds; ++round) {
    std::vector<Order> orders = make_orders(seed + static_cast<uint32_t>(round));
    sum +=
        static_cast<double>(through_json(orders)) + sort_and_sum(orders) + static_cast<double>(match(orders));
  }
  std::printf("%.2f\n", sum);
}

void run_threads(uint32_t seed, int rounds) {
  std::thread other(work, seed + 1000, rounds);
  work(seed, rounds);
  other.join();
}

}  // namespace

int main(int argc, char** argv) {
  int rounds = argc > 1 ? std::atoi(argv[1]) : 1;
  for (uint32_t process = 0; process < 2; ++process) {
    if (fork() == 0) {
      run_threads(process * 10000, rounds);
      return 0;
    }
  }
  run_threads(77, rounds);
  while (wait(nullptr) > 0) {
  }
  return 0;
}
