#pragma once

namespace taquin {

// Asks for memory that will be read soon.
inline void prefetch([[maybe_unused]] const void* address) {
#if defined(__GNUC__)
  __builtin_prefetch(address);
#endif
}

}  // namespace taquin
