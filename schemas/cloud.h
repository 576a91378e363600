/* A laser scanner's points, each a message of four floats. Bounds are those of the values. */
#ifndef CLOUD_H
#define CLOUD_H

#include <stdbool.h>
#include <stdint.h>

/* 16 bytes. */
struct Point {
  float x;
  float y;
  float z;
  float intensity;
};

/* 40 bytes, and 16 for each of points. */
struct Cloud {
  uint32_t sequence;
  uint64_t stamp;
  char source[16];
  uint32_t points_count;
  __extension__ struct Point points[];
};

#endif
