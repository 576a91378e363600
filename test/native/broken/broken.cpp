int main() { return no_such_thing; }
