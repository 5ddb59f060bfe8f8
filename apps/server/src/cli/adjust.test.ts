import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writeOdimComposite } from '@radx/formats/odim/composite-writer'
import { readOdim } from '@radx/formats/odim/odim'
import { beforeAll, expect, test } from 'vitest'
import { runCommand } from './testing/run-command.ts'

const dir = mkdtempSync(join(tmpdir(), 'radx-adjust-'))
const PLANE = '+proj=aeqd +lat_0=48.84 +lon_0=2.587 +R=6371000 +x_0=0 +y_0=0'
const START = Date.UTC(2026, 6, 14, 16)
let radar: string[]

async function frame(name: string, ms: number, rate: (i: number) => number, how = {}): Promise<string> {
  const path = join(dir, name)
  const bytes = await writeOdimComposite({
    geometry: {
      proj4: PLANE,
      left: -10_000,
      right: 10_000,
      bottom: -10_000,
      top: 10_000,
      nrows: 20,
      ncols: 20,
    },
    datetime: new Date(ms).toISOString(),
    source: 'ORG:test',
    product: 'SURF',
    rateMmH: Float32Array.from({ length: 400 }, (_, i) => rate(i)),
    how,
  })
  writeFileSync(path, bytes)
  return path
}

/** Gauges at the centres of cells, twice what six frames of five minutes say there. */
function gauges(name: string, cells: number[], change = (text: string) => text): string {
  const rows = cells.flatMap((cell) =>
    Array.from({ length: 6 }, (_, k) => {
      const x = -9500 + 1000 * (cell % 20)
      const y = 9500 - 1000 * Math.floor(cell / 20)
      const time = new Date(START + (k + 1) * 300_000).toISOString()
      return `${time};P${cell};${x};${y};${String((2 * (1 + (cell % 7))) / 12).replace('.', ',')}`
    }),
  )
  const path = join(dir, name)
  writeFileSync(path, change(`temps;poste;x;y;pluie (mm)\n${rows.join('\n')}\n`))
  return path
}

beforeAll(async () => {
  radar = await Promise.all(
    Array.from({ length: 6 }, (_, k) =>
      frame(`f${k}.h5`, START + k * 300_000, (i) => (i === 0 ? Number.NaN : 1 + (i % 7))),
    ),
  )
})

async function run(args: string[]) {
  const out = join(dir, `out-${Math.random().toString(36).slice(2)}`)
  const { exit, text } = await runCommand('adjust', '--out', out, ...args)
  return { exit, text, out }
}

const CELLS = [25, 48, 111, 190, 233, 307, 371]

test.each(['mfb', 'multiplicative', 'ked'])(
  '%s: a radar that reads half is doubled, frame by frame',
  async (method) => {
    const table = gauges(`${method}.csv`, CELLS)
    const { exit, text, out } = await run([
      '--radar',
      ...radar,
      '--gauges',
      table,
      '--method',
      method,
      '--cells',
      '1',
    ])
    expect([exit, text]).toEqual([0, expect.stringMatching(/6 image/)])
    const scores = JSON.parse(readFileSync(join(out, 'scores.json'), 'utf8'))
    expect(scores).toMatchObject({ frameTime: 'start', method })
    expect(scores.hours).toBeCloseTo(0.5, 9)
    expect(scores.raw.ratioOfSums).toBeCloseTo(2, 5)
    expect(scores.leaveOneOut.biasPct).toBeCloseTo(0, 3)
    const image = await readOdim(readFileSync(join(out, scores.frames[2])))
    expect(image.rateMmH[0]).toBeNaN()
    expect(image.rateMmH[25]).toBeCloseTo(2 * (1 + (25 % 7)), 4)
    expect(image.datetime).toBe(new Date(START + 600_000).toISOString())
  },
)

test('local times and tips of a bucket mean the same as depths in UTC', async () => {
  const table = gauges('tips.csv', CELLS, (text) =>
    text
      .replace('pluie (mm)', 'basculements')
      .replace(
        /(\d{4}-\d\d-\d\d)T(\d\d)(:\d\d):\d\d\.000Z(;.*;)([\d,]+)$/gm,
        (_, day, hour, minute, rest, mm) => {
          return `${day} ${Number(hour) + 2}${minute}${rest}${(Number(mm.replace(',', '.')) / 0.1).toFixed(9)}`
        },
      ),
  )
  const args = ['--radar', ...radar, '--gauges', table, '--method', 'mfb', '--cells', '1', '--tip', '0.1']
  const { exit, out } = await run([...args, '--time-zone', 'Europe/Paris'])
  expect(exit).toBe(0)
  expect(JSON.parse(readFileSync(join(out, 'scores.json'), 'utf8')).factor).toBeCloseTo(2, 5)
  expect((await run([...args, '--time-zone', 'Europe/Lutece'])).exit).toBe(64)
})

test('too few gauges: nothing is adjusted, and it is said', async () => {
  const { exit, text } = await run([
    '--radar',
    ...radar,
    '--gauges',
    gauges('few.csv', [25, 48]),
    '--method',
    'ked',
  ])
  expect([exit, text]).toEqual([1, expect.stringMatching(/2 paires de.*il en faut 5/)])
})

