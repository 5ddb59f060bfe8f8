import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hdf5Ready } from '@radx/formats/hdf5/file'
import { readOdim } from '@radx/formats/odim/odim'
import { odim } from '@radx/formats/testing/odim-file'
import { beforeAll, describe, expect, test } from 'vitest'
import { GEOMETRY, placeOf, SIDE, writeFrame } from './testing/adjust-files.ts'
import { runCommand } from './testing/run-command.ts'

// What people give `radx adjust`: their dialects of tables, their kinds of radar files, and what is wrong with both.

const dir = mkdtempSync(join(tmpdir(), 'radx-adjust-files-'))
const START = Date.UTC(2026, 6, 14, 16)
const MINUTE = 60_000
const CELLS = [25, 48, 111, 190, 233, 307, 371]
const STEPS = 12
const TRUE_FACTOR = 1.7

/** Rain that differs by place and by time, mm/h. */
const rate = (cell: number, k: number) => (1 + (cell % 7)) * (1 + ((k * 5) % 4))
let radar: string[]

interface Reading {
  timeMs: number
  cell: number
  mm: number
}

const READINGS: Reading[] = CELLS.flatMap((cell) =>
  Array.from({ length: STEPS }, (_, k) => ({
    timeMs: START + (k + 1) * 5 * MINUTE,
    cell,
    mm: (TRUE_FACTOR * rate(cell, k)) / 12,
  })),
)

const iso = (ms: number) => new Date(ms).toISOString()
const line = ({ timeMs, cell, mm }: Reading, value: string = String(mm), time = iso(timeMs)) => {
  const { x, y } = placeOf(cell)
  return `${time},P${cell},${x},${y},${value}`
}
const table = (lines: readonly string[], head = 'time,station,x,y,mm') => `${head}\n${lines.join('\n')}\n`

function save(name: string, content: string | Uint8Array): string {
  const path = join(dir, name)
  writeFileSync(path, content)
  return path
}

beforeAll(async () => {
  await hdf5Ready()
  radar = await Promise.all(
    Array.from({ length: STEPS }, (_, k) =>
      writeFrame(join(dir, `f${k}.h5`), START + k * 5 * MINUTE, (cell) => rate(cell, k)),
    ),
  )
})

let runs = 0
async function adjusted(gauges: string, args: string[] = [], files = radar) {
  const out = join(dir, `out-${runs++}`)
  const { exit, text } = await runCommand(
    ...['adjust', '--radar', ...files, '--gauges', gauges, '--out', out],
    ...(args.includes('--method') ? args : ['--method', 'mfb', ...args]),
    ...['--cells', '1'],
  )
  const scores = exit === 64 ? null : readScores(out)
  return { exit, text, out, scores }
}

function readScores(out: string) {
  try {
    return JSON.parse(readFileSync(join(out, 'scores.json'), 'utf8'))
  } catch {
    return null
  }
}

const french = (mm: number) => String(mm).replace('.', ',')
const paris = (ms: number) =>
  new Intl.DateTimeFormat('fr-FR', {
    timeZone: 'Europe/Paris',
    dateStyle: 'short',
    timeStyle: 'medium',
  }).format(ms)
const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')

