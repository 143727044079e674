// SPDX-License-Identifier: MIT
// Transposes and products of square matrices of doubles. The stride is the distance of two rows in bytes.
#include "kernels.h"

enum { kBlock = 8 };

static size_t row_length(const struct workspace* work) { return work->kernel->stride / sizeof(double); }

// `elements` is the number of rows and of columns: the largest multiple of 256 that a row has space for.
void set_up_transpose(struct workspace* work) {
  set_up_copy(work);
  work->elements = row_length(work) / 256 * 256;
}

NOT_INLINED uint64_t transpose(struct workspace* work, uint64_t accesses) {
  const size_t side = work->elements, row = row_length(work);
  const double* from = (const double*)work->memory;
  double* to = (double*)work->more;
  for (uint64_t done = 0; done < accesses; done += side) {
    const size_t i = work->position;
    for (size_t j = 0; j < side; ++j) to[i * row + j] = from[j * row + i];
    work->position = (i + 1) % side;
  }
  return accesses;
}

NOT_INLINED uint64_t transpose_blocked(struct workspace* work, uint64_t accesses) {
  const size_t side = work->elements, row = row_length(work);
  const double* from = (const double*)work->memory;
  double* to = (double*)work->more;
  for (uint64_t done = 0; done < accesses; done += side * kBlock) {
    const size_t top = work->position;
    for (size_t left = 0; left < side; left += kBlock) {
      for (size_t i = top; i < top + kBlock; ++i) {
        for (size_t j = left; j < left + kBlock; ++j) to[i * row + j] = from[j * row + i];
      }
    }
    work->position = (top + kBlock) % side;
  }
  return accesses;
}

void set_up_product(struct workspace* work) {
  set_up_bytes(work);
  work->elements = row_length(work);
  work->more = map_memory(work->kernel->bytes, false);
  work->third = map_memory(work->kernel->bytes, false);
}

// One access of a product is one step of its innermost loop.
NOT_INLINED uint64_t product_ijk(struct workspace* work, uint64_t accesses) {
  const size_t side = work->elements;
  const double *a = (const double*)work->memory, *b = (const double*)work->more;
  double* c = (double*)work->third;
  for (uint64_t done = 0; done < accesses; done += side * side) {
    const size_t i = work->position;
    for (size_t j = 0; j < side; ++j) {
      double sum = 0;
      for (size_t k = 0; k < side; ++k) sum += a[i * side + k] * b[k * side + j];
      c[i * side + j] = sum;
    }
    work->position = (i + 1) % side;
  }
  return accesses;
}

NOT_INLINED uint64_t product_ikj(struct workspace* work, uint64_t accesses) {
  const size_t side = work->elements;
  const double *a = (const double*)work->memory, *b = (const double*)work->more;
  double* c = (double*)work->third;
  for (uint64_t done = 0; done < accesses; done += side * side) {
    const size_t i = work->position;
    for (size_t k = 0; k < side; ++k) {
      const double factor = a[i * side + k];
      for (size_t j = 0; j < side; ++j) c[i * side + j] += factor * b[k * side + j];
    }
    work->position = (i + 1) % side;
  }
  return accesses;
}
