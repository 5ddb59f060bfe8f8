/** A field made of another, gate by gate; several times as fast as `Float64Array.from`, which goes through an iterator. */
export function mapped(values: ArrayLike<number>, of: (value: number, k: number) => number): Float64Array {
  const out = new Float64Array(values.length)
  for (let k = 0; k < out.length; k++) out[k] = of(values[k], k)
  return out
}
