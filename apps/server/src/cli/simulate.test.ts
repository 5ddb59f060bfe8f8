import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readEsriAscii } from '@radx/formats/esri-ascii'
import { afterAll, describe, expect, test } from 'vitest'
import { MODEL } from '../networks/testing/model.ts'
import { framesOf, readParts } from '../simulation/testing/parts.ts'
import { writeSmallCatchment } from '../simulation/testing/small-catchment.ts'
import { runCommand } from './testing/run-command.ts'

const root = mkdtempSync(join(tmpdir(), 'radx-simulate-'))
afterAll(() => rmSync(root, { recursive: true }))
const catchment = writeSmallCatchment(join(root, 'petit'))

const RAIN = ['--virtual', 'simple:10,4,150,8']

const simulate = (...args: string[]) => runCommand('simulate', catchment, ...RAIN, ...args)

const path = (name: string) => join(root, name)

describe('radx simulate, cut and gone on with', () => {
  test('the parts are the whole run, byte for byte, whatever the number of threads', async () => {
    expect((await simulate('--out', path('whole'), '--save-state', path('whole.state'))).exit).toBe(0)
    const one = await simulate(
      '--out',
      path('one'),
      '--save-state',
      path('a.state'),
      '--at',
      '480',
      '--threads',
      '2',
    )
    expect(one).toMatchObject({ exit: 0, err: '' })
    expect(one.out).toContain(`État à 480 s : ${path('a.state')}`)
    // The same file is gone on from and replaced.
    const two = await simulate(
      '--out',
      path('two'),
      '--from-state',
      path('a.state'),
      '--save-state',
      path('a.state'),
    )
    expect(two).toMatchObject({ exit: 0, err: '' })
    expect(two.out).toMatch(/^0,42 h simulées/)
    const parts = [path('one'), path('two')]
    expect(readParts(parts)).toEqual(readParts([path('whole')]))
    for (const [timeS, bytes] of framesOf([path('whole')])) expect(framesOf(parts).get(timeS)).toBe(bytes)
    expect(readFileSync(path('a.state')).equals(readFileSync(path('whole.state')))).toBe(true)
    expect(readFileSync(join(path('two'), 'log.txt'), 'utf8')).toContain(
      'Suite d’un calcul à partir de 480 s',
    )
  })

  test('--netcdf writes one CF-netCDF of the maps and the depths over time beside the rest', async () => {
    const told = await simulate('--netcdf', '--out', path('cf'))
    expect(told).toMatchObject({ exit: 0, err: '' })
    const { File, FS, ready } = await import('h5wasm')
    await ready
    FS!.writeFile('/run.nc', readFileSync(join(path('cf'), 'results.nc')))
    const file = new File('/run.nc', 'r')
    const values = (name: string) => [...((file.get(name) as import('h5wasm').Dataset).value as Float32Array)]
    const text = readFileSync(join(path('cf'), 'max_waterdepth_10m.txt'), 'utf8')
    const deepest = readEsriAscii(text, 'depth').data
    for (const [cell, depth] of values('max_depth').entries())
      expect(Object.is(depth, deepest[cell]) || Math.abs(depth - deepest[cell]) < 1e-6).toBe(true)
    // No moment is deeper than the deepest, and the last is the depth at the end.
    const depths = values('water_depth')
    const cells = deepest.length
    expect(depths.length % cells).toBe(0)
    for (const [k, mm] of depths.entries())
      if (mm !== 65535) expect(mm / 1000).toBeLessThanOrEqual(deepest[k % cells] + 0.0006)
    const last = readEsriAscii(readFileSync(join(path('cf'), 'final_waterdepth_10m.txt'), 'utf8'), 'end').data
    for (const [cell, depth] of last.entries())
      if (depth >= 0) expect(depths[depths.length - cells + cell] / 1000).toBeCloseTo(depth, 2)
    file.close()
  })

  test.each<[string, number, string[]]>([
    ['Le plus proche : 480 s ou 540 s.', 1, ['--at', '500', '--save-state', path('x.state')]],
    ['--at va avec --save-state.', 64, ['--at', '480']],
    ['--at attend un nombre de secondes', 64, ['--at', 'midi', '--save-state', path('x.state')]],
    ['ne peut être lu (ENOENT)', 1, ['--from-state', path('absent.state')]],
    ['il n’est pas remplacé', 1, ['--save-state', join(catchment, 'luse.asc')]],
    ['ne peut être écrit', 1, ['--save-state', path('absent/x.state')]],
  ])('« %s » is said, and nothing is left behind', async (words, exit, args) => {
    const refused = await simulate('--out', path('refused'), ...args)
    expect(refused.exit).toBe(exit)
    expect(refused.err).toContain(words)
    expect(existsSync(path('refused'))).toBe(false)
    expect(existsSync(path('x.state'))).toBe(false)
  })

  test('a state that is damaged, or of another catchment, is refused in words', async () => {
    await simulate('--out', path('short'), '--save-state', path('b.state'), '--at', '60')
    const bytes = readFileSync(path('b.state'))
    writeFileSync(path('cut.state'), bytes.subarray(0, bytes.length - 9))
    const cut = await simulate('--out', path('refused'), '--from-state', path('cut.state'))
    expect(cut).toMatchObject({ exit: 1, err: expect.stringContaining('est incomplet') })
    const wet = await simulate(
      '--out',
      path('refused'),
      '--from-state',
      path('b.state'),
      '--soil-before',
      'wet',
    )
    expect(wet).toMatchObject({ exit: 1, err: expect.stringContaining('l’humidité du sol avant la pluie') })
    expect(existsSync(path('refused'))).toBe(false)
  })
})

