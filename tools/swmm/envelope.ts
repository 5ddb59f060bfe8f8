import { readFileSync } from 'node:fs'

/** Rows of one of Melun's tables: name and the columns' figures. Comment lines are left out. */
export function readColumns(path: string): { name: string; values: Record<string, number> }[] {
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
  const [, ...names] = lines[0].split(',')
  return lines.slice(1).map((line) => {
    const [name, ...values] = line.split(',')
    return { name, values: Object.fromEntries(names.map((key, i) => [key, Number(values[i])])) }
  })
}
