/* The first order of the full equations in scalar C, f64, for a side-by-side measure: gcc -O3 -fno-tree-vectorize.
   The same formulas as packages/hydrology/src/surface/full/reference.ts on an all-wet closed grid without soil.
   Usage: full NROWS NCOLS STEPS DT; prints seconds and the sum of depths. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double G = 9.81, DX = 10, DRY = 1e-6;

static inline double least(double a, double b) { return a < b ? a : b; }
static inline double most(double a, double b) { return a > b ? a : b; }

typedef struct { double mass, before, behind, along; } Flux;

static Flux face(double hL, double zL, double uL, double vL, double hR, double zR, double uR, double vR) {
  Flux out = {0, 0, 0, 0};
  double step = zL - zR, drop = zL + hL - (zR + hR);
  double slideL = most(0, least(step, drop)), slideR = most(0, least(-step, -drop));
  zL -= slideL;
  zR -= slideR;
  double z = least(most(zL, zR), least(zL + hL, zR + hR));
  double sL = most(0, least(zL + hL - z, hL)), sR = most(0, least(zR + hR - z, hR));
  double across = 0;
  if (sL > 0 || sR > 0) {
    double cL = sqrt(G * sL), cR = sqrt(G * sR), first, last;
    if (sR <= 0) {
      first = uL - cL;
      last = uL + 2 * cL;
    } else if (sL <= 0) {
      first = uR - 2 * cR;
      last = uR + cR;
    } else {
      double c = most(0.5 * (cL + cR) + 0.25 * (uL - uR), 0), u = 0.5 * (uL + uR) + cL - cR;
      first = least(uL - cL, u - c);
      last = most(uR + cR, u + c);
    }
    double qL = sL * uL, qR = sR * uR, pL = qL * uL + 0.5 * G * sL * sL, pR = qR * uR + 0.5 * G * sR * sR;
    if (first >= 0) {
      out.mass = qL;
      across = pL;
    } else if (last <= 0) {
      out.mass = qR;
      across = pR;
    } else {
      double width = 1 / (last - first);
      out.mass = (last * qL - first * qR + first * last * (sR - sL)) * width;
      across = (last * pL - first * pR + first * last * (qR - qL)) * width;
    }
  }
  out.before = across + G * (0.5 * (hL + sL) * (z - zL) - hL * slideL);
  out.behind = across + G * (0.5 * (hR + sR) * (z - zR) - hR * slideR);
  out.along = out.mass * (out.mass >= 0 ? vL : vR);
  return out;
}

int main(int argc, char **argv) {
  if (argc != 5) return 64;
  int nrows = atoi(argv[1]), ncols = atoi(argv[2]), steps = atoi(argv[3]);
  double dt = atof(argv[4]), share = dt / DX;
  int stride = ncols + 2, size = (nrows + 2) * stride;
  double *h = calloc(size, 8), *x = calloc(size, 8), *y = calloc(size, 8), *z = calloc(size, 8);
  double *u = calloc(size, 8), *v = calloc(size, 8), *deepest = calloc(size, 8), *fastest = calloc(size, 8);
  Flux *fx = calloc(size, sizeof(Flux)), *fy = calloc(size, sizeof(Flux));
  for (int r = 0; r < nrows; r++)
    for (int c = 0; c < ncols; c++) {
      int i = (r + 1) * stride + c + 1, k = r * ncols + c;
      z[i] = 0.01 * c + 0.05 * sin(k * 0.37);
      h[i] = 0.5;
    }
  struct timespec t0, t1;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t0);
  double friction = G * 0.03 * 0.03, wave = 0;
  for (int s = 0; s < steps; s++) {
    for (int i = 0; i < size; i++) {
      double thin = h[i] > DRY ? 1 / h[i] : 0;
      u[i] = x[i] * thin;
      v[i] = y[i] * thin;
    }
    for (int r = 1; r <= nrows; r++)
      for (int c = 1; c <= ncols; c++) {
        int i = r * stride + c, e = i + 1, o = i + stride;
        if (c < ncols) fx[i] = face(h[i], z[i], u[i], v[i], h[e], z[e], u[e], v[e]);
        if (r < nrows) fy[i] = face(h[i], z[i], v[i], u[i], h[o], z[o], v[o], u[o]);
        double wall = 0.5 * G * h[i] * h[i];
        if (c == 1) fx[i - 1] = (Flux){0, wall, wall, 0};
        if (c == ncols) fx[i] = (Flux){0, wall, wall, 0};
        if (r == 1) fy[i - stride] = (Flux){0, wall, wall, 0};
        if (r == nrows) fy[i] = (Flux){0, wall, wall, 0};
      }
    for (int r = 1; r <= nrows; r++)
      for (int c = 1; c <= ncols; c++) {
        int i = r * stride + c;
        double e = fx[i].mass, w = fx[i - 1].mass, o = fy[i].mass, n = fy[i - stride].mass;
        double out = most(e, 0) + most(-w, 0) + (most(o, 0) + most(-n, 0));
        if (out * share <= h[i]) continue;
        double kept = h[i] / (out * share);
        if (e > 0) fx[i].mass *= kept;
        if (w < 0) fx[i - 1].mass *= kept;
        if (o > 0) fy[i].mass *= kept;
        if (n < 0) fy[i - stride].mass *= kept;
      }
    wave = 0;
    for (int r = 1; r <= nrows; r++)
      for (int c = 1; c <= ncols; c++) {
        int i = r * stride + c, n = i - stride;
        h[i] = most(0, h[i] + (fx[i - 1].mass - fx[i].mass + (fy[n].mass - fy[i].mass)) * share);
        if (h[i] <= DRY) {
          x[i] = y[i] = 0;
          continue;
        }
        double X = x[i] + (fx[i - 1].behind - fx[i].before + (fy[n].along - fy[i].along)) * share;
        double Y = y[i] + (fy[n].behind - fy[i].before + (fx[i - 1].along - fx[i].along)) * share;
        double b = friction * dt / (h[i] * h[i] * cbrt(h[i]));
        double slow = 2 / (1 + sqrt(1 + 4 * b * sqrt(X * X + Y * Y)));
        x[i] = X * slow;
        y[i] = Y * slow;
        wave = most(wave, (fabs(x[i]) + fabs(y[i])) / h[i] + 2 * sqrt(G * h[i]));
        deepest[i] = most(deepest[i], h[i]);
        fastest[i] = most(fastest[i], sqrt(x[i] * x[i] + y[i] * y[i]) / h[i]);
      }
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t1);
  double sum = 0, speeds = 0;
  for (int i = 0; i < size; i++) {
    sum += h[i];
    speeds += fastest[i];
  }
  printf("%.9f %.9f %.9f %.9f\n", t1.tv_sec - t0.tv_sec + (t1.tv_nsec - t0.tv_nsec) / 1e9, sum, wave, speeds);
  return 0;
}
