/* SPDX-License-Identifier: MIT
 * What tests of the C API expect: a line on standard output for each thing that is otherwise. */
#ifndef HM_TESTS_CAPI_EXPECT_H
#define HM_TESTS_CAPI_EXPECT_H

#include <errno.h>
#include <hardmeter/hardmeter.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

static atomic_int failures;

#define EXPECT(condition)                                                                                  \
  do {                                                                                                     \
    if (!(condition)) {                                                                                    \
      printf("FAILED: line %d: %s; errno %d; said: %s\n", __LINE__, #condition, errno, hardmeter_error()); \
      ++failures;                                                                                          \
    }                                                                                                      \
  } while (0)

#define EXPECT_FAILURE(call, number, words)             \
  do {                                                  \
    errno = 0;                                          \
    EXPECT((call) == -1);                               \
    EXPECT(errno == (number));                          \
    EXPECT(strstr(hardmeter_error(), (words)) != NULL); \
    EXPECT(strchr(hardmeter_error(), '\n') == NULL);    \
  } while (0)

#endif
