/* Prints the layout of the structs in sample.h, and the bytes of some values, as JSON. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../../schemas/tellist.h"
#include "sample.h"

static void hex(const char *name, const void *at, size_t size, const char *end) {
  printf("    \"%s\": \"", name);
  for (size_t i = 0; i < size; i++) printf("%02x", ((const unsigned char *)at)[i]);
  printf("\"%s\n", end);
}

static const char *separator;

#define HEAD(type, name) \
  (separator = "", printf("    \"%s\": { \"size\": %zu, \"align\": %zu, \"offsets\": {", name, sizeof(type), _Alignof(type)))
#define MEMBER(type, member) \
  (printf("%s \"%s\": %zu", separator, #member, offsetof(type, member)), separator = ",")
#define TAIL(end) printf(" } }" end "\n")

int main(void) {
  printf("{\n  \"layouts\": {\n");
  HEAD(struct scalars, "scalars");
  MEMBER(struct scalars, c), MEMBER(struct scalars, ll), MEMBER(struct scalars, sc), MEMBER(struct scalars, s);
  MEMBER(struct scalars, uc), MEMBER(struct scalars, i), MEMBER(struct scalars, b), MEMBER(struct scalars, d);
  MEMBER(struct scalars, us), MEMBER(struct scalars, f), MEMBER(struct scalars, u8), MEMBER(struct scalars, z);
  MEMBER(struct scalars, e);
  TAIL(",");
  HEAD(point, "point");
  MEMBER(point, tag), MEMBER(point, at);
  TAIL(",");
  HEAD(struct nested, "nested");
  MEMBER(struct nested, first), MEMBER(struct nested, points), MEMBER(struct nested, grid);
  MEMBER(struct nested, names), MEMBER(struct nested, last), MEMBER(struct nested, raw);
  TAIL(",");
  HEAD(struct optional, "optional");
  MEMBER(struct optional, has_id), MEMBER(struct optional, id), MEMBER(struct optional, has_name);
  MEMBER(struct optional, name), MEMBER(struct optional, has_data), MEMBER(struct optional, data);
  MEMBER(struct optional, scores_count), MEMBER(struct optional, scores);
  TAIL(",");
  HEAD(struct samples, "samples");
  MEMBER(struct samples, size), MEMBER(struct samples, items);
  TAIL(",");
  HEAD(struct packet, "packet");
  MEMBER(struct packet, id), MEMBER(struct packet, length), MEMBER(struct packet, payload);
  TAIL(",");
  HEAD(personal_info, "personal_info");
  MEMBER(personal_info, id), MEMBER(personal_info, age), MEMBER(personal_info, gender);
  MEMBER(personal_info, phone_num), MEMBER(personal_info, name);
  TAIL(",");
  HEAD(personal_info_list, "personal_info_list");
  MEMBER(personal_info_list, size), MEMBER(personal_info_list, info);
  TAIL("");
  printf("  },\n  \"bytes\": {\n");

  struct scalars *scalars = calloc(1, sizeof *scalars);
  scalars->c = -1, scalars->ll = -5000000000LL, scalars->sc = -128, scalars->s = -300, scalars->uc = 255;
  scalars->i = 70000, scalars->b = true, scalars->d = -0.1, scalars->us = 65535, scalars->f = 1.5f;
  scalars->u8 = 7, scalars->z = 9007199254740991ULL, scalars->e = DARK;
  hex("scalars", scalars, sizeof *scalars, ",");

  struct nested *nested = calloc(1, sizeof *nested);
  nested->first = 1;
  nested->points[0].tag = 'a', nested->points[0].at.x = -2, nested->points[0].at.y = 3;
  nested->points[1].tag = 'b', nested->points[1].at.x = 4, nested->points[1].at.y = -5;
  for (int row = 0; row < ROWS; row++)
    for (int column = 0; column < COLUMNS; column++) nested->grid[row][column] = row * 10 + column;
  strcpy(nested->names[0], "abc"), strcpy(nested->names[1], "\xc3\xa9");
  nested->last = 1ULL << 52;
  memcpy(nested->raw, "\x01\x00\xff", 3);
  hex("nested", nested, sizeof *nested, ",");

  struct samples *samples = calloc(1, offsetof(struct samples, items) + 2 * sizeof(struct optional));
  samples->size = 2;
  samples->items[1].has_id = true, samples->items[1].id = 0;
  samples->items[1].has_name = true, strcpy(samples->items[1].name, "seven!!");
  samples->items[1].has_data = true, samples->items[1].data.size = 2;
  memcpy(samples->items[1].data.bytes, "\x00\x09", 2);
  samples->items[1].scores_count = 2, samples->items[1].scores[0] = 0.5, samples->items[1].scores[1] = -1e300;
  hex("samples", samples, offsetof(struct samples, items) + 2 * sizeof(struct optional), ",");

  /* A message is never shorter than the struct, so that a copy of the struct stays within it. */
  struct packet *packet = calloc(1, sizeof *packet);
  packet->id = -1, packet->length = 3;
  memcpy(packet->payload, "\x01\x02\x03", 3);
  hex("packet", packet, sizeof *packet, ",");

  enum { PEOPLE = 37 };
  size_t size = sizeof(personal_info_list) + PEOPLE * sizeof(personal_info);
  personal_info_list *list = calloc(1, size);
  list->size = PEOPLE;
  for (int i = 0; i < PEOPLE; i++) {
    list->info[i].id = i;
    sprintf(list->info[i].name, "name-%d", i);
    list->info[i].age = 20 + i;
    list->info[i].gender = i % 3;
    list->info[i].phone_num = 13800000000ULL + i;
  }
  hex("personal_info_list", list, size, "");
  printf("  }\n}\n");
  return 0;
}
