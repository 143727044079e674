// SPDX-License-Identifier: MIT
// plugged(n) executes 4n + 2 instructions: n + 1 loads and n stores among them.
static long cells[2] __attribute__((used));

__asm__(
    ".text\n"
    ".globl plugged\n.type plugged, @function\n"
    "plugged:\tmov %rdi, %rcx\n"
    "1:\tmov cells(%rip), %rax\n\tmov %rax, cells+8(%rip)\n\tdec %rcx\n\tjnz 1b\n\tret\n"
    ".size plugged, .-plugged\n");
