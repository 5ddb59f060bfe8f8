// Two-dimensional complex transform: Stockham passes of radix 2 to 5 over 8 lines side by side, four to a vector.

const BATCH: i32 = 8

// @inline
function add(a: v128, b: v128): v128 {
  return v128.add<f32>(a, b)
}
// @inline
function sub(a: v128, b: v128): v128 {
  return v128.sub<f32>(a, b)
}
// @inline
function mul(a: v128, b: v128): v128 {
  return v128.mul<f32>(a, b)
}

/** Stores (r + i im) times the turn (c, s). */
// @inline
function put(re: usize, im: usize, r: v128, i: v128, c: v128, s: v128): void {
  v128.store(re, sub(mul(r, c), mul(i, s)))
  v128.store(im, add(mul(r, s), mul(i, c)))
}

/** Cosine, and sine with the sign of the transform, of the turn 2 pi k / n. */
// @inline
function cosine(twiddles: usize, k: i32): v128 {
  return f32x4.splat(load<f32>(twiddles + ((<usize>k) << 3)))
}
// @inline
function sine(twiddles: usize, k: i32, sign: f32): v128 {
  return f32x4.splat(sign * load<f32>(twiddles + ((<usize>k) << 3) + 4))
}

/**
 * One pass. `ar`, `ai`: what comes; `br`, `bi`: what goes; `before`: product of the factors done; `turns`: n / (m r), the
 * step in the table of turns.
 */
function pass(
  r: i32,
  n: i32,
  before: i32,
  ar: usize,
  ai: usize,
  br: usize,
  bi: usize,
  twiddles: usize,
  sign: f32,
): void {
  const m = n / before / r
  const run: usize = (<usize>(before * BATCH)) << 2
  const jump: usize = run * <usize>m
  for (let p = 0; p < m; p++) {
    const from = run * <usize>p
    const to = run * <usize>(r * p)
    const t = p * before
    const c1 = cosine(twiddles, t)
    const s1 = sine(twiddles, t, sign)
    if (r == 4) {
      const c2 = cosine(twiddles, 2 * t)
      const s2 = sine(twiddles, 2 * t, sign)
      const c3 = cosine(twiddles, 3 * t)
      const s3 = sine(twiddles, 3 * t, sign)
      const turn = f32x4.splat(sign)
      for (let q: usize = 0; q < run; q += 16) {
        const x = from + q
        const y = to + q
        const r0 = v128.load(ar + x),
          i0 = v128.load(ai + x)
        const r1 = v128.load(ar + x + jump),
          i1 = v128.load(ai + x + jump)
        const r2 = v128.load(ar + x + 2 * jump),
          i2 = v128.load(ai + x + 2 * jump)
        const r3 = v128.load(ar + x + 3 * jump),
          i3 = v128.load(ai + x + 3 * jump)
        const er = add(r0, r2),
          ei = add(i0, i2),
          dr = sub(r0, r2),
          di = sub(i0, i2)
        const fr = add(r1, r3),
          fi = add(i1, i3)
        // i sign (x1 - x3)
        const gr = mul(turn, sub(i3, i1)),
          gi = mul(turn, sub(r1, r3))
        v128.store(br + y, add(er, fr))
        v128.store(bi + y, add(ei, fi))
        put(br + y + run, bi + y + run, add(dr, gr), add(di, gi), c1, s1)
        put(br + y + 2 * run, bi + y + 2 * run, sub(er, fr), sub(ei, fi), c2, s2)
        put(br + y + 3 * run, bi + y + 3 * run, sub(dr, gr), sub(di, gi), c3, s3)
      }
    } else if (r == 2) {
      for (let q: usize = 0; q < run; q += 16) {
        const x = from + q
        const y = to + q
        const r0 = v128.load(ar + x),
          i0 = v128.load(ai + x)
        const r1 = v128.load(ar + x + jump),
          i1 = v128.load(ai + x + jump)
        v128.store(br + y, add(r0, r1))
        v128.store(bi + y, add(i0, i1))
        put(br + y + run, bi + y + run, sub(r0, r1), sub(i0, i1), c1, s1)
      }
    } else if (r == 3) {
      const c2 = cosine(twiddles, 2 * t)
      const s2 = sine(twiddles, 2 * t, sign)
      const half = f32x4.splat(0.5)
      const root = f32x4.splat(sign * 0.8660254037844386)
      for (let q: usize = 0; q < run; q += 16) {
        const x = from + q
        const y = to + q
        const r0 = v128.load(ar + x),
          i0 = v128.load(ai + x)
        const r1 = v128.load(ar + x + jump),
          i1 = v128.load(ai + x + jump)
        const r2 = v128.load(ar + x + 2 * jump),
          i2 = v128.load(ai + x + 2 * jump)
        const er = add(r1, r2),
          ei = add(i1, i2)
        const dr = mul(root, sub(r1, r2)),
          di = mul(root, sub(i1, i2))
        const mr = sub(r0, mul(half, er)),
          mi = sub(i0, mul(half, ei))
        v128.store(br + y, add(r0, er))
        v128.store(bi + y, add(i0, ei))
        put(br + y + run, bi + y + run, sub(mr, di), add(mi, dr), c1, s1)
        put(br + y + 2 * run, bi + y + 2 * run, add(mr, di), sub(mi, dr), c2, s2)
      }
    } else {
      five(run, jump, from, to, t, ar, ai, br, bi, twiddles, sign, c1, s1)
    }
  }
}

