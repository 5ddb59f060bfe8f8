import { stat } from 'node:fs/promises'
import type { SitePolarimetry } from '@radx/contracts'
import type { Beside } from './handlers.ts'

/** Files of one scan that Rainbow 5 writes by moment: `2019102108240900dBZ.vol`, `2019102108240900ZDR.vol`... */
export interface VolumeName {
  /** What they have in common, the time of the scan. */
  stem: string
  moment: string
  extension: string
}

const BY_MOMENT = /^(\d{12,20})([A-Za-z][A-Za-z0-9]{0,11})\.(vol|azi)$/

/** null for a name that says no moment. */
export function volumeName(name: string): VolumeName | null {
  const found = BY_MOMENT.exec(name)
  return found && { stem: found[1], moment: found[2], extension: found[3] }
}

/** Moments that are taken where they are there, beside those that a site names. */
const MORE = [
  'dBuZ',
  'ZDR',
  'PhiDP',
  'uPhiDP',
  'RhoHV',
  'uRhoHV',
  'KDP',
  'uKDP',
  'V',
  'W',
  'SQI',
  'SNR',
  'dBZv',
]

/** A file counts as complete when it has rested so long, ms. */
const REST_MS = 250

interface MomentFile {
  name: string
  path: string
  /** Since it last changed, by the clock that stamps it, ms. */
  ageMs: number
}

/** What is there of a volume. */
export interface VolumeFound {
  /** The other files, in the order of their moments. */
  others: MomentFile[]
  /** Moments of the site that are not there. */
  missing: string[]
}

/** Looks for the files that belong to one volume with a file. */
export async function findVolume(
  name: VolumeName,
  beside: Beside,
  moments: readonly string[],
): Promise<VolumeFound> {
  const { stem, moment, extension } = name
  const wanted = [...new Set([...moments, ...MORE])].filter((other) => other !== moment)
  const found = await Promise.all(
    wanted.map(async (other) => {
      const fileName = `${stem}${other}.${extension}`
      const path = beside.path(fileName)
      const info = path === null ? null : await stat(path).catch(() => null)
      if (path === null || !info?.isFile() || info.size === 0) return null
      return { name: fileName, path, ageMs: Date.now() - Math.max(info.mtimeMs, info.ctimeMs) }
    }),
  )
  return {
    others: found.filter((file) => file !== null),
    missing: moments.filter((other) => other !== moment && found[wanted.indexOf(other)] === null),
  }
}

/**
 * Whether a volume in the inbox should be left a while: a moment has not come, or one is still being written, and the
 * last one came less than the site's time ago.
 */
export async function awaitsMoments(
  file: { name: string; beside: Beside },
  { moments, waitSeconds }: SitePolarimetry,
): Promise<boolean> {
  const name = volumeName(file.name)
  const own = file.beside.path(file.name)
  if (name === null || own === null) return false
  const info = await stat(own).catch(() => null)
  if (info === null) return false
  const { others, missing } = await findVolume(name, file.beside, moments)
  const ages = [Date.now() - Math.max(info.mtimeMs, info.ctimeMs), ...others.map(({ ageMs }) => ageMs)]
  const youngest = Math.min(...ages)
  return youngest < (missing.length > 0 ? waitSeconds * 1000 : REST_MS)
}
