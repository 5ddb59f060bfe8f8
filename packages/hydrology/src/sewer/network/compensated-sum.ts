/** Sum with what each addition rounds off carried on (Kahan 1965). */
export function sum(values: Float64Array): number {
  let total = 0
  let off = 0
  for (let i = 0; i < values.length; i++) {
    const value = values[i] - off
    const next = total + value
    off = next - total - value
    total = next
  }
  return total
}
