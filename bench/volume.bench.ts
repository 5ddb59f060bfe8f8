import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { readRainbowVolume } from '@radx/formats/rainbow5/volume'
import { joinVolumes } from '@radx/formats/volume/join'
import { fromRainbow } from '@radx/formats/volume/rainbow'
import { tuningOf } from '@radx/polarimetry/bands'
import { rainOfVolume } from '@radx/polarimetry/rain-chain'
import type { BenchResult } from '../tools/bench.ts'

/** Seconds of processor of this process. */
function seconds<T>(call: () => T): [value: T, seconds: number] {
  const before = process.cpuUsage()
  const value = call()
  const { user, system } = process.cpuUsage(before)
  return [value, Math.round((user + system) / 1e5) / 10]
}

/** A real volume of MALS by moment: ten sweeps of seven moments, five million values in all, from files to rain. */
export function run(): BenchResult[] {
  const folder = resolve(import.meta.dirname, '../../shared/data/radar-science/polarimetric/mals')
  if (!existsSync(folder)) return []
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.vol'))
    .map((name) => readFileSync(join(folder, name)))
  const [volume, read] = seconds(() =>
    joinVolumes(files.map((bytes) => fromRainbow(readRainbowVolume(bytes)))),
  )
  const [, chain] = seconds(() => rainOfVolume(volume, { tuning: tuningOf(volume.wavelengthM) }))
  return [
    { name: 'polar volume of seven files, read and joined', value: read, unit: 's', note: 'processor' },
    {
      name: 'polar volume, read and taken to rain',
      value: read + chain,
      unit: 's',
      aim: '≤ 4 s',
      note: 'processor',
    },
  ]
}