describe('radx simulate on a catchment without ground', () => {
  const dir = path('sans-terrain')
  mkdirSync(dir)
  writeFileSync(join(dir, 'catchment.json'), JSON.stringify({ id: 'sans-terrain', crs: 'EPSG:2154' }))
  writeFileSync(join(dir, 'network.inp'), MODEL)
  const run = (...args: string[]) => runCommand('simulate', dir, ...args)

  test('its subcatchments run off under the rain of the command, into its network', async () => {
    const done = await run('--uniform', '36:180', '--out', path('reseau'))
    expect(done).toMatchObject({ exit: 0, err: expect.stringContaining('ni elevation.asc ni luse.asc') })
    const read = (name: string) => readFileSync(join(path('reseau'), name), 'utf8')
    const { runoff, inflowM3, outfallM3, relativeError } = JSON.parse(read('balance.json'))
    // A hectare under 36 mm/h for as long as the command says, longer than the file's two hours.
    expect(runoff.rainM3).toBeCloseTo(0.036 * 3 * 10_000, 3)
    expect(runoff.runoffM3).toBeGreaterThan(0.5 * runoff.rainM3)
    expect(inflowM3).toBeCloseTo(runoff.runoffM3, -1)
    expect(outfallM3).toBeGreaterThan(0.9 * inflowM3)
    expect(relativeError).toBeLessThan(1e-9)
    expect(JSON.parse(read('run.json'))).toMatchObject({ simulatedSeconds: 10_800, complete: true })
    expect(read('subcatchments.csv')).toContain('S1')
    expect(read('network.rpt')).toContain('Subcatchment Runoff Summary')
  })

  test('options of a surface are refused, and so is a network on which no rain falls', async () => {
    const surface = await run('--uniform', '36:60', '--scheme', 'full', '--out', path('rien'))
    expect(surface).toMatchObject({ exit: 64, err: expect.stringContaining('--scheme ne s’applique') })
    const bare = path('nu')
    mkdirSync(bare)
    writeFileSync(join(bare, 'catchment.json'), '{}')
    writeFileSync(
      join(bare, 'network.inp'),
      MODEL.replace(/\[SUBCATCHMENTS\][\s\S]*?\[JUNCTIONS\]/, '[JUNCTIONS]'),
    )
    const dry = await runCommand('simulate', bare, '--uniform', '36:60', '--out', path('rien'))
    expect(dry).toMatchObject({ exit: 1, err: expect.stringContaining('la pluie ne tombe nulle part') })
    expect(existsSync(path('rien'))).toBe(false)
  })

  test('radar rain needs a catchment.json that can be read', async () => {
    const broken = path('abime')
    mkdirSync(broken)
    writeFileSync(join(broken, 'catchment.json'), '{"crs": ')
    writeFileSync(join(broken, 'network.inp'), MODEL)
    const span = ['--radar', 'dpsri,2018-01-15T23:00:00Z,2018-01-16T00:00:00Z']
    const refused = await runCommand('simulate', broken, ...span, '--out', path('rien'))
    expect(refused).toMatchObject({
      exit: 1,
      err: expect.stringContaining('catchment.json n’est pas du JSON'),
    })
    expect(existsSync(path('rien'))).toBe(false)
  })
})
