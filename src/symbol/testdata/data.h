/* SPDX-License-Identifier: MIT */
/* The types of data.c and data.cc; the tests refer to them by name. */
#pragma once

struct data_line {
  long id;
  double price;
  char note[16];
};

struct data_order {
  int state;
  struct data_line lines[3];
  unsigned low : 3, high : 5, wide : 20;
  union {
    int number;
    float ratio;
  };
  struct data_order* next;
  short grid[2][3];
};

typedef struct {
  char tag;
  long value;
} data_pair;