function five(
  run: usize,
  jump: usize,
  from: usize,
  to: usize,
  t: i32,
  ar: usize,
  ai: usize,
  br: usize,
  bi: usize,
  twiddles: usize,
  sign: f32,
  c1: v128,
  s1: v128,
): void {
  const c2 = cosine(twiddles, 2 * t),
    s2 = sine(twiddles, 2 * t, sign)
  const c3 = cosine(twiddles, 3 * t),
    s3 = sine(twiddles, 3 * t, sign)
  const c4 = cosine(twiddles, 4 * t),
    s4 = sine(twiddles, 4 * t, sign)
  const ca = f32x4.splat(0.30901699437494745),
    cb = f32x4.splat(-0.8090169943749475)
  const sa = f32x4.splat(sign * 0.9510565162951535),
    sb = f32x4.splat(sign * 0.5877852522924731)
  for (let q: usize = 0; q < run; q += 16) {
    const x = from + q
    const y = to + q
    const r0 = v128.load(ar + x),
      i0 = v128.load(ai + x)
    const r1 = v128.load(ar + x + jump),
      i1 = v128.load(ai + x + jump)
    const r2 = v128.load(ar + x + 2 * jump),
      i2 = v128.load(ai + x + 2 * jump)
    const r3 = v128.load(ar + x + 3 * jump),
      i3 = v128.load(ai + x + 3 * jump)
    const r4 = v128.load(ar + x + 4 * jump),
      i4 = v128.load(ai + x + 4 * jump)
    const er = add(r1, r4),
      ei = add(i1, i4),
      dr = sub(r1, r4),
      di = sub(i1, i4)
    const fr = add(r2, r3),
      fi = add(i2, i3),
      gr = sub(r2, r3),
      gi = sub(i2, i3)
    v128.store(br + y, add(r0, add(er, fr)))
    v128.store(bi + y, add(i0, add(ei, fi)))
    const mr = add(r0, add(mul(ca, er), mul(cb, fr))),
      mi = add(i0, add(mul(ca, ei), mul(cb, fi)))
    const nr = add(r0, add(mul(cb, er), mul(ca, fr))),
      ni = add(i0, add(mul(cb, ei), mul(ca, fi)))
    const ur = add(mul(sa, dr), mul(sb, gr)),
      ui = add(mul(sa, di), mul(sb, gi))
    const wr = sub(mul(sb, dr), mul(sa, gr)),
      wi = sub(mul(sb, di), mul(sa, gi))
    put(br + y + run, bi + y + run, sub(mr, ui), add(mi, ur), c1, s1)
    put(br + y + 2 * run, bi + y + 2 * run, sub(nr, wi), add(ni, wr), c2, s2)
    put(br + y + 3 * run, bi + y + 3 * run, add(nr, wi), sub(ni, wr), c3, s3)
    put(br + y + 4 * run, bi + y + 4 * run, add(mr, ui), sub(mi, ur), c4, s4)
  }
}

/** All passes over a batch; the answer lies in the first half of `work` after an even number of them. */
function passes(n: i32, factors: usize, count: i32, twiddles: usize, work: usize, sign: f32): usize {
  const half: usize = (<usize>(n * BATCH)) << 2
  let a = work
  let b = work + 2 * half
  let before = 1
  for (let k = 0; k < count; k++) {
    const r = load<i32>(factors + ((<usize>k) << 2))
    pass(r, n, before, a, a + half, b, b + half, twiddles, sign)
    before *= r
    const c = a
    a = b
    b = c
  }
  return a
}

