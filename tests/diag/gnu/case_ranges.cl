// Labels that overlap: each range is reported once. OPTIONS: -ferror-limit=0
enum letter { A, B, C = 1 };
void ranges(int x) {
    switch (x) { case 1 ... 5: case 3: case 4 ... 9: case 5: case 2: case 1: case 9 ... 30: case 7 ... 8: ; }
    switch (x) { case 1 ... 3: case 2 ... 5: case 3 ... 6: case 1 ... 10: ; }
    switch (x) { case 5: case 1 ... 10: case 6: case 20 ... 30: case 0 ... 100: case 7: case 8: ; }
    switch (x) { case 1 ... 1: case 1: case 1 ... 1: ; }
    switch (x) { case 3: case 7: case 1 ... 10: case 8 ... 9: case 7: ; }
    switch (x) { case -5 ... -3: case -4: case 9 ... 2: case 5: ; }
}
void values(enum letter x, int y) {
    switch (x) { case A: case 0: case B: case C: case 1: case (int)1: case (enum letter)(B): ; }
    switch (y) { case B: case B: case 4: case 3: case 4: case 3: case 3: ; }
}
