// PASS hands a function on to the real library, whatever its arguments are.
// Functions that the other files define go before it.
#pragma once
#include "shim.h"

#if defined(__x86_64__)
#define JUMP(name) "jmp *slot_" #name "(%rip)\n"
#elif defined(__aarch64__)
#define JUMP(name) "adrp x16, slot_" #name "\nldr x16, [x16, :lo12:slot_" #name "]\nbr x16\n"
#endif

#define PASS(name)                                                                     \
	__attribute__((visibility("hidden"))) void *slot_##name;                           \
	__attribute__((constructor)) static void fill_##name(void) { slot_##name = real(#name); } \
	__asm__(".text\n.weak " #name "\n.type " #name ", %function\n" #name ":\n" JUMP(name));
