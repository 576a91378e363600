/* The published packet of 1116 bytes, >ii1108s in Python. Bounds are those of the values. */
#ifndef PACKET_H
#define PACKET_H

#include <stdbool.h>
#include <stdint.h>

/* 1120 bytes. */
struct Packet {
  int32_t kind;
  int32_t sender;
  char text[1112];
};

#endif
