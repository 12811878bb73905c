/* SPDX-License-Identifier: MIT */
#include "watcher.h"

#include <stdint.h>
#include <string.h>

#ifdef __has_feature
#if __has_feature(memory_sanitizer)
#define COMPILED_IN 1
#endif
#endif

#if defined(COMPILED_IN)

#include <sanitizer/msan_interface.h>

const char *__msan_default_options(void);

#define TEXT(number)        TEXT_OF(number)
#define TEXT_OF(expression) #expression

const char *__msan_default_options(void)
{
    return "exitcode=" TEXT(WATCHER_REPORTED);
}

bool watcher_present(const char **why)
{
    (void)why;
    return true;
}

void watcher_make_secret(void *bytes, size_t count)
{
    __msan_poison(bytes, count);
}

void watcher_make_public(void *bytes, size_t count)
{
    __msan_unpoison(bytes, count);
}

bool watcher_all_secret(const void *bytes, size_t count)
{
    const char *const byte = bytes;

    for (size_t i = 0; i < count; i++) {
        if (__msan_test_shadow(byte + i, 1) != 0) { /* else -1: defined */
            return false;
        }
    }
    return true;
}

bool watcher_reported(void)
{
    return false; /* or the process would have ended */
}

#elif __has_include(<valgrind/memcheck.h>)

#include <valgrind/memcheck.h>

bool watcher_present(const char **why)
{
    *why = "run it under valgrind";
    return RUNNING_ON_VALGRIND;
}

void watcher_make_secret(void *bytes, size_t count)
{
    (void)VALGRIND_MAKE_MEM_UNDEFINED(bytes, count);
}

void watcher_make_public(void *bytes, size_t count)
{
    (void)VALGRIND_MAKE_MEM_DEFINED(bytes, count);
}

bool watcher_all_secret(const void *bytes, size_t count)
{
    const char *const byte = bytes;
    uint8_t undefined_bits[1024];
    size_t some = 0;

    for (size_t done = 0; done < count; done += some) {
        some =
            count - done < sizeof undefined_bits ? count - done : sizeof undefined_bits;
        if (VALGRIND_GET_VBITS(byte + done, undefined_bits, some) != 1 ||
            memchr(undefined_bits, 0, some) != NULL) {
            return false;
        }
    }
    return true;
}

bool watcher_reported(void)
{
    return VALGRIND_COUNT_ERRORS > 0;
}

#else

bool watcher_present(const char **why)
{
    *why = "this build did not find valgrind/memcheck.h (package valgrind)";
    return false;
}

void watcher_make_secret(void *bytes, size_t count)
{
    (void)bytes;
    (void)count;
}

void watcher_make_public(void *bytes, size_t count)
{
    (void)bytes;
    (void)count;
}

bool watcher_all_secret(const void *bytes, size_t count)
{
    (void)bytes;
    return count == 0;
}

bool watcher_reported(void)
{
    return false;
}

#endif
