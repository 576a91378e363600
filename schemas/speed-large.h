/* A guide of the shape of protobuf's large benchmark message: 84,584 bytes. Bounds are those of the values. */
#ifndef GUIDE_H
#define GUIDE_H

#include <stdbool.h>
#include <stdint.h>

/* 48 bytes. */
struct Rating {
  bool has_taste;
  bool has_price;
  bool has_service;
  bool has_hidden;
  bool has_edited;
  bool has_verified;
  bool has_recent;
  bool has_place;
  bool has_paid;
  bool has_trend;
  bool has_votes;
  float taste;
  float price;
  float service;
  bool hidden;
  bool edited;
  bool verified;
  bool recent;
  float place;
  bool paid;
  float trend;
  int64_t votes;
};

/* 344 bytes. */
struct Review {
  bool has_score;
  bool has_weight;
  bool has_text;
  bool has_title;
  bool has_author;
  bool has_age;
  bool has_language;
  bool has_device;
  bool has_place;
  bool has_signature;
  bool has_reports;
  bool has_source;
  bool has_rating;
  float score;
  float weight;
  uint64_t author;
  int32_t age;
  int32_t device;
  int32_t reports;
  char text[176];
  char title[8];
  char language[8];
  char place[8];
  char signature[8];
  char source[8];
  uint32_t answers_count;
  char answers[1][8];
  uint32_t labels_count;
  char labels[1][8];
  uint32_t dishes_count;
  int32_t dishes[1];
  struct Rating rating;
};

/* 1904 bytes, and 344 for each of reviews. */
struct Guide {
  int64_t created_at;
  int64_t edition;
  int64_t printed_at;
  bool has_name;
  bool has_cover;
  bool has_created_at;
  bool has_edition;
  bool has_printed_at;
  bool has_editor;
  bool has_seed;
  bool has_quality;
  bool has_pages;
  bool has_region;
  bool has_draft;
  bool has_copies;
  bool has_volume;
  bool has_checked_at;
  bool has_closed;
  bool has_public_;
  bool has_discount;
  int32_t seed;
  float quality;
  int32_t pages;
  int32_t region;
  bool draft;
  int32_t copies;
  int32_t volume;
  int64_t checked_at;
  bool closed;
  bool public_;
  float discount;
  char name[8];
  char editor[8];
  struct { uint32_t size; uint8_t bytes[1748]; } cover;
  uint32_t topics_count;
  char topics[1][8];
  uint32_t sources_count;
  char sources[1][8];
  uint32_t chapters_count;
  int64_t chapters[1];
  uint32_t reviews_count;
  __extension__ struct Review reviews[];
};

#endif