describe('tables of gauges in many dialects mean the same', () => {
  const dialects: [string, () => string | Uint8Array, string[]][] = [
    ['as it is', () => table(READINGS.map((one) => line(one))), []],
    [
      'tabs, a byte order mark and lines ending in CR LF',
      () =>
        `\ufeff${table(
          READINGS.map((one) => line(one).replaceAll(',', '\t')),
          'time\tstation\tx\ty\tmm',
        )}`.replaceAll('\n', '\r\n'),
      [],
    ],
    [
      'French: semicolons, decimal commas, day first, local time',
      () =>
        table(
          READINGS.map(({ timeMs, cell, mm }) => {
            const { x, y } = placeOf(cell)
            return `${paris(timeMs)};P${cell};${french(x)};${french(y)};${french(mm)}`
          }),
          'Date/heure;Poste;X;Y;Hauteur de pluie (mm)',
        ),
      ['--time-zone', 'Europe/Paris'],
    ],
    [
      'UTF-16 as spreadsheets write it, with accents',
      () =>
        utf16(
          table(
            READINGS.map((one) => line(one).replaceAll(',', '\t')),
            'Temps\tPluviomètre\tX\tY\tPrécipitations (mm)',
          ),
        ),
      [],
    ],
    [
      'Latin-1, other columns between, quoted',
      () =>
        Buffer.from(
          table(
            READINGS.map(({ timeMs, cell, mm }) => {
              const { x, y } = placeOf(cell)
              return `"Saint-Rémy, école";${mm};"${iso(timeMs)}";P${cell};${y};${x};bon`
            }),
            'commune;"pluie (mm)";heure;station;y;x;qualité',
          ),
          'latin1',
        ),
      [],
    ],
    ['times backward', () => table(READINGS.map((one) => line(one)).reverse()), []],
    ['lines twice', () => table(READINGS.flatMap((one) => [line(one), line(one)])), []],
    [
      'gauges with readings of their own step',
      () =>
        table(
          READINGS.flatMap((one) =>
            one.cell === 48
              ? Array.from({ length: 5 }, (_, i) =>
                  line({ ...one, timeMs: one.timeMs - (4 - i) * MINUTE, mm: one.mm / 5 }),
                )
              : [line(one)],
          ),
        ),
      [],
    ],
    [
      'an offset in each time',
      () =>
        table(
          READINGS.map((one) =>
            line(one, undefined, iso(one.timeMs + 2 * 60 * MINUTE).replace('.000Z', '+02:00')),
          ),
        ),
      [],
    ],
    [
      'totals that only grow',
      () => {
        const lines = CELLS.flatMap((cell) => {
          let total = 812.4
          const start = { timeMs: START, cell, mm: total }
          return [start, ...READINGS.filter((one) => one.cell === cell)].map((one, i) => {
            if (i > 0) total += one.mm
            return line(one, String(total))
          })
        })
        return table(lines)
      },
      ['--unit', 'total'],
    ],
    [
      'rates at the radar’s moments',
      () =>
        table(
          READINGS.map((one) => line({ ...one, timeMs: one.timeMs - 5 * MINUTE, mm: one.mm * 12 })),
          'time,station,x,y,mm/h',
        ),
      [],
    ],
    [
      'rates every minute',
      () =>
        table(
          READINGS.flatMap((one) =>
            Array.from({ length: 5 }, (_, i) =>
              line({ ...one, timeMs: one.timeMs - 5 * MINUTE + (i - 2) * MINUTE, mm: one.mm * 12 }),
            ),
          ),
          'time,station,x,y,mm/h',
        ),
      [],
    ],
  ]
  test.each(dialects)('%s', async (name, content, args) => {
    const { exit, scores, text } = await adjusted(save(`${name.slice(0, 12)}.csv`, content()), args)
    expect([exit, text]).toEqual([0, expect.stringContaining('12 images')])
    expect(scores.factor).toBeCloseTo(TRUE_FACTOR, 6)
    expect(scores.raw.pairs).toBe(CELLS.length)
  })

  test('the night when clocks go back: each hour once, in the order of the file', async () => {
    const night = Date.UTC(2026, 9, 24, 23, 30)
    const files = await Promise.all(
      Array.from({ length: 36 }, (_, k) =>
        writeFrame(join(dir, 'night', `n${k}.h5`), night + k * 5 * MINUTE, (cell) => rate(cell, k)),
      ),
    )
    const lines = CELLS.flatMap((cell) =>
      Array.from({ length: 36 }, (_, k) =>
        line(
          { timeMs: 0, cell, mm: 0 },
          String((TRUE_FACTOR * rate(cell, k)) / 12),
          paris(night + (k + 1) * 5 * MINUTE),
        ),
      ),
    )
    const { exit, text, scores } = await adjusted(
      save('night.csv', table(lines)),
      ['--time-zone', 'Europe/Paris'],
      files,
    )
    expect([exit, text]).toEqual([0, expect.stringContaining('changement d’heure')])
    expect(scores.factor).toBeCloseTo(TRUE_FACTOR, 6)
    expect(scores.hours).toBeCloseTo(3, 9)
  })
})

