#pragma once

#include <cstdio>
#include <cstdlib>

// Like assert, but also in release builds.
#define CHECK(...)                                                                     \
  do {                                                                                 \
    if (!(__VA_ARGS__)) {                                                              \
      std::fprintf(stderr, "%s:%d: not true: %s\n", __FILE__, __LINE__, #__VA_ARGS__); \
      std::exit(1);                                                                    \
    }                                                                                  \
  } while (false)

#define CHECK_THROWS(Exception, ...) \
  do {                               \
    bool thrown = false;             \
    try {                            \
      (void)(__VA_ARGS__);           \
    } catch (const Exception&) {     \
      thrown = true;                 \
    }                                \
    CHECK(thrown);                   \
  } while (false)
