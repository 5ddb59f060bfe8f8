import type { RadarSweep, RadarVolume } from '@radx/contracts/radar-volume'
import { frenchNumber } from './rays.ts'

/** Two sweeps of one scan begin within this of each other, ms. */
const SAME_SCAN_MS = 60_000
/** A volume takes no longer than this, ms. */
const SAME_VOLUME_MS = 15 * 60_000

/**
 * Joins volumes that hold the moments of one scan, such as the files by moment of Rainbow 5, into the one that has
 * the reflectivity (else the first), and sweeps of other elevations that bring their own reflectivity, such as the
 * files by elevation of ODIM. A moment of another time, place or geometry is left out and named in `notes`.
 */
export function joinVolumes(volumes: readonly RadarVolume[]): RadarVolume {
  const has = (name: string) => (volume: RadarVolume) => volume.sweeps.some(({ moments }) => moments[name])
  const base = volumes.find(has('DBZH')) ?? volumes.find(has('TH')) ?? volumes[0]
  if (!base) throw new RangeError('no volume to join')
  const notes = [...new Set(volumes.flatMap((volume) => volume.notes))]
  const sweeps = base.sweeps.map((sweep) => ({ ...sweep, moments: { ...sweep.moments } }))
  const unused = new Map(sweeps.map((sweep) => [sweep, new Set<string>()]))
  for (const volume of volumes) {
    if (volume === base) continue
    if (!samePlace(base, volume)) {
      notes.push(`${momentsOf(volume)} : mesuré par un autre radar (${volume.site.name}), laissé de côté.`)
      continue
    }
    for (const other of volume.sweeps) {
      const mine = sweeps
        .filter(({ elevationDeg }) => Math.abs(elevationDeg - other.elevationDeg) <= 0.15)
        .sort((a, b) => distance(a, other) - distance(b, other))[0]
      if (!mine && isOfOneVolume(base, other)) {
        const own = { ...other, moments: { ...other.moments } }
        sweeps.push(own)
        unused.set(own, new Set())
        continue
      }
      const reason = mine ? gateDifference(mine, other) : 'aucun balayage de réflectivité à cette élévation'
      if (reason !== null) {
        notes.push(
          `${Object.keys(other.moments).join(', ')} à ${frenchNumber(other.elevationDeg)}° : ${reason}, laissé de côté.`,
        )
        continue
      }
      for (const [name, moment] of Object.entries(other.moments)) {
        if (mine.moments[name]) unused.get(mine)!.add(name)
        else mine.moments[name] = moment
      }
    }
  }
  for (const [sweep, names] of unused)
    if (names.size > 0)
      notes.push(
        `${[...names].join(', ')} à ${frenchNumber(sweep.elevationDeg)}° : donné deux fois, le premier est gardé.`,
      )
  return { ...base, sweeps, notes }
}

function momentsOf({ sweeps }: RadarVolume): string {
  return [...new Set(sweeps.flatMap(({ moments }) => Object.keys(moments)))].join(', ')
}

const distance = (a: RadarSweep, b: RadarSweep): number =>
  Math.abs(Date.parse(a.datetime) - Date.parse(b.datetime))

function samePlace(a: RadarVolume, b: RadarVolume): boolean {
  const near = (x: number | null, y: number | null): boolean =>
    x === null || y === null || Math.abs(x - y) < 0.001
  return near(a.site.lat, b.site.lat) && near(a.site.lon, b.site.lon)
}

/** Whether a sweep of another elevation belongs to the volume: it has an echo of its own, near enough in time. */
const isOfOneVolume = ({ sweeps }: RadarVolume, other: RadarSweep): boolean =>
  Boolean(other.moments.DBZH ?? other.moments.TH) &&
  sweeps.some((sweep) => distance(sweep, other) <= SAME_VOLUME_MS)

/** Why the gates of `other` are not those of `mine`, in French; null where they are. */
export function gateDifference(mine: RadarSweep, other: RadarSweep): string | null {
  if (distance(mine, other) > SAME_SCAN_MS) return `d’un autre instant (${other.datetime})`
  if (mine.nrays !== other.nrays || mine.nbins !== other.nbins)
    return `d’une autre géométrie (${other.nrays} x ${other.nbins} au lieu de ${mine.nrays} x ${mine.nbins})`
  if (
    Math.abs(mine.rangeStepM - other.rangeStepM) > 0.01 * mine.rangeStepM ||
    Math.abs(mine.rangeStartM - other.rangeStartM) > 0.5 * mine.rangeStepM
  )
    return `d’une autre géométrie (portes de ${frenchNumber(other.rangeStepM)} m au lieu de ${frenchNumber(mine.rangeStepM)} m)`
  const half = 180 / mine.nrays
  const turned = mine.azimuthDeg.some((azimuth, ray) => {
    const apart = Math.abs(azimuth - other.azimuthDeg[ray])
    return Math.min(apart, 360 - apart) > half
  })
  return turned ? 'ses rayons ne sont pas aux mêmes azimuts' : null
}
