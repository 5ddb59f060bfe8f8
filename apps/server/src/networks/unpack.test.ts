import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { keptName } from '../http/unzip.ts'
import { takeAnswer } from './answers.ts'
import { sideFiles } from './side-files.ts'
import { MODEL } from './testing/model.ts'
import { unpack } from './unpack.ts'

function folder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'radx-unpack-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  return dir
}

async function unpacked(bytes: Uint8Array | string, name: string) {
  const [from, to] = [folder(), folder()]
  writeFileSync(join(from, 'upload'), bytes)
  const made = await unpack(join(from, 'upload'), name, to)
  return { ...made, dir: to }
}
const zip = (files: Record<string, string | Uint8Array>) =>
  zipSync(
    Object.fromEntries(
      Object.entries(files).map(([name, text]) => [name, typeof text === 'string' ? strToU8(text) : text]),
    ),
  )

test('an .inp is kept under a plain name', async () => {
  const { file, files, dir } = await unpacked('[JUNCTIONS]', '../Réseau d’été.INP')
  expect({ file, files }).toEqual({ file: 'Reseau_d_ete.INP', files: ['Reseau_d_ete.INP'] })
  expect(readFileSync(join(dir, file), 'utf8')).toBe('[JUNCTIONS]')
})

test('a zip gives its files whatever their folder, and none outside', async () => {
  const made = await unpacked(
    zip({ 'ville/net.inp': 'a', '../../../pluie.dat': 'b', '__MACOSX/net.inp': 'x', 'ville/.cache': 'x' }),
    'ville.zip',
  )
  expect(made.file).toBe('net.inp')
  expect(readdirSync(made.dir).sort()).toEqual(['net.inp', 'pluie.dat'])
})

test.each<[string, Uint8Array, RegExp]>([
  ['no model', zip({ 'a.txt': '1' }), /aucun fichier \.inp/],
  ['two models', zip({ 'a.inp': '1', 'b.inp': '2' }), /2 fichiers \.inp/],
  ['the same name twice', zip({ 'x/a.inp': '1', 'y/A.INP': '2' }), /deux fichiers/],
  [
    'too many files',
    zip(Object.fromEntries(Array.from({ length: 70 }, (_, k) => [`f${k}.dat`, '1']))),
    /plus de 64/,
  ],
  ['a cut one', zip({ 'a.inp': 'x'.repeat(5_000) }).subarray(0, 45), /endommagé|tronqué/],
])('a zip with %s is refused in words', async (_, bytes, words) => {
  await expect(unpacked(bytes, 'z.zip')).rejects.toThrow(words)
})

test('what an .inp names is read from its own files alone', () => {
  const dir = folder()
  writeFileSync(join(dir, 'pluie.dat'), 'rain')
  const side = sideFiles(dir, ['pluie.dat'])
  expect(side('C:\\modeles\\PLUIE.dat')).toBe('rain')
  expect(side('/etc/passwd')).toBeNull()
  expect(side('../pluie2.dat')).toBeNull()
  expect(keptName('..')).toBe('fichier')
  expect(keptName('/etc/passwd')).toBe('passwd')
})

test('a package of a catchment brings the system of its positions along, if it is one', async () => {
  const crsOf = async (said: string) => {
    const home = mkdtempSync(join(tmpdir(), 'radx-take-'))
    const path = join(home, 'bassin.zip')
    const files = { 'bassin/network.inp': strToU8(MODEL), 'bassin/catchment.json': strToU8(said) }
    writeFileSync(path, zipSync(files))
    try {
      return (await takeAnswer.run(null as never, { path, name: 'bassin.zip', dir: join(home, 'in') })).crs
    } finally {
      rmSync(home, { recursive: true })
    }
  }
  expect(await crsOf('{"id":"bassin","crs":"EPSG:2154"}')).toBe('EPSG:2154')
  for (const said of ['{"crs":"EPSG:9999"}', '{"crs":3}', 'null', '{', '[]'])
    expect(await crsOf(said)).toBeNull()
})
