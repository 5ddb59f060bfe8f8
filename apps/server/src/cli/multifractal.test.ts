import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeOdimComposite } from '@radx/formats/odim/composite-writer'
import { discreteCascade } from '@radx/scaling/cascade'
import { seededRandom } from '@radx/scaling/random'
import { expect, test } from 'vitest'
import { runCommand } from './testing/run-command.ts'

const dir = mkdtempSync(join(tmpdir(), 'radx-multifractal-'))

const run = (args: string[]) => runCommand('multifractal', ...args)

function grid(name: string, side: number, value: (i: number) => number): string {
  const path = join(dir, name)
  const rows = Array.from({ length: side }, (_, row) =>
    Array.from({ length: side }, (_, col) => value(row * side + col)).join(' '),
  )
  writeFileSync(
    path,
    `ncols ${side}\nnrows ${side}\nxllcorner 0\nyllcorner 0\ncellsize 250\nNODATA_value -1\n${rows.join('\n')}\n`,
  )
  return path
}

test('writes what it finds over space, wet squares and frames, with the files that it read', async () => {
  const random = seededRandom(5)
  const files = Array.from({ length: 6 }, (_, i) => {
    const field = discreteCascade({ alpha: 1.8, c1: 0.1 }, 6, 2, random)
    return grid(`cascade-${i}.asc`, 64, (at) => field[at])
  })
  const out = join(dir, 'out')
  const { exit, text } = await run([...files, '--scales', '1-8', '--out', out])
  expect([exit, text]).toEqual([0, expect.stringMatching(/espace, 6 échantillons, échelles 1 à 64/)])
  const analysis = JSON.parse(readFileSync(join(out, 'analysis.json'), 'utf8'))
  expect(analysis).toMatchObject({ cellM: 250, window: { row: 0, col: 0, side: 64 }, time: null })
  expect(analysis.space.fits).toHaveLength(2)
  expect(Math.abs(analysis.space.fits[0].dtm.c1 - 0.1)).toBeLessThan(0.03)
  expect(analysis.notes).toContainEqual(expect.stringMatching(/pas d’analyse dans le temps/))
  expect(readFileSync(join(out, 'frames.csv'), 'utf8').trim().split('\n')).toHaveLength(7)
  expect(readFileSync(join(out, 'moments.csv'), 'utf8')).toMatch(/^part,cells,scale_m,q,moment\nspace,1,250,/)
  expect(readFileSync(join(out, 'kq.csv'), 'utf8')).toMatch(/space,1,8,dtm,1\.5,/)
})

test('never makes a number out of nothing', async () => {
  const dry = grid('dry.asc', 32, () => 0)
  const unknown = grid('unknown.asc', 32, () => -1)
  const small = grid('small.asc', 8, () => 1)
  const wet = grid('wet.asc', 32, (i) => 1 + (i % 3))
  for (const file of [dry, unknown, small])
    expect(await run([file, '--out', join(dir, 'no')])).toMatchObject({
      exit: 1,
      text: expect.stringMatching(/aucun carré de 16/),
    })
  const same = grid('same.asc', 32, () => 3)
  const spots = grid('spots.asc', 32, (i) => (i > 500 && i < 515 ? 4 : 0))
  for (const [file, said] of [
    [dry, /pas plu/],
    [same, /la même partout/],
    [spots, /trop peu de mailles/],
  ] as const)
    expect(await run([file, '--window', '0,0,32', '--out', join(dir, 'no')])).toMatchObject({
      exit: 1,
      text: expect.stringMatching(said),
    })
  expect(existsSync(join(dir, 'no'))).toBe(false)
  for (const [args, said] of [
    [[wet], /il manque --out/],
    [[wet, small], /autre grille/],
    [[join(dir, 'nope.asc')], /n’existe pas/],
    [[wet, '--window', '0,0,12'], /puissance de 2/],
    [[wet, '--window', '8,8,32'], /sort de la grille/],
    [[wet, '--scales', '3-8'], /puissances de 2/],
  ] as const) {
    const { exit, text } = await run([
      ...args,
      ...(said.source.includes('--out') ? [] : ['--out', join(dir, 'no')]),
    ])
    expect([exit, text]).toEqual([64, expect.stringMatching(said)])
  }
})

test('time is analysed over pictures that follow each other, never across a gap', async () => {
  const random = seededRandom(9)
  const files = await Promise.all(
    Array.from({ length: 17 }, async (_, k) => {
      const field = discreteCascade({ alpha: 1.8, c1: 0.1 }, 4, 2, random)
      const path = join(dir, `time-${String(k).padStart(2, '0')}.h5`)
      const bytes = await writeOdimComposite({
        geometry: {
          proj4: '+proj=aeqd +lat_0=48.84 +lon_0=2.587 +R=6371000 +x_0=0 +y_0=0',
          ...{ left: 0, right: 16_000, bottom: 0, top: 16_000, nrows: 16, ncols: 16 },
        },
        // An hour is lost after the seventh.
        datetime: new Date(Date.UTC(2026, 6, 14, 16) + (k + (k > 6 ? 12 : 0)) * 300_000).toISOString(),
        source: 'ORG:test',
        product: 'SURF',
        rateMmH: Float32Array.from(field, (rate) => 5 * rate),
        how: {},
      })
      writeFileSync(path, bytes)
      return path
    }),
  )
  const analysis = async (some: string[]) => {
    const out = join(dir, `time-${some.length}`)
    expect((await run([...some, '--out', out])).exit).toBe(0)
    return JSON.parse(readFileSync(join(out, 'analysis.json'), 'utf8'))
  }
  expect((await analysis(files)).time).toMatchObject({ side: 8, firstFrame: expect.toSatisfy((k) => k >= 7) })
})
