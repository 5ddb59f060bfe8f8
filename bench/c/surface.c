/* The surface scheme in scalar C, f64, for a side-by-side measure: gcc -O3 -fno-tree-vectorize.
   The same formulas as packages/hydrology/src/surface/reference.ts on an all-wet closed grid without soil.
   Usage: surface NROWS NCOLS STEPS DT; prints seconds and the sum of depths. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const double G = 9.81, DX = 10, DRY = 2e-4, FROUDE = 1.5;

static double flux(double left, double right, double step, double q, double friction, double normal, double dt) {
  double other = right + step;
  double flow = (left > other ? left : other) - (step > 0 ? step : 0);
  if (flow <= DRY) return 0;
  double a = q - G * dt / DX * flow * (other - left);
  double cube = cbrt(flow);
  double b = friction * dt / (flow * flow * cube);
  double out = 2 * a / (1 + sqrt(1 + 4 * b * fabs(a)));
  double limit = FROUDE * sqrt(G) * flow * sqrt(flow);
  double down = normal * flow * cube * cube;
  if (down > limit) limit = down;
  if (out > limit) out = limit;
  if (out < -limit) out = -limit;
  return out;
}

int main(int argc, char **argv) {
  if (argc != 5) return 64;
  int nrows = atoi(argv[1]), ncols = atoi(argv[2]), steps = atoi(argv[3]);
  double dt = atof(argv[4]);
  int stride = ncols + 2, size = (nrows + 2) * stride;
  double *h = calloc(size, 8), *qx = calloc(size, 8), *qy = calloc(size, 8), *top = calloc(size, 8);
  double *sx = malloc(size * 8), *sy = malloc(size * 8), *fx = calloc(size, 8), *fy = calloc(size, 8);
  double *nx = calloc(size, 8), *ny = calloc(size, 8), *z = calloc(size, 8);
  for (int i = 0; i < size; i++) sx[i] = sy[i] = 1e9;
  for (int r = 0; r < nrows; r++)
    for (int c = 0; c < ncols; c++) {
      int i = (r + 1) * stride + c + 1, k = r * ncols + c;
      z[i] = 0.01 * c + 0.05 * sin(k * 0.37);
      h[i] = 0.5;
    }
  for (int r = 1; r <= nrows; r++)
    for (int c = 1; c <= ncols; c++) {
      int i = r * stride + c;
      double f = G * 0.03 * 0.03;
      if (c < ncols) { sx[i] = z[i + 1] - z[i]; fx[i] = f; nx[i] = sqrt(fmin(fabs(sx[i]) / DX, 0.15)) / 0.03; }
      if (r < nrows) { sy[i] = z[i + stride] - z[i]; fy[i] = f; ny[i] = sqrt(fmin(fabs(sy[i]) / DX, 0.15)) / 0.03; }
    }
  struct timespec t0, t1;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t0);
  double share = dt / DX;
  for (int s = 0; s < steps; s++) {
    for (int i = stride; i < size - stride; i++) {
      if (sx[i] < 1e8) qx[i] = flux(h[i], h[i + 1], sx[i], qx[i], fx[i], nx[i], dt);
      if (sy[i] < 1e8) qy[i] = flux(h[i], h[i + stride], sy[i], qy[i], fy[i], ny[i], dt);
    }
    for (int i = stride; i < size - stride; i++) {
      double e = qx[i], w = qx[i - 1], o = qy[i], n = qy[i - stride];
      double out = (e > 0 ? e : 0) + (w < 0 ? -w : 0) + (o > 0 ? o : 0) + (n < 0 ? -n : 0);
      double held = h[i] * (1 - 1e-6);
      if (out * share <= held) continue;
      double factor = held / (out * share);
      if (e > 0) qx[i] *= factor;
      if (w < 0) qx[i - 1] *= factor;
      if (o > 0) qy[i] *= factor;
      if (n < 0) qy[i - stride] *= factor;
    }
    for (int i = stride; i < size - stride; i++) {
      h[i] += (qx[i - 1] - qx[i] + (qy[i - stride] - qy[i])) * share;
      if (h[i] > top[i]) top[i] = h[i];
    }
  }
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t1);
  double sum = 0;
  for (int i = 0; i < size; i++) sum += h[i];
  printf("%.6f %.9f\n", (t1.tv_sec - t0.tv_sec) + 1e-9 * (t1.tv_nsec - t0.tv_nsec), sum);
  return 0;
}
