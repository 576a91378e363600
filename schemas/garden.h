/* The garden of the dataset of that name: a nested dictionary of game data, its lists and maps. Bounds are those of the values. */
#ifndef GARDEN_H
#define GARDEN_H

#include <stdbool.h>
#include <stdint.h>

/* 24 bytes. */
struct Goods {
  uint32_t price;
  double off;
  char name[8];
};

/* 32 bytes. */
struct Garden_shop_entry {
  char key[8];
  struct Goods value;
};

/* 12 bytes. */
struct Garden_bag_entry {
  char key[8];
  uint32_t value;
};

/* 12 bytes. */
struct Plot_crop_entry {
  char key[8];
  uint32_t value;
};

/* 64 bytes. */
struct Plot {
  double grown;
  char plant[8];
  uint32_t size_count;
  uint32_t size[1];
  uint32_t crop_count;
  struct Plot_crop_entry crop[3];
};

/* 72 bytes. */
struct Garden_plots_entry {
  char key[8];
  struct Plot value;
};

/* 408 bytes, and 72 for each of plots. */
struct Garden {
  uint32_t level;
  bool open;
  char owner[16];
  uint32_t gate_count;
  uint32_t gate[2];
  uint32_t shop_count;
  struct Garden_shop_entry shop[5];
  uint32_t bag_count;
  struct Garden_bag_entry bag[8];
  uint32_t visits_count;
  uint32_t visits[24];
  uint32_t plots_count;
  __extension__ struct Garden_plots_entry plots[];
};

#endif
