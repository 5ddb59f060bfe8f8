import { closeSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { Surface } from '@radx/hydrology/surface/surface'
import { csvText } from '@radx/locale/csv'
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
    const rows = this.points.map(({ name, cell }) => {
      const depthM = this.surface.depthM(cell)
      const { eastMS, northMS } = this.surface.velocity(cell)
      const levelM = this.surface.grid.elevationM[cell] + depthM
      const speedMS = Math.hypot(eastMS, northMS)
      return [time, name, ...[depthM, levelM, speedMS].map((value) => value.toFixed(6))]
    })
    writeSync(this.file, csvText(rows))
  }

  close(): void {
    if (this.file !== null) closeSync(this.file)
  }
}
