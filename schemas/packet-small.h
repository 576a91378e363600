/* The published packet of 6 bytes, >ih in Python. Bounds are those of the values. */
#ifndef PACKET_H
#define PACKET_H

#include <stdbool.h>
#include <stdint.h>

/* 8 bytes. */
struct Packet {
  int32_t kind;
  int16_t level;
};

#endif
