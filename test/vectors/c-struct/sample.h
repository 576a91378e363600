#ifndef SAMPLE_H
#define SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ROWS 2
#define COLUMNS (ROWS + 1)

enum color { RED, GREEN = 5, BLUE, DARK = -1 };

struct scalars {
  char c;
  long long ll;
  signed char sc;
  short s;
  unsigned char uc;
  int i;
  bool b;
  double d;
  unsigned short us;
  float f;
  uint8_t u8;
  size_t z;
  enum color e;
};

typedef struct {
  char tag;
  struct {
    int16_t x, y;
  } at;
} point;

struct nested {
  uint8_t first;
  point points[2];
  int32_t grid[ROWS][COLUMNS];
  char names[2][4];
  uint64_t last;
  uint8_t raw[3];
};

struct optional {
  bool has_id;
  uint32_t id;
  bool has_name;
  char name[8];
  bool has_data;
  struct {
    uint32_t size;
    uint8_t bytes[6];
  } data;
  uint16_t scores_count;
  double scores[3];
};

struct samples {
  int8_t size;
  struct optional items[];
};

struct packet {
  int64_t id;
  uint16_t length;
  uint8_t payload[];
};

#endif
