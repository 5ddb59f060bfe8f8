import type { LatLng } from '@radx/contracts/site'
import type { SweepGeometry } from '@radx/contracts/sweep-bundle'
import { beamHeight, groundDistance, slantRange } from '@radx/rainfall/polar'
import { type DecodedSweep, rayFinder, sweepValue } from '@radx/rainfall/sweep-bundle'
import { destination } from '../../map/reference/geometry.ts'

const RAD = Math.PI / 180

/** A place as the radar sees it. */
export interface PolarPoint {
  /** Clockwise from north, [0, 360). */
  azimuth: number
  /** Along the beam. */
  rangeM: number
}

/** A place by its distance to the east and to the north of the radar, along the earth. */
export interface PlanePoint {
  eastM: number
  northM: number
}

/** Where the beam of an elevation stands above a place; its range is NaN where it never gets there. */
export function polarOf({ eastM, northM }: PlanePoint, elevationDeg: number): PolarPoint {
  const azimuth = (Math.atan2(eastM, northM) / RAD + 360) % 360
  return { azimuth, rangeM: slantRange(Math.hypot(eastM, northM), elevationDeg, 0) }
}

export function planeOf({ azimuth, rangeM }: PolarPoint, elevationDeg: number): PlanePoint {
  const ground = groundDistance(rangeM, elevationDeg)
  return { eastM: ground * Math.sin(azimuth * RAD), northM: ground * Math.cos(azimuth * RAD) }
}

/** Distance along the earth to the end of a sweep. */
export const reachOf = ({
  rangeStartM,
  rangeStepM,
  nbins,
  elevationDeg,
}: Omit<SweepGeometry, 'azimuthDeg'>) => groundDistance(rangeStartM + nbins * rangeStepM, elevationDeg)

/** What can be read at a place of a sweep. */
export interface Reading extends PolarPoint {
  /** Middle of the beam above sea level. */
  heightM: number
  at: LatLng
  /** `ray` where no ray looks there; NaN no data, -Infinity no echo. */
  value: number | 'ray'
}

/** Reads sweeps: the finder of rays is made once a sweep. */
export class SweepReader {
  readonly sweep: DecodedSweep
  readonly rayAt: (azimuth: number) => number

  constructor(sweep: DecodedSweep) {
    this.sweep = sweep
    this.rayAt = rayFinder(sweep.header.azimuthDeg)
  }

  /** @param radar its place and height above sea level */
  read(point: PolarPoint, radar: LatLng & { altitudeM: number }): Reading {
    const { header, codes } = this.sweep
    const { elevationDeg, rangeStartM, rangeStepM, nbins } = header
    const { azimuth, rangeM } = point
    const ray = this.rayAt(azimuth)
    const bin = Math.floor((rangeM - rangeStartM) / rangeStepM)
    const inside = bin >= 0 && bin < nbins
    return {
      ...point,
      heightM: radar.altitudeM + beamHeight(rangeM, elevationDeg),
      at: destination(radar, azimuth, groundDistance(rangeM, elevationDeg)),
      value: ray < 0 ? 'ray' : inside ? sweepValue(header, codes[ray * nbins + bin]) : Number.NaN,
    }
  }
}
