/** Linear between the sorted values (Hyndman and Fan 1996, type 7). */
export function quantile(sorted: ArrayLike<number>, share: number): number {
  const at = share * (sorted.length - 1)
  const low = Math.floor(at)
  const high = Math.min(sorted.length - 1, low + 1)
  return sorted[low] + (at - low) * (sorted[high] - sorted[low])
}
