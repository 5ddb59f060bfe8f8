import { beforeAll, describe, expect, test } from 'vitest'
import { demoCatchment } from './package.ts'
import { greenedCentre } from './project.ts'

const section = (inp: string, name: string): string[][] =>
  inp
    .split(`[${name}]\n`)[1]
    .split('\n\n')[0]
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith(';'))
    .map((line) => line.split(' '))

const grid = (text: string): number[][] =>
  text
    .split('\n')
    .slice(6, -1)
    .map((line) => line.split(' ').map(Number))

describe('demonstration catchment', () => {
  let files: Map<string, string>
  let luse: number[][]
  let elevation: number[][]
  const text = (name: string) => files.get(name) as string
  beforeAll(() => {
    files = demoCatchment()
    luse = grid(text('luse.asc'))
    elevation = grid(text('elevation.asc'))
  })

  test('says in its own words that it is synthetic', () => {
    const catchment = JSON.parse(text('catchment.json'))
    expect(catchment.synthetic).toBe(true)
    expect(catchment.statement).toContain('SYNTHÉTIQUE')
    expect(catchment.caseStudies.map((c: { id: string }) => c.id)).toEqual(['eogn', 'oxygene'])
  })

  test('[CONST-03] grids of 10 m share one header and one no-data mask', () => {
    const headers = ['luse.asc', 'elevation.asc', 'mask-eogn.asc', 'mask-oxygene.asc'].map((name) =>
      text(name).split('\n').slice(0, 6).join(),
    )
    expect(new Set(headers).size).toBe(1)
    expect(headers[0]).toContain('cellsize 10')
    const differing = luse.flatMap((row, r) =>
      row.filter((code, c) => (code === -9999) !== (elevation[r][c] === -9999)),
    )
    expect(differing).toEqual([])
  })

  test('[LUSE-25] every code of the table is in use', () => {
    expect([...new Set(luse.flat())].sort((a, b) => a - b)).toEqual([-9999, 1, 2, 3, 4, 5, 6])
  })

  test('every cell on land has a lower neighbour, so all rain can run to the water', () => {
    let pits = 0
    luse.forEach((row, r) => {
      row.forEach((code, c) => {
        if (code === -9999 || code === 6) return
        const around = [
          [r - 1, c],
          [r + 1, c],
          [r, c - 1],
          [r, c + 1],
        ].map(([i, j]) => elevation[i]?.[j] ?? -9999)
        if (!around.some((z) => z !== -9999 && z < elevation[r][c])) pits++
      })
    })
    expect(pits).toBe(0)
  })

  test('the sewer branches, falls at 3 per mille or more, keeps its cover and reaches an outfall from everywhere', () => {
    const inp = text('network.inp')
    const junctions = new Map(
      section(inp, 'JUNCTIONS').map(([name, z, depth]) => [name, { z: +z, depth: +depth }]),
    )
    const outfalls = new Map(section(inp, 'OUTFALLS').map(([name, z]) => [name, +z]))
    const diameter = new Map(section(inp, 'XSECTIONS').map(([name, , d]) => [name, +d]))
    const down = new Map<string, string>()
    let inflows = 0
    for (const [name, from, to, length] of section(inp, 'CONDUITS')) {
      expect(down.has(from)).toBe(false)
      down.set(from, to)
      const end = junctions.get(to)?.z ?? (outfalls.get(to) as number)
      const start = junctions.get(from) as { z: number; depth: number }
      expect((start.z - end) / +length).toBeGreaterThan(0.0029)
      expect(start.depth - (diameter.get(name) as number)).toBeGreaterThan(0.79)
      expect(start.depth).toBeLessThan(5.6)
      if (junctions.has(to)) inflows++
    }
    for (const start of junctions.keys()) {
      let at = start
      for (let hops = 0; junctions.has(at) && hops <= junctions.size; hops++) at = down.get(at) as string
      expect(outfalls.has(at)).toBe(true)
    }
    expect(junctions.size).toBeGreaterThan(900)
    expect(junctions.size).toBeLessThan(1200)
    expect(outfalls.size).toBeGreaterThan(5)
    // Branching: many junctions are not the head of a chain.
    expect(inflows).toBeGreaterThan(junctions.size * 0.9)
  })

  test('gullies are exactly the cells of code 5 and hang on junctions that exist', () => {
    const names = new Set(section(text('network.inp'), 'JUNCTIONS').map(([name]) => name))
    const rows = text('gullies.csv')
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(','))
    const cells = new Set(rows.map(([, row, col]) => `${row},${col}`))
    expect(cells.size).toBe(rows.length)
    expect(cells.size).toBe(luse.flat().filter((code) => code === 5).length)
    for (const [, row, col, junction, , , away] of rows) {
      expect(luse[+row][+col]).toBe(5)
      expect(names.has(junction)).toBe(true)
      expect(+away).toBeLessThan(50)
    }
  })

  test('masks mark a few hundred cells each and never no-data', () => {
    for (const name of ['mask-eogn.asc', 'mask-oxygene.asc']) {
      const mask = grid(text(name))
      const marked = mask.flatMap((row, r) =>
        row.map((m, c) => (m === 1 ? luse[r][c] : null)).filter((m) => m !== null),
      )
      expect(marked.length).toBeGreaterThan(500)
      expect(marked).not.toContain(-9999)
    }
  })

  test('is the same on every call', () => {
    expect([...demoCatchment()]).toEqual([...files])
  })

  test('the project paves streets of the centre and makes gardens of green beside streets and houses, no more', () => {
    const changes = new Map<string, number>()
    for (const { i, j, value } of greenedCentre(luse.flat(), { paving: 7, garden: 8 })) {
      const change = `${luse[i][j]} > ${value}`
      changes.set(change, (changes.get(change) ?? 0) + 1)
      // Far from the centre nothing changes.
      expect(i).toBeGreaterThan(40)
    }
    expect([...changes.keys()].sort()).toEqual(['2 > 7', '3 > 8'])
    for (const count of changes.values()) expect(count).toBeGreaterThan(500)
  })
})