describe('readings that are not there', () => {
  test.each(['', 'NaN', '-9999', '-999.0', 'n/a', 'MQ', '-'])(
    '%s is missing, not dry: the factor stays',
    async (written) => {
      const { scores } = await adjusted(
        save(
          'gap.csv',
          table(
            READINGS.map((one) =>
              line(one, one.cell === 48 && one.timeMs === START + 20 * MINUTE ? written : undefined),
            ),
          ),
        ),
      )
      expect(scores.raw.pairs).toBe(CELLS.length)
      expect(scores.factor).toBeCloseTo(TRUE_FACTOR, 6)
    },
  )

  test('a gauge that misses much is left out by name, a period without gauges is said', async () => {
    const hole = READINGS.filter(({ cell, timeMs }) => cell !== 48 || timeMs < START + 30 * MINUTE)
    const left = await adjusted(save('hole.csv', table(hole.map((one) => line(one)))))
    expect([left.exit, left.text]).toEqual([0, expect.stringContaining('mesures manquantes : P48')])
    expect(left.scores.factor).toBeCloseTo(TRUE_FACTOR, 6)
    const other = READINGS.map((one) => line({ ...one, timeMs: one.timeMs + 3 * 86_400_000 }))
    const none = await adjusted(save('other.csv', table(other)))
    expect([none.exit, none.text]).toEqual([1, expect.stringContaining('Les heures sont-elles en UTC')])
  })

  test('one gauge with a longer record than the others does not put them aside', async () => {
    const longer = [-4, -3, -2, -1, 0].map((k) =>
      line({ timeMs: START + k * 5 * MINUTE, cell: 48, mm: (TRUE_FACTOR * rate(48, 0)) / 12 }),
    )
    const files = await Promise.all(
      [-5, -4, -3, -2, -1].map((k) =>
        writeFrame(join(dir, 'early', `e${k}.h5`), START + k * 5 * MINUTE, (cell) => rate(cell, 0)),
      ),
    )
    const lines = [...longer, ...READINGS.map((one) => line(one))]
    const { scores } = await adjusted(save('longer.csv', table(lines)), [], [...files, ...radar])
    expect(scores.raw.pairs).toBe(CELLS.length)
    expect(scores.factor).toBeCloseTo(TRUE_FACTOR, 6)
  })

  test('a total that runs backward leaves its interval out, and it is said', async () => {
    const steps = 24
    const files = await Promise.all(
      Array.from({ length: steps }, (_, k) =>
        writeFrame(join(dir, 'long', `l${k}.h5`), START + k * 5 * MINUTE, (cell) => rate(cell, k)),
      ),
    )
    const lines = CELLS.flatMap((cell) => {
      let total = 3
      return Array.from({ length: steps + 1 }, (_, k) => {
        if (k > 0) total += (TRUE_FACTOR * rate(cell, k - 1)) / 12
        if (cell === 48 && k === 9) total = 0.2
        return line({ timeMs: START + k * 5 * MINUTE, cell, mm: total })
      })
    })
    const { text, scores } = await adjusted(save('back.csv', table(lines)), ['--unit', 'total'], files)
    expect(text).toContain('P48 : le cumul recule 1 fois')
    expect(scores.factor).toBeCloseTo(TRUE_FACTOR, 6)
  })

  test.each([
    ['that only grow', -1],
    ['that were set to zero once', 7],
  ])('totals %s given as depths are suspected in words', async (_, reset) => {
    let total = 0
    const lines = READINGS.filter(({ cell }) => cell === 48).map((one, i) => {
      total = (i === reset ? 0 : total) + one.mm
      return line({ ...one, mm: total })
    })
    expect((await adjusted(save('grows.csv', table(lines)))).text).toContain('donner l’unité « total »')
    expect((await adjusted(save('rain.csv', table(READINGS.map((one) => line(one)))))).text).not.toContain(
      'total',
    )
  })
})

