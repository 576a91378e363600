// Answers 1 or 0 for each message: whether the official Verifier accepts it. A message is its length, 4 bytes, and its bytes.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include "official_generated.h"

int main() {
  uint32_t length;
  while (fread(&length, 4, 1, stdin) == 1) {
    // Aligned, as the Verifier wants it.
    uint8_t *bytes = static_cast<uint8_t *>(aligned_alloc(64, (length / 64 + 1) * 64));
    if (length > 0 && fread(bytes, length, 1, stdin) != 1) return 1;
    flatbuffers::Verifier verifier(bytes, length);
    putchar(VerifyRootBuffer(verifier) ? '1' : '0');
    free(bytes);
  }
}
