// SPDX-License-Identifier: MIT
// io_ring ROUNDS: as reading.c, with io_uring(7): one submission, and a wait for its completion, for each
// page. Ends with 77 if the kernel refuses io_uring.
#include <fcntl.h>
#include <linux/io_uring.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { kPage = 4096, kPages = 1024, kRefused = 77 };

static _Alignas(kPage) char memory[kPages][kPage];

static char* map(int ring, size_t bytes, off_t offset) {
  return mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, ring, offset);
}

static uint32_t* word(char* ring, uint32_t offset) { return (uint32_t*)(ring + offset); }

int main(int count, char** words) {
  struct io_uring_params made = {0};
  int zeros = open("/dev/zero", O_RDONLY), ring = (int)syscall(SYS_io_uring_setup, 1, &made);
  if (count != 2 || zeros < 0) return 2;
  if (ring < 0) return kRefused;
  char* submissions = map(ring, made.sq_off.array + sizeof(uint32_t), IORING_OFF_SQ_RING);
  char* completions =
      map(ring, made.cq_off.cqes + made.cq_entries * sizeof(struct io_uring_cqe), IORING_OFF_CQ_RING);
  struct io_uring_sqe* entry = (struct io_uring_sqe*)map(ring, sizeof(*entry), IORING_OFF_SQES);
  long rounds = strtol(words[1], NULL, 10);
  for (long round = 0; round < rounds; ++round) {
    entry->opcode = IORING_OP_READ;
    entry->fd = zeros;
    entry->addr = (uint64_t)memory[round % kPages];
    entry->len = kPage;
    entry->user_data = (uint64_t)round;
    __atomic_store_n(word(submissions, made.sq_off.tail), (uint32_t)(round + 1), __ATOMIC_RELEASE);
    if (syscall(SYS_io_uring_enter, ring, 1, 1, IORING_ENTER_GETEVENTS, NULL, 0) != 1) return 1;
    __atomic_store_n(word(completions, made.cq_off.head), (uint32_t)(round + 1), __ATOMIC_RELEASE);
  }
  return 0;
}
