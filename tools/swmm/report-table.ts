/** Rows of a table of EPA SWMM's report, by their first word (or first two). */
export function reportTable(report: string, title: string, keys = 1): Map<string, number[]> {
  const lines = report.split(/\r?\n/)
  const rows = new Map<string, number[]>()
  let dashes = 0
  for (let i = lines.findIndex((line) => line.includes(title)); i >= 0 && i < lines.length; i++) {
    if (/^\s*-{10,}\s*$/.test(lines[i])) dashes++
    else if (dashes === 2) {
      const words = lines[i].trim().split(/\s+/)
      if (words.length < 3) break
      rows.set(words.slice(0, keys).join(' '), words.slice(keys).map(Number))
    }
  }
  return rows
}
