// OPTIONS: -Wconversion
enum E { a = 1, b = sizeof(char[1 + (enum E)a]) };
constant char c = (enum F)300;
constant int table[2] = {(enum plain)1, 2};
enum F { f };
constant char complete = (enum F)300;
