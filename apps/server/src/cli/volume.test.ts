import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cfRadialBytes, gamicBytes, odimVolumeBytes } from '@radx/formats/testing/polar-file'
import { expect, test } from 'vitest'
import { runCommand } from './testing/run-command.ts'

const run = (...args: string[]) => runCommand('volume', ...args)

async function files(contents: Record<string, Uint8Array>): Promise<{ folder: string; paths: string[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'volume-'))
  const paths = Object.keys(contents).map((name) => join(folder, name))
  await Promise.all(Object.values(contents).map((bytes, i) => writeFile(paths[i], bytes)))
  return { folder, paths }
}

const report = async (out: string) => JSON.parse(await readFile(join(out, 'steps.json'), 'utf8'))

test.each([
  ['gamic', gamicBytes, 'X'],
  ['cfradial', cfRadialBytes, 'C'],
])('takes the coefficients of the wavelength in a %s file', async (format, make, band) => {
  const { folder, paths } = await files({ a: await make() })
  const { exit, out } = await run(...paths, '--out', join(folder, 'out'))
  expect(exit).toBe(0)
  expect(out).toContain(`bande ${band} (`)
  expect(await report(join(folder, 'out'))).toMatchObject({ format, coefficients: { name: band } })
})

test('a file without its wavelength is named, and takes the band given', async () => {
  const { folder, paths } = await files({ 'a.h5': await odimVolumeBytes() })
  const blind = await run(...paths, '--out', folder)
  expect([blind.exit, blind.out]).toEqual([0, expect.stringContaining('ne dit pas la longueur d’onde')])
  expect((await report(folder)).coefficients).toBeNull()
  expect((await run(...paths, '--out', folder, '--band', 'S')).exit).toBe(0)
  expect((await report(folder)).coefficients).toMatchObject({ name: 'S', frequencyGHz: 2.8 })
})

test('wrong arguments are refused before anything is read', async () => {
  expect(await run('a.vol')).toMatchObject({ exit: 64, err: expect.stringContaining('--out DOSSIER') })
  expect(await run('--out', 'x')).toMatchObject({ exit: 64, err: expect.stringContaining('FICHIER') })
  expect(await run('no-such.vol', '--out', 'x')).toMatchObject({
    exit: 64,
    err: expect.stringContaining('n’existe pas'),
  })
  expect(await run('no-such.vol', '--out', 'x', '--band', 'Ka')).toMatchObject({
    exit: 64,
    err: expect.stringContaining('bande « Ka » inconnue'),
  })
})

test('a file that is none, or damaged, is refused by its name, and nothing is written', async () => {
  const good = await odimVolumeBytes()
  const { folder, paths } = await files({
    'text.h5': Buffer.from('no radar'),
    'empty.h5': new Uint8Array(0),
    'cut.h5': good.subarray(0, good.length >> 1),
    'xml.vol': Buffer.from('<volume'),
  })
  const out = join(folder, 'out')
  for (const path of paths) {
    const { exit, err } = await run(path, '--out', out)
    expect(exit, path).toBe(1)
    expect(err).toContain(path)
    expect(err).not.toMatch(/Error|\n +at /)
  }
  await expect(readFile(join(out, 'steps.json'))).rejects.toThrow('ENOENT')
})
