/* A camera's picture: a small header and one field of bytes. Bounds are those of a picture of 6,500,000 bytes. */
#ifndef FRAME_H
#define FRAME_H

#include <stdbool.h>
#include <stdint.h>

/* 32 bytes. */
struct Header {
  uint32_t sequence;
  uint64_t stamp;
  char source[16];
};

/* 6500056 bytes. */
struct Frame {
  uint32_t width;
  uint32_t height;
  char encoding[8];
  struct { uint32_t size; uint8_t bytes[6500000]; } data;
  struct Header header;
};

#endif
