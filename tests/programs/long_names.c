// SPDX-License-Identifier: MIT
// Misses in a function, on an object and in fields with names of 300 letters without a blank, from a source
// file with a path as long: a view with them must not become wider than its window. Two threads share a line
// of the object.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>

#define JOIN_AS_IT_IS(a, b) a##b
#define JOIN(a, b) JOIN_AS_IT_IS(a, b)
#define LETTERS_30 of_a_name_that_never_has_blank
#define LETTERS_60 JOIN(LETTERS_30, LETTERS_30)
#define LETTERS_120 JOIN(LETTERS_60, LETTERS_60)
#define LETTERS_240 JOIN(LETTERS_120, LETTERS_120)
#define LETTERS_300 JOIN(LETTERS_240, LETTERS_60)
#define LONG(name) JOIN(name, LETTERS_300)

#line 1 "/a_source_file/in_a_folder_that_has_a_long_name_and_lies_in_others_whose_names_are_no_shorter/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx/long_names.c"
struct LONG(type_) {
  uint64_t LONG(key_);
  uint64_t unused[5];
  uint64_t LONG(value_);
  uint64_t LONG(count_);
};
static struct LONG(type_) LONG(object_)[1 << 15];

__attribute__((noinline)) static uint64_t LONG(look_up_)(uint32_t seed) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < 100000; ++i) {
    struct LONG(type_)* row = &LONG(object_)[(seed + i) * 2654435761u >> 17];
    sum += row->LONG(key_) + row->LONG(value_);
    LONG(object_)[0].LONG(count_) += seed;
  }
  return sum;
}

static void* LONG(thread_)(void* seed) { return (void*)LONG(look_up_)((uint32_t)(uintptr_t)seed); }

int main(void) {
  pthread_t other;
  pthread_create(&other, NULL, LONG(thread_), (void*)1000);
  uint64_t sum = LONG(look_up_)(7);
  void* others = NULL;
  pthread_join(other, &others);
  printf("%llu\n", (unsigned long long)(sum + (uintptr_t)others));
  return 0;
}
