/* SPDX-License-Identifier: MIT */
/* Test data for the tests of data types, in C. */
#include "data.h"

struct data_order orders[100];
static long matrix[4][5] = {{1}};
data_pair pairs[10];
char bytes[64];
const volatile int constant = 7;

struct data_order* next_of(struct data_order* order) {
  return order->next;
}
double price_of(const struct data_order* order) { return order->lines[1].price; }
long value_behind(struct data_order* order) { return order->next->next->lines[0].id; }
int state_at(struct data_order* all, long index) { return all[index].state; }
long global_value(int i) { return pairs[i].value; }
char byte_of(const char* text) { return text[3]; }
int counted(void) {
  static int calls;
  return ++calls;
}
long on_stack(int count) {
  volatile data_pair local[8];
  for (int i = 0; i < count; ++i) local[i].value = matrix[i & 3][i & 1];
  return local[count & 7].value;
}
int main(int count, char** words) {
  orders[0].next = &orders[1];
  return (int)on_stack(count) + counted() + words[0][0] + constant;
}
