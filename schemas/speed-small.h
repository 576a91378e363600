/* An order of the shape of protobuf's small benchmark message: 228 bytes. Bounds are those of the values. */
#ifndef ORDER_H
#define ORDER_H

#include <stdbool.h>
#include <stdint.h>

/* 136 bytes. */
struct Delivery {
  int32_t zone;
  int32_t route;
  int32_t stop;
  bool signed_for;
  int64_t left_at;
  int64_t due_at;
  uint32_t attempts;
  uint64_t tracking;
  float weight;
  uint32_t depot;
  bool has_zone;
  bool has_route;
  bool has_stop;
  bool has_address;
  bool has_signed_for;
  bool has_left_at;
  bool has_due_at;
  bool has_attempts;
  bool has_tracking;
  bool has_weight;
  bool has_depot;
  bool has_insured;
  bool has_partner;
  bool insured;
  char address[56];
  char partner[8];
};

/* 456 bytes, and 8 for each of serials. */
struct Order {
  bool has_reference;
  bool has_note;
  bool has_coupon;
  bool has_lines;
  bool has_cents;
  bool has_discount;
  bool has_placed_at;
  bool has_changed_at;
  bool has_customer;
  bool has_paid;
  bool has_gift;
  bool has_express;
  bool has_business;
  bool has_delivery;
  bool has_email;
  bool has_shelf;
  bool has_checksum;
  bool has_offset;
  bool has_tax;
  bool has_rate;
  bool has_ledger;
  bool has_balance;
  bool has_session;
  bool has_token;
  bool has_priority;
  bool has_channel;
  bool has_language;
  bool has_currency;
  bool has_retries;
  bool has_version;
  bool has_campaign;
  bool has_test;
  int32_t lines;
  int32_t cents;
  int32_t discount;
  int64_t placed_at;
  int64_t changed_at;
  bool paid;
  bool gift;
  bool express;
  bool business;
  uint32_t shelf;
  uint32_t checksum;
  int32_t offset;
  float tax;
  double rate;
  int64_t ledger;
  int64_t balance;
  uint64_t session;
  int32_t priority;
  int32_t channel;
  int32_t retries;
  int32_t version;
  int32_t campaign;
  bool test;
  char reference[8];
  char note[104];
  char coupon[8];
  char customer[16];
  char email[8];
  char language[8];
  char currency[8];
  struct { uint32_t size; uint8_t bytes[4]; } token;
  struct Delivery delivery;
  uint32_t serials_count;
  __extension__ uint64_t serials[];
};

#endif
