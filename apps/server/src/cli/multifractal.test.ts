import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { discreteCascade } from '@radx/scaling/cascade'
import { seededRandom } from '@radx/scaling/random'
import { expect, onTestFinished, test, vi } from 'vitest'
import { main } from './main.ts'

const dir = mkdtempSync(join(tmpdir(), 'radx-multifractal-'))

async function run(args: string[]) {
  const said: string[] = []
  for (const channel of ['log', 'error'] as const) {
    const spy = vi.spyOn(console, channel).mockImplementation((...parts) => void said.push(parts.join(' ')))
    onTestFinished(() => spy.mockRestore())
  }
  return { exit: await main(['multifractal', ...args]), text: said.join('\n') }
}

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
  expect(await run([dry, '--window', '0,0,32', '--out', join(dir, 'no')])).toMatchObject({
    exit: 1,
    text: expect.stringMatching(/pas plu/),
  })
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
