/** Middle of the cells that are 1, as shares of the grid from west and north; null when there are none. */
export function middleOf(mask: readonly (readonly number[])[]): { x: number; y: number } | null {
  let [n, rows, cols] = [0, 0, 0]
  mask.forEach((row, i) => {
    row.forEach((value, j) => {
      if (value !== 1) return
      n++
      rows += i + 0.5
      cols += j + 0.5
    })
  })
  return n === 0 ? null : { x: cols / n / mask[0].length, y: rows / n / mask.length }
}
