/**
 * Eigenvalues and eigenvectors of a small symmetric matrix by Jacobi's rotations (Golub and Van Loan, Matrix
 * Computations, 8.5).
 *
 * @param matrix n rows of n numbers; left as it is
 * @returns `values[k]` with its vector in column k of `vectors`
 */
export function symmetricEigen(matrix: readonly (readonly number[])[]): {
  values: number[]
  vectors: number[][]
} {
  const n = matrix.length
  const a = matrix.map((row) => [...row])
  const v = a.map((_, i) => a.map((_, j) => (i === j ? 1 : 0)))
  const size = Math.max(...a.flat().map(Math.abs), Number.MIN_VALUE)
  for (let sweep = 0; sweep < 60; sweep++) {
    let off = 0
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) off += a[p][q] ** 2
    if (Math.sqrt(off) <= 1e-15 * size) break
    for (let p = 0; p < n; p++) for (let q = p + 1; q < n; q++) if (a[p][q] !== 0) rotate(a, v, p, q)
  }
  return { values: a.map((row, k) => row[k]), vectors: v }
}

/** Makes a[p][q] zero. */
function rotate(a: number[][], v: number[][], p: number, q: number): void {
  const theta = (a[q][q] - a[p][p]) / (2 * a[p][q])
  const t = (theta >= 0 ? 1 : -1) / (Math.abs(theta) + Math.hypot(theta, 1))
  const c = 1 / Math.hypot(t, 1)
  const s = t * c
  for (let k = 0; k < a.length; k++) {
    const [kp, kq] = [a[k][p], a[k][q]]
    a[k][p] = c * kp - s * kq
    a[k][q] = s * kp + c * kq
  }
  for (let k = 0; k < a.length; k++) {
    const [pk, qk] = [a[p][k], a[q][k]]
    a[p][k] = c * pk - s * qk
    a[q][k] = s * pk + c * qk
    const [kp, kq] = [v[k][p], v[k][q]]
    v[k][p] = c * kp - s * kq
    v[k][q] = s * kp + c * kq
  }
}
