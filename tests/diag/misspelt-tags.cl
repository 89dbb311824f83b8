// Misspelt words in front of a tag: what follows is declared, and has no second error.
strcut point { float x, y; };
typedef strcut point point_t;
strut inner;
unoin word { int i; float f; };
enm colour { RED, GREEN };
typedef struct point near;
kernel void k(global float *o, strcut point p) {
    strcut local_record { int a; } s;
    s.a = GREEN;
    strcut point q = p;
    const strcut point r = p;
    union word w;
    w.i = s.a;
    o[0] = q.x + r.y + w.f;
    neer t;
    stranger u;
    for (strcut point v = p; v.x < 1; v.x += 1) o[1] = v.x;
}
unsigned foo int y;
void parameters(unsigned foo int y);
struct members { unsigned foo int y; };
void block(void) { unsigned foo int y; }