test('gauges outside and gauges with holes are left out by name', async () => {
  const table = gauges(
    'holes.csv',
    CELLS,
    (text) =>
      `${text.replace(/(P25;.*);[\d,]+$/m, '$1;').replace(/(P25;.*);[\d,]+$/m, '$1;')}2026-07-14T16:05:00Z;LOIN;90000;90000;1\n`,
  )
  const { exit, text } = await run(['--radar', ...radar, '--gauges', table, '--method', 'mfb'])
  expect(exit).toBe(0)
  expect(text).toMatch(/hors de la grille des images : LOIN/)
  expect(text).toMatch(/mesures manquantes : P25/)
})

test('what cannot be adjusted is refused in words', async () => {
  const table = gauges('good.csv', CELLS)
  const adjusted = await frame('adjusted.h5', START, () => 1, { bias: 0.5 })
  const late = gauges('late.csv', CELLS, (text) => text.replaceAll('2026-07-14', '2026-07-20'))
  const empty = join(dir, 'empty')
  writeFileSync(empty, '')
  const refusals: [string[], number, RegExp][] = [
    [['--radar', ...radar, '--method', 'mfb'], 64, /il manque --gauges/],
    [['--gauges', table, '--method', 'mfb'], 64, /il manque --radar/],
    [['--radar', ...radar, '--gauges', table, '--method', 'best'], 64, /--method vaut « best »/],
    [['--radar', ...radar, '--gauges', table, '--method', 'mfb', '--limits', '3,1'], 64, /--limits/],
    [['--radar', adjusted, '--gauges', table, '--method', 'mfb'], 64, /déjà ajusté/],
    [['--radar', radar[0], radar[0], '--gauges', table, '--method', 'mfb'], 64, /même heure/],
    [['--radar', ...radar, '--gauges', late, '--method', 'mfb'], 1, /aucune mesure/],
    [['--radar', ...radar, '--gauges', join(dir, 'none.csv'), '--method', 'mfb'], 64, /n’existe pas/],
    [['--radar', table, '--gauges', table, '--method', 'mfb'], 64, /good\.csv/],
    [['--radar', ...radar, '--gauges', dir, '--method', 'mfb'], 64, /est un dossier : donnez un fichier/],
    [['--radar', dir, '--gauges', table, '--method', 'mfb'], 64, /est un dossier : donnez un fichier/],
    [['--radar', ...radar, '--gauges', empty, '--method', 'mfb'], 64, /empty est vide/],
    [['--radar', ...radar, empty, '--gauges', table, '--method', 'mfb'], 64, /empty est vide/],
    [['--radar', ...radar, '--gauges', table, '--method', 'mfb', '--out', empty], 64, /est un fichier/],
    [
      ['--radar', ...radar, '--gauges', table, '--method', 'mfb', '--out', `${empty}/a`],
      64,
      /par un fichier/,
    ],
    [['--radar', ...radar, '--gauges', table, '--method', 'mfb', '--cells', '2,5'], 64, /nombre entier/],
  ]
  for (const [args, exit, said] of refusals) {
    const done = await run(args)
    expect([done.exit, done.text]).toEqual([exit, expect.stringMatching(said)])
  }
})

test('a picture alone is met by the reading that begins or ends with it', async () => {
  const args = [
    '--gauges',
    gauges('alone.csv', CELLS),
    '--method',
    'mfb',
    '--cells',
    '1',
    '--radar',
    radar[2],
  ]
  const alone = await run(args)
  expect([alone.exit, alone.text]).toEqual([0, expect.stringMatching(/1 image écrite.*facteur 2\./)])
  expect(JSON.parse(readFileSync(join(alone.out, 'scores.json'), 'utf8'))).toMatchObject({
    frameTime: 'start',
  })
  const ending = await run([...args, '--frame-time', 'end'])
  expect(JSON.parse(readFileSync(join(ending.out, 'scores.json'), 'utf8')).hours).toBeCloseTo(1 / 12, 9)
  expect((await run([...args, '--frame-time', 'middle'])).exit).toBe(1)
})

test('where the radar saw no rain, or the same at all gauges, it is said that the field is of the gauges alone', async () => {
  const made = (name: string, rate: (i: number) => number) =>
    Promise.all(Array.from({ length: 6 }, (_, k) => frame(`${name}${k}.h5`, START + k * 300_000, rate)))
  const dry = await made('dry', () => 0)
  const flat = await made('flat', (i) => (i === 399 ? 5 : 1))
  const table = gauges('dry.csv', CELLS)
  const told = async (method: string, files: string[]) =>
    (await run(['--radar', ...files, '--gauges', table, '--method', method])).text
  for (const method of ['ked', 'additive', 'mixed'])
    expect(await told(method, dry)).toContain('le radar n’a vu aucune pluie')
  expect(await told('ked', flat)).toContain('la même pluie à tous les pluviomètres (0,5 mm)')
  for (const [method, files] of [
    ['ked', radar],
    ['additive', flat],
  ] as const)
    expect(await told(method, files)).not.toContain('seuls pluviomètres')
})
