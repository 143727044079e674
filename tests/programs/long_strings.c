// SPDX-License-Identifier: MIT
// Copies 256 KiB 40 times, each time by one instruction: loads and stores 4096 lines each.
static char from[256 << 10] __attribute__((aligned(4096))), to[256 << 10] __attribute__((aligned(4096)));

int main(void) {
  for (int i = 0; i < 40; ++i) {
    void *source = from, *destination = to;
    unsigned long count = sizeof(from);
    __asm__ volatile("rep movsb" : "+S"(source), "+D"(destination), "+c"(count) : : "memory");
  }
  return 0;
}
