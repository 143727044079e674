# SPDX-License-Identifier: MIT
# Functions of hand-written assembler with labels in them, a function without type and size, and one after it.
  .text
  .globl typed
  .type typed, @function
typed:
  mov %rdi, %rax
inner_loop:
  dec %rax
  jnz inner_loop
.Lhidden:
  ret
  .size typed, .-typed
  .globl bare
bare:
  mov %rsi, %rax
  ret
local_function:
  ret
  .globl unwound
unwound:
  .cfi_startproc
  mov %rdx, %rax
unwound_loop:
  dec %rax
  jnz unwound_loop
  ret
  .cfi_endproc
  .globl main
  .type main, @function
main:
  xor %eax, %eax
  ret
  .size main, .-main
  .section .note.GNU-stack, "", @progbits
