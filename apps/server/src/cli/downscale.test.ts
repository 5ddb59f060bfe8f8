import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeOdimComposite } from '@radx/formats/odim/composite-writer'
import { discreteCascade } from '@radx/scaling/cascade'
import { seededRandom } from '@radx/scaling/random'
import { File as Hdf5File, ready } from 'h5wasm/node'
import { afterAll, expect, test } from 'vitest'
import { runCommand } from './testing/run-command.ts'

const dir = mkdtempSync(join(tmpdir(), 'radx-downscale-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

const run = (args: string[]) => runCommand('downscale', ...args)

function grid(name: string, nrows: number, ncols: number, value: (i: number) => number): string {
  const path = join(dir, name)
  const rows = Array.from({ length: nrows }, (_, row) =>
    Array.from({ length: ncols }, (_, col) => value(row * ncols + col)).join(' '),
  )
  const head = `ncols ${ncols}\nnrows ${nrows}\nxllcorner 0\nyllcorner 0\ncellsize 250\nNODATA_value -1\n`
  writeFileSync(path, `${head}${rows.join('\n')}\n`)
  return path
}

/** Rates of a written member and the length of its intervals. */
async function member(path: string) {
  await ready
  const file = new Hdf5File(path, 'r')
  try {
    const data = file.get('rain_rate') as unknown as {
      value: Float32Array
      shape: number[]
      attrs: Record<string, { value: unknown }>
    }
    const interval = data.attrs.interval.value as Float64Array
    return { rates: data.value, shape: data.shape, stepS: Number(interval[0] ?? interval) }
  } finally {
    file.close()
  }
}

const PARAMETERS = ['--alpha', '1,8', '--c1', '0,1', '--interval', '206']

test('each cell and picture keeps its sum, missing and dry ones stay, seeds are written', async () => {
  const rates = [
    [4, 0, 2.5, -1, 12, 1],
    [1, 3, 0, 5, 0.2, 60],
  ]
  const files = rates.map((values, k) => grid(`part-${k}.asc`, 2, 3, (i) => values[i]))
  const out = join(dir, 'kept')
  const { exit, text } = await run([...files, '--out', out, '--members', '2', '--seed', '5', ...PARAMETERS])
  expect([exit, text]).toEqual([0, expect.stringContaining('2 membres de 16 x 24 mailles et 8 temps')])
  const table = readFileSync(join(out, 'members.csv'), 'utf8').trim().split('\n')
  expect(table.map((line) => line.split(',').slice(0, 2).join())).toEqual([
    ...['file,seed', 'member-01.nc,5', 'member-02.nc,6'],
  ])
  const { rates: fine, shape, stepS } = await member(join(out, 'member-02.nc'))
  expect([shape, stepS]).toEqual([[8, 16, 24], 51.5])
  rates.forEach((values, t) => {
    values.forEach((rate, cell) => {
      const [row, col] = [Math.floor(cell / 3), cell % 3]
      let sum = 0
      for (let s = 0; s < 4; s++)
        for (let r = 0; r < 8; r++)
          for (let c = 0; c < 8; c++) sum += fine[(4 * t + s) * 384 + (8 * row + r) * 24 + 8 * col + c]
      if (rate < 0) expect(sum).toBeNaN()
      else expect(sum / 256).toBeCloseTo(rate, 4)
    })
  })
})

test('parameters are those of the pictures where none are given, cells and steps those that were asked', async () => {
  const random = seededRandom(3)
  const files = Array.from({ length: 8 }, (_, k) => {
    const field = discreteCascade({ alpha: 1.8, c1: 0.1 }, 5, 2, random)
    return grid(`cascade-${k}.asc`, 32, 32, (i) => 10 * field[i])
  })
  const out = join(dir, 'asked')
  const asked = [
    '--members',
    '1',
    '--interval',
    '300',
    '--window',
    '4,8,10,6',
    '--cell',
    '100',
    '--step',
    '60',
  ]
  const { exit, text } = await run([...files, '--out', out, ...asked])
  expect([exit, text]).toEqual([0, expect.stringMatching(/estimés de 1 à 8 mailles \(DTM\) : alpha 1,[5-9]/)])
  const { shape, stepS } = await member(join(out, 'member-01.nc'))
  expect([shape, stepS]).toEqual([[40, 25, 15], 60])
})

test('what cannot be taken apart is said', async () => {
  const dry = grid('dry.asc', 16, 16, () => 0)
  const even = grid('even.asc', 16, 16, () => 5)
  const out = ['--out', join(dir, 'no')]
  for (const [args, exit, message] of [
    [[dry, ...out, ...PARAMETERS], 1, 'il n’a pas plu'],
    [[even, ...out, '--interval', '206'], 1, 'donner --alpha et --c1'],
    [[even, ...out, '--alpha', '1,8', '--c1', '0,1'], 64, 'donner --interval'],
    [[even, ...out, '--interval', '206', '--alpha', '1', '--c1', '0,1'], 64, 'au moins de 1'],
    [[even, ...out, ...PARAMETERS, '--members', '0'], 64, 'de 1 à 1000'],
    [[even, ...out, ...PARAMETERS, '--space', '1', '--time', '2'], 64, '--time vaut'],
    [[even, ...out, ...PARAMETERS, '--window', '0,0,17,4'], 64, 'sort de la grille'],
    [[even, ...PARAMETERS], 64, 'il manque --out'],
  ] as [string[], number, string][]) {
    expect(await run(args)).toMatchObject({ exit, text: expect.stringContaining(message) })
  }
})

test('a gap between pictures is refused with the two beside it; a lost second is none', async () => {
  const at = (minutes: number[]) =>
    Promise.all(
      minutes.map(async (minute) => {
        const path = join(dir, `at-${minute}.h5`)
        const bytes = await writeOdimComposite({
          geometry: {
            proj4: '+proj=aeqd +lat_0=48.84 +lon_0=2.587 +R=6371000 +x_0=0 +y_0=0',
            ...{ left: 0, right: 4000, bottom: 0, top: 4000, nrows: 4, ncols: 4 },
          },
          datetime: new Date(Date.UTC(2026, 6, 14, 16) + Math.round(minute * 60_000)).toISOString(),
          source: 'ORG:test',
          product: 'SURF',
          rateMmH: Float32Array.from({ length: 16 }, (_, i) => 1 + i),
          how: {},
        })
        writeFileSync(path, bytes)
        return path
      }),
    )
  const args = ['--alpha', '1.8', '--c1', '0.1', '--members', '1', '--space', '1', '--time', '0']
  const out = join(dir, 'gap')
  expect(await run([...(await at([0, 5, 10, 25, 30])), ...args, '--out', out])).toMatchObject({
    exit: 64,
    text: expect.stringMatching(/at-10\.h5 et at-25\.h5 sont à 900 s.*pas usuel étant 300 s/),
  })
  expect(existsSync(out)).toBe(false)
  const even = await run([...(await at([0, 5, 10.02, 15])), ...args, '--out', out])
  expect(even).toMatchObject({
    exit: 0,
    text: expect.stringMatching(/^1 membre de 8 x 8 mailles et 4 temps/),
  })
})
