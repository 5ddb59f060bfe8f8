import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { largestDepths } from '@radx/rainfall/storms/depth-duration'
import { montanaDepthMm } from '@radx/rainfall/storms/montana'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { runCommand as run } from './testing/run-command.ts'

async function file(name: string, text: string | Uint8Array): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'storm-'))
  onTestFinished(() => rm(dir, { recursive: true, force: true }))
  const path = join(dir, name)
  await writeFile(path, text)
  return path
}

const rates = (csv: string) =>
  csv
    .split('\n')
    .slice(1)
    .map((line) => Number(line.split(',')[1]))
const REGION_I = ['--montana', '5.9,0.59']
const TABLE =
  'T;a;b;durée min;durée max\n5;10,874;0,779;30;360\n10;15,096;0,803;30;360\n100;37,379;0,872;30;360\n'

describe('radx storm', () => {
  test('writes the Chicago storm of the reference as minute,mm_h', async () => {
    const { exit, out } = await run(
      'storm',
      'chicago',
      ...REGION_I,
      '--duration',
      '120',
      '--step',
      '5',
      '--peak',
      '0.4',
    )
    expect(exit).toBe(0)
    expect(out.split('\n').slice(0, 2)).toEqual(['minute,mm_h', '0,8.891623'])
    expect(rates(out)).toHaveLength(24)
    expect(Math.max(...rates(out))).toBeCloseTo(134.2875, 4)
  })

  test('writes the double triangle and the uniform storm with their volumes', async () => {
    const double = rates(
      (await run('storm', 'double-triangle', ...REGION_I, '--total', '240', '--intense', '30', '--step', '1'))
        .out,
    )
    expect(double.reduce((sum, rate) => sum + rate / 60, 0)).toBeCloseTo(55.8134, 4)
    expect(Math.max(...double)).toBeCloseTo(74.93, 2)
    const { out } = await run('storm', 'uniform', '--montana=5,9;0,59', '--duration', '1h', '--step', '10')
    expect(rates(out)).toEqual(new Array(6).fill(31.615061))
  })

  test.each([
    [3.2, 0.45, 90, 1, 0.5],
    [4.5, 0.52, 75, 5, 0.3],
    [7.75, 0.61, 180, 3, 0.37],
    [10.874, 0.779, 360, 10, 0.4],
    [12, 0.8, 30, 2.5, 0.75],
    [28.93, 0.852, 240, 15, 0.25],
    [37.379, 0.872, 60, 1, 0.6],
  ])('other numbers: a %d, b %d over %d min at %d min, peak %d', async (a, b, duration, step, peak) => {
    const law = ['--montana', `${a},${b}`]
    const stepped = (csv: string, stepMin: number) => {
      const ratesMmH = rates(csv)
      return { edgesMin: [...ratesMmH.keys(), ratesMmH.length].map((k) => k * stepMin), ratesMmH }
    }
    const total = ({ edgesMin, ratesMmH }: ReturnType<typeof stepped>) =>
      ratesMmH.reduce((sum, rate, k) => sum + (rate * (edgesMin[k + 1] - edgesMin[k])) / 60, 0)
    const chicago = async (stepMin: number) =>
      stepped(
        (
          await run(
            ...['storm', 'chicago', ...law, '--duration', String(duration)],
            ...['--step', String(stepMin), '--peak', String(peak)],
          )
        ).out,
        stepMin,
      )
    const depth = (minutes: number) => montanaDepthMm({ a, b }, minutes)
    const [coarse, fine] = [await chicago(step), await chicago(1)]
    // Six digits after the point are printed.
    for (const rain of [coarse, fine]) expect(total(rain) / depth(duration)).toBeCloseTo(1, 7)
    const windows = Array.from({ length: duration }, (_, k) => k + 1)
    for (const { durationMin, depthMm } of largestDepths(coarse, windows))
      expect(depthMm / depth(durationMin)).toBeLessThan(1 + 1e-7)
    for (const { durationMin, depthMm } of largestDepths(fine, windows))
      expect(Math.abs(depthMm / depth(durationMin) - 1)).toBeLessThan(0.005)

    const intense = Math.round(duration / 6)
    const double = await run(
      ...['storm', 'double-triangle', ...law, '--total', String(duration)],
      ...['--intense', String(intense), '--step', '0.5'],
    )
    const blocks = stepped(double.out, 0.5)
    expect(total(blocks) / depth(duration)).toBeCloseTo(1, 6)
    const from = (duration - intense) / 2
    const middle = blocks.ratesMmH.filter((_, k) => k * 0.5 >= from && k * 0.5 < from + intense)
    expect(middle.reduce((sum, rate) => sum + rate / 120, 0) / depth(intense)).toBeCloseTo(1, 6)

    const uniform = await run(
      'storm',
      'uniform',
      ...law,
      '--duration',
      String(duration),
      '--step',
      String(step),
    )
    expect(total(stepped(uniform.out, step)) / depth(duration)).toBeCloseTo(1, 7)
  })

  test('takes the coefficients of a period from a table, none beside it', async () => {
    const table = await file('t.csv', TABLE)
    const ten = await run('storm', 'uniform', '--montana', table, '--period', '10', '--duration', '60')
    expect(rates(ten.out)[0]).toBeCloseTo(33.819, 3)
    const short = await run('storm', 'uniform', '--montana', table, '--period', '10', '--duration', '15')
    expect([short.exit, short.err]).toEqual([
      64,
      expect.stringContaining('pas de ligne pour 10 ans et 15 min'),
    ])
  })

  test('coefficients in other units make the same storm; what a table does not vouch for is told', async () => {
    const hour = ['--duration', '60', '--step', '10']
    for (const [law, units] of [
      ['5.9,0.59', 'mm-min'],
      ['354,0.59', 'mmh-min'],
      [`${montanaDepthMm({ a: 5.9, b: 0.59 }, 60)},0.59`, 'mmh-h'],
    ]) {
      const { out } = await run('storm', 'uniform', '--montana', law, '--units', units, ...hour)
      expect(rates(out)).toEqual(new Array(6).fill(31.615061))
    }
    const unsaid = await run('storm', 'uniform', '--montana', '354,0.59', ...hour)
    expect([unsaid.exit, unsaid.out]).toEqual([64, ''])
    expect(unsaid.err).toMatch(/1897 mm en une heure.*--units mmh-min ou mmh-h/)
    const tiny = await run('storm', 'uniform', '--montana', '1e-4,0.59', ...hour)
    expect([tiny.exit, tiny.out]).toEqual([64, ''])
    // 120 min is the end of one range and the start of the next, whose line comes first.
    const text = 'T;a;b;durée min;durée max\n10;10;0,7;120;720\n10;5,9;0,59;6;120\n'
    const from = ['--montana', await file('t.csv', text), '--period', '10', '--duration', '120']
    const two = await run('storm', 'uniform', ...from, '--step', '120')
    expect(rates(two.out)[0]).toBeCloseTo(42.0065 / 2, 3)
    const fine = await run('storm', 'chicago', ...from, '--step', '1')
    expect([fine.exit, fine.err]).toEqual([
      0,
      expect.stringContaining('la pointe prolonge la loi de 6 à 120 min jusqu’à 1 min'),
    ])
    const bad = await run('storm', 'uniform', ...REGION_I, '--units', 'pouces', ...hour)
    expect([bad.exit, bad.err]).toEqual([64, expect.stringContaining('--units vaut « pouces »')])
  })

  test.each<[string[], RegExp]>([
    [['chicago', '--duration', '60'], /il manque --montana/],
    [['chicago', ...REGION_I], /il manque --duration/],
    [['chicago', '--montana', '5,9,0,59', '--duration', '60'], /virgules décimales/],
    [['chicago', '--montana', '5.9,1.2', '--duration', '60'], /b vaut 1.2/],
    [['chicago', '--montana', '5.9,-0.59', '--duration', '60'], /Changer son signe/],
    [['chicago', ...REGION_I, '--duration', '60', '--peak', '40'], /--peak/],
    [['chicago', ...REGION_I, '--duration', '60', '--step', '90'], /--step/],
    [['chicago', ...REGION_I, '--duration', 'abc'], /--duration vaut « abc »/],
    [['double-triangle', ...REGION_I, '--total', '30', '--intense', '60'], /--intense/],
    [['uniform', '--montana', '-1,0.5', '--duration', '60'], /--montana=VALEUR/],
  ])('radx storm %j is refused at its option', async (args, message) => {
    const { exit, err } = await run('storm', ...args)
    expect([exit, err]).toEqual([64, expect.stringMatching(message)])
  })
})

