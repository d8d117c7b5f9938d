#pragma once

namespace taquin {

// Asks for memory that will be read soon. Always inlined: a compiler that looks at it as a function
// finds that it does nothing, and leaves calls of it out (seen with GCC 12).
#if defined(__GNUC__)
[[gnu::always_inline]] inline void prefetch(const void* address) {
  __builtin_prefetch(address);
}
#else
inline void prefetch(const void*) {}
#endif

}  // namespace taquin
