// SPDX-License-Identifier: MIT
// hot_cold_split [ORDERS=40000]: goes through all orders for two of their fields: of each line that comes, an
// eighth is used. Mended: the two fields are in an array of their own, the others, which this loop never
// reads, in another.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { kMaxOrders = 40000, kPasses = 20 };

struct terms {
  uint32_t price, quantity;
};
struct customer {
  char name[40];
  uint64_t account, placed_at;
};

#ifdef MENDED
static _Alignas(4096) struct terms all_terms[kMaxOrders];
static _Alignas(4096) struct customer all_customers[kMaxOrders];
#define terms_of(i) all_terms[i]
#define customer_of(i) all_customers[i]
#else
struct order {
  struct terms terms;
  struct customer customer;
};
static _Alignas(4096) struct order orders[kMaxOrders];
#define terms_of(i) orders[i].terms
#define customer_of(i) orders[i].customer
#endif

static void fill(uint32_t size) {
  for (uint32_t i = 0; i < size; ++i) {
    terms_of(i).price = i % 997;
    terms_of(i).quantity = i % 13;
    customer_of(i).account = i;
  }
}

__attribute__((noipa)) static uint64_t turnover(uint32_t size) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < size; ++i) sum += (uint64_t)terms_of(i).price * terms_of(i).quantity;
  return sum;
}

int main(int count, char** arguments) {
  uint32_t size = count > 1 ? (uint32_t)atoi(arguments[1]) : kMaxOrders;
  if (size == 0 || size > kMaxOrders) return 1;
  fill(size);
  uint64_t sum = 0;
  for (int pass = 0; pass < kPasses; ++pass) sum = sum * 3 + turnover(size);
  printf("%lu\n", (unsigned long)(sum + customer_of(size - 1).account));
  return 0;
}
