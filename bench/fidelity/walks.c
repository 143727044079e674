// SPDX-License-Identifier: MIT
// Walks through memory in order: loads, stores and copies.
#include <immintrin.h>
#include <string.h>

#include "kernels.h"

NOT_INLINED uint64_t scan_words(struct workspace* work, uint64_t accesses) {
  const uint64_t count = work->kernel->bytes / sizeof(uint64_t);
  uint64_t sum = 0, begin = 0;
  while (accesses != 0) {
    uint64_t length = next_piece(work, count, &accesses, &begin);
    const uint64_t* words = (const uint64_t*)work->memory + begin;
    for (uint64_t i = 0; i < length; ++i) {
      sum += words[i];
      OPAQUE(sum);
    }
  }
  return sum;
}

__attribute__((target("avx2"))) NOT_INLINED uint64_t scan_vectors(struct workspace* work, uint64_t accesses) {
  const uint64_t count = work->kernel->bytes / sizeof(__m256i);
  __m256i sum = _mm256_setzero_si256(), other = sum;
  uint64_t begin = 0;
  while (accesses != 0) {
    uint64_t length = next_piece(work, count, &accesses, &begin);
    const __m256i* vectors = (const __m256i*)work->memory + begin;
    for (uint64_t i = 0; i + 1 < length; i += 2) {
      sum = _mm256_add_epi64(sum, _mm256_load_si256(vectors + i));
      other = _mm256_add_epi64(other, _mm256_load_si256(vectors + i + 1));
    }
  }
  return (uint64_t)_mm256_extract_epi64(_mm256_add_epi64(sum, other), 0);
}

// A pass of a stride takes one line of each step, and the next pass the line behind it: no line is used twice
// before all others were used.
NOT_INLINED uint64_t stride_up(struct workspace* work, uint64_t accesses) {
  const size_t stride = work->kernel->stride;
  uint64_t sum = 0, offset = work->position;
  for (uint64_t i = 0; i < accesses; ++i) {
    sum += *(const uint64_t*)(work->memory + offset);
    OPAQUE(sum);
    offset += stride;
    if (offset >= work->kernel->bytes) offset = (offset + kLineBytes) % stride / kLineBytes * kLineBytes;
  }
  work->position = offset;
  return sum;
}

NOT_INLINED uint64_t stride_down(struct workspace* work, uint64_t accesses) {
  const size_t stride = work->kernel->stride;
  uint64_t sum = 0;
  int64_t last = (int64_t)(work->kernel->bytes - kLineBytes), offset = last - (int64_t)work->position;
  for (uint64_t i = 0; i < accesses; ++i) {
    sum += *(const uint64_t*)(work->memory + offset);
    OPAQUE(sum);
    offset -= (int64_t)stride;
    if (offset < 0) offset = last;
  }
  work->position = (uint64_t)(last - offset);
  return sum;
}

NOT_INLINED uint64_t store_words(struct workspace* work, uint64_t accesses) {
  const uint64_t count = work->kernel->bytes / sizeof(uint64_t);
  uint64_t begin = 0;
  while (accesses != 0) {
    uint64_t length = next_piece(work, count, &accesses, &begin);
    uint64_t* words = (uint64_t*)work->memory + begin;
    for (uint64_t i = 0; i < length; ++i) {
      words[i] = i;
      STORED();
    }
  }
  return begin;
}

NOT_INLINED uint64_t store_non_temporal(struct workspace* work, uint64_t accesses) {
  const uint64_t count = work->kernel->bytes / sizeof(uint64_t);
  uint64_t begin = 0;
  while (accesses != 0) {
    uint64_t length = next_piece(work, count, &accesses, &begin);
    long long* words = (long long*)work->memory + begin;
    for (uint64_t i = 0; i < length; ++i) _mm_stream_si64(words + i, (long long)i);
  }
  _mm_sfence();
  return begin;
}

NOT_INLINED uint64_t increment_words(struct workspace* work, uint64_t accesses) {
  const uint64_t count = work->kernel->bytes / sizeof(uint64_t);
  uint64_t begin = 0;
  while (accesses != 0) {
    uint64_t length = next_piece(work, count, &accesses, &begin);
    uint64_t* words = (uint64_t*)work->memory + begin;
    for (uint64_t i = 0; i < length; ++i) {
      ++words[i];
      STORED();
    }
  }
  return begin;
}

// An access of the next three kernels is a line of 64 bytes.
NOT_INLINED uint64_t fill_lines(struct workspace* work, uint64_t accesses) {
  const uint64_t count = work->kernel->bytes / kLineBytes;
  uint64_t begin = 0;
  while (accesses != 0) {
    uint64_t length = next_piece(work, count, &accesses, &begin);
    memset(work->memory + begin * kLineBytes, 1, length * kLineBytes);
    STORED();
  }
  return begin;
}

NOT_INLINED uint64_t copy_lines(struct workspace* work, uint64_t accesses) {
  const uint64_t count = work->kernel->bytes / 2 / kLineBytes;
  uint64_t begin = 0;
  while (accesses != 0) {
    uint64_t length = next_piece(work, count, &accesses, &begin);
    memcpy(work->memory + begin * kLineBytes, work->more + begin * kLineBytes, length * kLineBytes);
    STORED();
  }
  return begin;
}

NOT_INLINED uint64_t copy_by_instruction(struct workspace* work, uint64_t accesses) {
  const uint64_t count = work->kernel->bytes / 2 / kLineBytes;
  uint64_t begin = 0;
  while (accesses != 0) {
    uint64_t bytes = next_piece(work, count, &accesses, &begin) * kLineBytes;
    char *to = work->memory + begin * kLineBytes, *from = work->more + begin * kLineBytes;
    __asm__ volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes)::"memory");
  }
  return begin;
}