describe('radx return-period', () => {
  test('reads a table and a series in the codes that spreadsheets write', async () => {
    const series = 'durée;mm/h\n0;30\n10;60\n20;0\n30;12\n40;5\n50;5\n'
    const answers: string[] = []
    for (const bytes of [
      (text: string) => Buffer.from(text),
      (text: string) => Buffer.from(text, 'latin1'),
      (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
    ]) {
      const [table, rain] = [await file('t.csv', bytes(TABLE)), await file('s.csv', bytes(series))]
      const { exit, out } = await run('return-period', '--montana', table, rain)
      expect(exit).toBe(0)
      answers.push(out)
    }
    expect(answers[0]).toContain('\n30,')
    expect(new Set(answers).size).toBe(1)
  })

  test('prints duration, depth and period, and what the table does not hold', async () => {
    const table = await file('t.csv', TABLE)
    const storm = await run(
      'storm',
      'chicago',
      '--montana',
      table,
      '--period',
      '10',
      '--duration',
      '120',
      '--step',
      '1',
    )
    const { exit, out, err } = await run('return-period', '--montana', table, await file('s.csv', storm.out))
    expect(exit).toBe(0)
    const rows = out.split('\n').map((line) => line.split(','))
    expect(rows[0]).toEqual(['duration_min', 'depth_mm', 'period_years', 'period'])
    expect(rows.find(([minutes]) => minutes === '6')?.slice(2)).toEqual(['', 'hors du tableau'])
    const [, depth, years] = rows.find(([minutes]) => minutes === '120') as string[]
    expect([Number(depth), Number(years)]).toEqual([expect.closeTo(38.767, 3), expect.closeTo(10, 3)])
    expect(rows.at(-1)?.[0]).toBe('120')
    expect(err).toMatch(/i en mm\/min[\s\S]*la série dure 120 min/)
  })

  test('RADX_CSV sets the dialect, which the first line names; what is written is read again', async () => {
    const uniform = ['storm', 'uniform', '--montana', '5.9,0.59', '--duration', '60', '--step', '5']
    const plain = await run(...uniform)
    const table = await file('t.csv', TABLE)
    const periods = async (text: string) =>
      run('return-period', '--montana', table, await file('s.csv', text))
    const expected = (await periods(plain.out)).out.split('\n').map((line) => line.split(','))
    vi.stubEnv('RADX_CSV', 'semicolon')
    onTestFinished(() => void vi.unstubAllEnvs())
    const french = await run(...uniform)
    const lines = french.out.split('\n')
    expect(lines.slice(0, 2)).toEqual([
      '# CSV : champs séparés par des points-virgules, virgule décimale',
      'minute;mm_h',
    ])
    expect(lines[2]).toMatch(/^0;\d+,\d+$/)
    const found = await periods(french.out)
    expect(found.out.split('\n')[0]).toBe(lines[0])
    expect(found.out.split('\n').slice(1)).toEqual(
      expected.map((fields, k) => fields.map((field) => (k > 0 ? field.replace('.', ',') : field)).join(';')),
    )
    vi.stubEnv('RADX_CSV', 'tab')
    const wrong = await run(...uniform)
    expect([wrong.exit, wrong.out]).toEqual([64, ''])
    expect(wrong.err).toContain('RADX_CSV : « tab » n’est pas connu')
  })

  test('a series with holes and unequal steps says so and counts none as dry', async () => {
    const series = await file(
      's.csv',
      'Date;mm\n15/06/2023 12:00;1\n15/06/2023 12:10;\n15/06/2023 12:20;20\n15/06/2023 12:50;0\n',
    )
    const { out, err } = await run(
      'return-period',
      '--montana',
      await file('t.csv', TABLE),
      series,
      '--durations',
      '5,30',
    )
    expect(out.split('\n').slice(1)).toEqual(['30,20,,moins de 5\u00a0ans'])
    expect(err).toMatch(/pas de durée plus courte[\s\S]*10 min sans valeur/)
  })

  test.each([
    ['T;a;b;min;max\n5;1;1,5;6;60\n', '0;1\n5;2\n', 't.csv, ligne 2, colonne b'],
    [TABLE, '0;1\n5;-2\n', 's.csv, ligne 2'],
    [TABLE, '', 's.csv, ligne 1'],
  ])('bad input is refused at its place (%#)', async (table, series, message) => {
    const { exit, err } = await run(
      'return-period',
      '--montana',
      await file('t.csv', table),
      await file('s.csv', series),
    )
    expect([exit, err]).toEqual([1, expect.stringContaining(message)])
  })
})
