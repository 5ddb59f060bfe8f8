import type { EventScalingAnswer, ScalingPart } from '@radx/contracts/scaling'
import { csvText } from '@radx/locale/csv'

type Row = (string | number | null | undefined)[]

const PARTS = ['space', 'wet', 'time'] as const

const partsOf = (found: EventScalingAnswer): [string, ScalingPart][] =>
  PARTS.flatMap((name) => {
    const part = found[name]
    return part ? [[name, part] as [string, ScalingPart]] : []
  })

/** Estimates of every part over every range. */
export function estimatesCsv(found: EventScalingAnswer): string {
  const rows = partsOf(found).flatMap(([name, { fits }]) =>
    fits.map(({ fromCells, toCells, tm, dtm }): Row => {
      const slope = name === 'space' ? slopeOf(found, fromCells, toCells) : undefined
      return [
        ...[name, fromCells, toCells, tm?.alpha, tm?.c1, tm?.r2, dtm?.alpha, dtm?.c1, dtm?.r2],
        ...[slope?.beta, slope?.h],
      ]
    }),
  )
  const head = 'part,from_cells,to_cells,tm_alpha,tm_c1,tm_r2,dtm_alpha,dtm_c1,dtm_r2,beta,h'.split(',')
  return csvText([head, ...rows])
}

export const slopeOf = ({ spectrum }: EventScalingAnswer, fromCells: number, toCells: number) =>
  spectrum?.fits.find((fit) => fit.fromCells === fromCells && fit.toCells === toCells)

/** Moments by scale and order, scales in metres (in space) or seconds (in time). */
export function momentsCsv(found: EventScalingAnswer): string {
  const rows = partsOf(found).flatMap(([name, { points }]) =>
    points.cells.flatMap((cells, i) =>
      points.q.map(
        (q, j): Row => [
          name,
          cells,
          name === 'time' ? null : cells * found.cellM,
          name === 'time' ? cells * found.frameSeconds : null,
          q,
          points.moments[i][j],
        ],
      ),
    ),
  )
  return csvText([['part', 'cells', 'scale_m', 'scale_s', 'q', 'moment'], ...rows])
}

/** Each frame over one range of scales. @param at place of the range among those of space */
export function framesCsv({ single }: EventScalingAnswer, at: number): string {
  const head = 'time,zero_share,missing_share,mean_mm_h,tm_alpha,tm_c1,tm_r2,dtm_alpha,dtm_c1,dtm_r2'.split(
    ',',
  )
  return csvText([
    head,
    ...single.map(({ time, zeroShare, missingShare, meanMmH, fits }): Row => {
      const { tm, dtm } = fits[at] ?? { tm: null, dtm: null }
      return [time, zeroShare, missingShare, meanMmH, tm?.alpha, tm?.c1, tm?.r2, dtm?.alpha, dtm?.c1, dtm?.r2]
    }),
  ])
}

export const spectrumCsv = ({ spectrum }: EventScalingAnswer): string =>
  csvText([
    ['wavelength_m', 'power'],
    ...(spectrum?.wavelengthM ?? []).map((l, i): Row => [l, spectrum!.power[i]]),
  ])
