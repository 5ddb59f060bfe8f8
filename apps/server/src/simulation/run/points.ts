import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Surface } from '@radx/hydrology/surface/surface'
import type { FollowedPoint } from '../catchment/extras.ts'
import { OUTPUT } from './outputs.ts'

/** Depth, level and speed over time at the points of a package: `points-series.csv`. */
export class PointSeries {
  private readonly file: number | null
  private readonly points: readonly FollowedPoint[]
  private readonly surface: Surface

  /** Without points nothing is written. */
  constructor(dir: string, points: readonly FollowedPoint[], surface: Surface) {
    this.points = points
    this.surface = surface
    this.file = points.length > 0 ? openSync(join(dir, OUTPUT.points), 'w') : null
    if (this.file !== null) writeSync(this.file, 'time_s,name,depth_m,level_m,speed_m_s\n')
  }

  add(timeS: number): void {
    if (this.file === null) return
    const time = Number(timeS.toFixed(6))
    const lines = this.points.map(({ name, cell }) => {
      const depthM = this.surface.depthM(cell)
      const { eastMS, northMS } = this.surface.velocity(cell)
      const levelM = this.surface.grid.elevationM[cell] + depthM
      const text = /[",]/.test(name) ? `"${name.replaceAll('"', '""')}"` : name
      return `${time},${text},${depthM.toFixed(6)},${levelM.toFixed(6)},${Math.hypot(eastMS, northMS).toFixed(6)}\n`
    })
    writeSync(this.file, lines.join(''))
  }

  close(): void {
    if (this.file !== null) closeSync(this.file)
  }
}
