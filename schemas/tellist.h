#ifndef TELLIST_H
#define TELLIST_H

typedef enum gender_type { MALE = 0, FEMALE = 1, OTHER = 2 } gender_type;

typedef struct personal_info {
  unsigned id;
  unsigned char age;
  char gender; /* gender_type */
  unsigned long long phone_num;
  char name[32];
} personal_info;

typedef struct personal_info_list {
  int size;
  personal_info info[0];
} personal_info_list;

#endif