/** Transforms the columns of a field: `lines` of them, each of `n` values that lie `stride` apart. */
function columns(
  re: usize,
  im: usize,
  n: i32,
  stride: i32,
  factors: usize,
  count: i32,
  twiddles: usize,
  work: usize,
  sign: f32,
  scale: f32,
): void {
  const half: usize = (<usize>(n * BATCH)) << 2
  const step: usize = (<usize>stride) << 2
  const by = f32x4.splat(scale)
  let col = 0
  for (; col + BATCH <= stride; col += BATCH) {
    let at: usize = (<usize>col) << 2
    for (let o: usize = 0; o < half; o += 32) {
      v128.store(work + o, v128.load(re + at))
      v128.store(work + o + 16, v128.load(re + at + 16))
      v128.store(work + half + o, v128.load(im + at))
      v128.store(work + half + o + 16, v128.load(im + at + 16))
      at += step
    }
    const done = passes(n, factors, count, twiddles, work, sign)
    at = (<usize>col) << 2
    for (let o: usize = 0; o < half; o += 32) {
      v128.store(re + at, mul(by, v128.load(done + o)))
      v128.store(re + at + 16, mul(by, v128.load(done + o + 16)))
      v128.store(im + at, mul(by, v128.load(done + half + o)))
      v128.store(im + at + 16, mul(by, v128.load(done + half + o + 16)))
      at += step
    }
  }
  if (col < stride)
    some(
      re + ((<usize>col) << 2),
      im + ((<usize>col) << 2),
      n,
      step,
      4,
      stride - col,
      factors,
      count,
      twiddles,
      work,
      sign,
      scale,
    )
}

/** Transforms up to 8 lines, one value at a time in and out: value k of line l lies at k `step` + l `apart`. */
function some(
  re: usize,
  im: usize,
  n: i32,
  step: usize,
  apart: usize,
  lines: i32,
  factors: usize,
  count: i32,
  twiddles: usize,
  work: usize,
  sign: f32,
  scale: f32,
): void {
  const half: usize = (<usize>(n * BATCH)) << 2
  for (let k = 0; k < n; k++) {
    const o = work + ((<usize>(k * BATCH)) << 2)
    for (let l = 0; l < lines; l++) {
      const at = <usize>k * step + <usize>l * apart
      store<f32>(o + ((<usize>l) << 2), load<f32>(re + at))
      store<f32>(o + half + ((<usize>l) << 2), load<f32>(im + at))
    }
    for (let l = lines; l < BATCH; l++) {
      store<f32>(o + ((<usize>l) << 2), 0)
      store<f32>(o + half + ((<usize>l) << 2), 0)
    }
  }
  const done = passes(n, factors, count, twiddles, work, sign)
  for (let k = 0; k < n; k++) {
    const o = done + ((<usize>(k * BATCH)) << 2)
    for (let l = 0; l < lines; l++) {
      const at = <usize>k * step + <usize>l * apart
      store<f32>(re + at, scale * load<f32>(o + ((<usize>l) << 2)))
      store<f32>(im + at, scale * load<f32>(o + half + ((<usize>l) << 2)))
    }
  }
}

/** `sign` -1 is forward; 1 is inverse and divides by the number of cells. */
export function transform(
  re: usize,
  im: usize,
  nrows: i32,
  ncols: i32,
  rowFactors: usize,
  rowCount: i32,
  rowTwiddles: usize,
  colFactors: usize,
  colCount: i32,
  colTwiddles: usize,
  work: usize,
  sign: i32,
): void {
  const row: usize = (<usize>ncols) << 2
  const s = <f32>sign
  for (let r = 0; r < nrows; r += BATCH) {
    const at = <usize>r * row
    some(
      re + at,
      im + at,
      ncols,
      4,
      row,
      min(BATCH, nrows - r),
      colFactors,
      colCount,
      colTwiddles,
      work,
      s,
      1,
    )
  }
  const scale: f32 = sign > 0 ? 1 / (<f32>nrows * <f32>ncols) : 1
  columns(re, im, nrows, ncols, rowFactors, rowCount, rowTwiddles, work, s, scale)
}