describe('what is refused says where and why', () => {
  const lines = READINGS.map((one) => line(one))
  const jumped = READINGS.map((one, i) => {
    const { x, y } = placeOf(one.cell)
    return `${iso(one.timeMs)},P${one.cell},${i === 5 ? x + 100_000 : x},${y},${one.mm}`
  })
  test.each<[string, string, number, RegExp]>([
    [
      'commas for decimals and columns',
      table(lines.map((one) => one.replace(/\.(\d+)$/, ',$1'))),
      64,
      /ligne 2 : 6 cases pour 5 colonnes/,
    ],
    [
      'one column only',
      table(
        lines.map((one) => one.replaceAll(',', '|')),
        'time|station|x|y|mm',
      ),
      64,
      /séparées par « ; »/,
    ],
    [
      'a gauge that jumps by 100 km',
      table(jumped),
      64,
      /ligne 7 : le pluviomètre P25 a changé de place depuis la ligne 2/,
    ],
    [
      'a negative depth',
      table(lines.map((one, i) => (i === 3 ? one.replace(/[\d.]+$/, '-0.4') : one))),
      64,
      /ligne 5 : -0\.4 est négatif/,
    ],
    [
      'two values for one moment',
      table([...lines, line(READINGS[3], '7')]),
      64,
      /ligne 86 : .* deux valeurs pour le même instant/,
    ],
    [
      'a date that there is not',
      table(lines.map((one, i) => (i === 1 ? one.replace('2026-07-14', '2026-02-30') : one))),
      64,
      /ligne 3 : « 2026-02-30/,
    ],
    [
      'a day and month turned round',
      table(lines.map((one) => one.replace(/^2026-07-14T(\d\d:\d\d).*?,/, '07/14/2026 $1,'))),
      64,
      /JJ\/MM\/AAAA/,
    ],
    [
      'text for a depth',
      table(lines.map((one, i) => (i === 0 ? one.replace(/[\d.]+$/, 'beaucoup') : one))),
      64,
      /« beaucoup » n’est pas un nombre/,
    ],
    ['no place', table(lines, 'time,station,a,b,mm'), 64, /aucune position/],
    ['an empty file', '', 64, /est vide/],
    ['a heading alone', table([]), 64, /il faut un en-tête/],
    [
      'gauges all elsewhere',
      table(lines.map((one) => one.replace(/,P(\d+),[-\d.]+,/, ',P$1,900000,'))),
      1,
      /aucun pluviomètre n’est dans la grille.*échangées/,
    ],
  ])('%s', async (name, content, exit, said) => {
    const done = await adjusted(save(`${name.slice(0, 10)}.csv`, content))
    expect([done.exit, done.text]).toEqual([exit, expect.stringMatching(said)])
  })
})

