/* SPDX-License-Identifier: MIT
   Offsets for switch.S; core_offsets_check.cc compares them with core.h. */
#pragma once

#define CORE_REGISTER(number) (16 + 8 * (number))
#define CORE_FLAGS 144
#define CORE_IP 152
#define CORE_VECTORS 176
#define CORE_TICK 240
#define CORE_ENGINE_STACK 264
#define CORE_EXIT 272
#define CORE_RESUME 280
#define CORE_ATTENTION 288
#define CORE_CHECKS_ALIGNMENT 296
#define CORE_THUNK_FLAGS 304
#define CORE_NOWHERE 62016

/* Offsets into Context, for a system call. */
#define CONTEXT_REGISTER(number) (8 * (number))
#define CONTEXT_VECTORS 160
/* Offset into StartInfo. */
#define START_VECTORS 168
/* Offset into Thread. */
#define THREAD_STACK 0
/* Number of bits of r11 that describe the access; the ticks are above them. */
#define ACCESS_BITS 17
/* Bits that describe a branch: its kind below these shifts, then whether it was taken, then the instruction's
   length. */
#define BRANCH_TAKEN_SHIFT 3
#define BRANCH_LENGTH_SHIFT 4
/* Number of bits of r11 that hold the ticks of a fetch; the line's index in its page is above them. */
#define FETCH_TICK_BITS 12
/* Bits of rflags. */
#define ALIGNMENT_CHECK 0x40000
#define NESTED_TASK 0x4000
#define IDENTIFICATION 0x200000
/* Offset into UserContext. */
#define USER_CONTEXT_FLAGS 176
