// OpenCL C 2.0, 6.11: attributes whose syntax is wrong.
int __attribute__(aligned(8)) one_paren;      // 1.11-1
int a;
int __attribute__((8)) number;                // 1.11-1
int b;
int __attribute__((aligned(8) packed)) comma; // 1.11-1
int c;