describe('radar files of many kinds', () => {
  const WHERE = {
    projdef: GEOMETRY.proj4,
    LL_lon: 2.4502,
    LL_lat: 48.7499,
    UR_lon: 2.7238,
    UR_lat: 48.9299,
    xsize: SIDE,
    ysize: SIDE,
  }
  const hourOf = (cell: number) =>
    Array.from({ length: STEPS }, (_, k) => rate(cell, k) / 12).reduce((a, b) => a + b)
  const time = (ms: number) => ({
    date: iso(ms).slice(0, 10).replaceAll('-', ''),
    time: iso(ms).slice(11, 19).replaceAll(':', ''),
  })
  const sums = (endMs: number, hours: number, value: (cell: number) => number, how = {}) => {
    const [from, to] = [time(endMs - hours * 60 * MINUTE), time(endMs)]
    const what = {
      quantity: 'ACRR',
      startdate: from.date,
      starttime: from.time,
      enddate: to.date,
      endtime: to.time,
    }
    const data = Float32Array.from({ length: SIDE ** 2 }, (_, cell) => value(cell))
    return odim([{ what, data, shape: [SIDE, SIDE] }], { what: to, where: WHERE, how })
  }
  const hourly = CELLS.map((cell) =>
    line({ timeMs: START + 60 * MINUTE, cell, mm: TRUE_FACTOR * hourOf(cell) }),
  )

  test('one sum of an hour beside hourly and beside finer readings', async () => {
    const file = save('hour.h5', sums(START + 60 * MINUTE, 1, hourOf))
    for (const lines of [hourly, READINGS.map((one) => line(one))]) {
      const { exit, scores } = await adjusted(save('hourly.csv', table(lines)), [], [file])
      expect(exit).toBe(0)
      expect(scores).toMatchObject({ frameTime: 'end', from: iso(START), to: iso(START + 60 * MINUTE) })
      expect(scores.hours).toBeCloseTo(1, 9)
      expect(scores.factor).toBeCloseTo(TRUE_FACTOR, 5)
    }
  })

  test('rates that say of which five minutes they are are taken for those, also where less of the readings is met', async () => {
    const picture = (k: number) => {
      const [from, to] = [time(START + k * 5 * MINUTE), time(START + (k + 1) * 5 * MINUTE)]
      const span = { startdate: from.date, starttime: from.time, enddate: to.date, endtime: to.time }
      const data = Float32Array.from({ length: SIDE ** 2 }, (_, cell) => rate(cell, k))
      const layer = { what: { quantity: 'RATE', ...span }, data, shape: [SIDE, SIDE] }
      return save(`said${k}.h5`, odim([layer], { what: from, where: WHERE }))
    }
    // Without the first picture a guess would move the others by half a step to meet all readings of a quarter.
    const files = Array.from({ length: STEPS - 1 }, (_, k) => picture(k + 1))
    const quarters = READINGS.filter(({ timeMs }) => (timeMs - START) % (15 * MINUTE) === 0).map((one) => {
      const k = (one.timeMs - START) / (5 * MINUTE)
      const mm = [k - 1, k - 2, k - 3].reduce((sum, step) => sum + rate(one.cell, step) / 12, 0)
      return line({ ...one, mm: TRUE_FACTOR * mm })
    })
    const { exit, scores, text } = await adjusted(save('quarters.csv', table(quarters)), [], files)
    expect([exit, scores.frameTime, scores.from]).toEqual([0, 'start', iso(START + 15 * MINUTE)])
    expect(scores.factor).toBeCloseTo(TRUE_FACTOR, 5)
    expect(text).not.toContain('--frame-time')
  })

  test('a guess of which part of its step a frame’s time is, is told, and not where someone says it', async () => {
    const csv = save('guess.csv', table(READINGS.map((one) => line(one))))
    const guessed = await adjusted(csv)
    expect([guessed.exit, guessed.scores.frameTime]).toEqual([0, 'start'])
    expect(guessed.text).toContain('leur pas (5 min) correspond leur heure : le début, supposé')
    const said = await adjusted(csv, ['--frame-time', 'start'])
    expect([said.exit, said.scores.factor]).toEqual([0, guessed.scores.factor])
    expect(said.text).not.toContain('supposé')
    const moments = READINGS.map((one) => line({ ...one, timeMs: one.timeMs - 5 * MINUTE, mm: 12 * one.mm }))
    const rates = await adjusted(save('moments.csv', table(moments, 'time,station,x,y,mm/h')))
    expect(rates.text).toContain('prises comme des instants')
  })

  test('sums of an hour every five minutes count once, and it is said', async () => {
    const files = Array.from({ length: STEPS }, (_, k) =>
      save(
        `slide${k}.h5`,
        sums(START + (k + 1) * 5 * MINUTE, 1, (cell) => 1 + (cell % 7)),
      ),
    )
    const lines = READINGS.map((one) => line({ ...one, mm: (TRUE_FACTOR * (1 + (one.cell % 7))) / 12 }))
    const { text, scores } = await adjusted(save('slide.csv', table(lines)), [], files)
    expect(text).toContain('cumuls de 60 min toutes les 5 min')
    expect(scores.factor).toBeCloseTo(TRUE_FACTOR, 5)
  })

  test('reflectivity', async () => {
    const files = Array.from({ length: STEPS }, (_, k) => {
      const data = Float32Array.from(
        { length: SIDE ** 2 },
        (_, cell) => 10 * Math.log10(200 * rate(cell, k) ** 1.6),
      )
      const at = time(START + k * 5 * MINUTE)
      return save(
        `dbz${k}.h5`,
        odim([{ what: { quantity: 'DBZH', nodata: -99, undetect: -32 }, data, shape: [SIDE, SIDE] }], {
          what: at,
          where: WHERE,
        }),
      )
    })
    const { scores } = await adjusted(save('dbz.csv', table(READINGS.map((one) => line(one)))), [], files)
    expect(scores.factor).toBeCloseTo(TRUE_FACTOR, 4)
  })

  test('what says how/bias of its data is not adjusted again, wherever it says it', async () => {
    const good = save('good.csv', table(hourly))
    const file = save('biased.h5', sums(START + 60 * MINUTE, 1, hourOf, { bias: 2.04 }))
    const { exit, text } = await adjusted(good, [], [file])
    expect([exit, text]).toEqual([64, expect.stringMatching(/déjà ajusté \(how\/bias 2\.04\)/)])
    expect((await adjusted(good, ['--force'], [file])).exit).toBe(0)
  })

  test('files of one name in two folders are both written', async () => {
    const files = await Promise.all(
      [0, 1].flatMap((day) =>
        Array.from({ length: 6 }, (_, k) =>
          writeFrame(join(dir, `day${day}`, `g${k}.h5`), START + (6 * day + k) * 5 * MINUTE, (cell) =>
            rate(cell, 6 * day + k),
          ),
        ),
      ),
    )
    const { out, scores } = await adjusted(
      save('two.csv', table(READINGS.map((one) => line(one)))),
      [],
      files,
    )
    expect(new Set(scores.frames).size).toBe(12)
    expect(readdirSync(out)).toHaveLength(13)
    const times = await Promise.all(
      (scores.frames as string[]).map(
        async (name) => (await readOdim(readFileSync(join(out, name)))).datetime,
      ),
    )
    expect(times).toEqual(Array.from({ length: 12 }, (_, k) => iso(START + k * 5 * MINUTE)))
  })
})

