/* Binds hypot and hypotf, which a shader compiler calls, to the versions of 2002. glibc 2.35 gave them new ones, which differ in errno
   alone, and a program that is linked there would ask for 2.35 by these two. Hidden: glibc itself must not find these here. */
__asm__(".symver old_hypot, hypot@GLIBC_2.2.5");
__asm__(".symver old_hypotf, hypotf@GLIBC_2.2.5");
double old_hypot(double, double);
float old_hypotf(float, float);
__attribute__((visibility("hidden"))) double hypot(double x, double y) { return old_hypot(x, y); }
__attribute__((visibility("hidden"))) float hypotf(float x, float y) { return old_hypotf(x, y); }