describe('a radar with holes', () => {
  test.each(['mfb', 'additive', 'multiplicative', 'mixed', 'ked'])(
    '%s: a frame without data counts as none, a cell that is often missing has none',
    async (method) => {
      const folder = join(dir, `holes-${method}`)
      mkdirSync(folder)
      const files = await Promise.all(
        Array.from({ length: STEPS }, (_, k) =>
          writeFrame(join(folder, `h${k}.h5`), START + k * 5 * MINUTE, (cell) =>
            k === 7 || (cell === 0 && k % 2 === 0) || (cell === 1 && k === 2) ? Number.NaN : rate(cell, 0),
          ),
        ),
      )
      const lines = READINGS.map((one) => line({ ...one, mm: (TRUE_FACTOR * rate(one.cell, 0)) / 12 }))
      const { out, scores, exit, text } = await adjusted(
        save(`holes-${method}.csv`, table(lines)),
        ['--method', method],
        files,
      )
      expect(exit).toBe(0)
      const images = await Promise.all(
        (scores.frames as string[]).map(
          async (name) => (await readOdim(readFileSync(join(out, name)))).rateMmH,
        ),
      )
      expect(images[7].every(Number.isNaN)).toBe(true)
      expect(images[2][1]).toBeNaN()
      expect(images[3][1]).toBeGreaterThan(rate(1, 0))
      if (method === 'mfb' || method === 'multiplicative')
        expect(images[3][1]).toBeCloseTo(TRUE_FACTOR * rate(1, 0), 4)
      if (method !== 'mfb') {
        expect(images.every((image) => Number.isNaN(image[0]))).toBe(true)
        expect(text).toContain('1 maille : moins de 80 %')
      }
      for (const image of images) for (const v of image) expect(Number.isNaN(v) || v >= 0).toBe(true)
    },
  )

  test('a factor at its limit is said', async () => {
    const much = save('much.csv', table(READINGS.map((one) => line({ ...one, mm: 30 * one.mm }))))
    const { text, scores } = await adjusted(much)
    expect(scores.factor).toBe(10)
    expect(text).toContain('le facteur est à sa borne, 10')
  })

  test('gauges that are all dry adjust nothing by a factor, and say so', async () => {
    const { exit, text } = await adjusted(save('dry.csv', table(READINGS.map((one) => line(one, '0')))))
    expect([exit, text]).toEqual([1, expect.stringContaining('aucun rapport stable')])
  })
})
