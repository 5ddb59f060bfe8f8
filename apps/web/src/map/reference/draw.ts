import type { MercatorPoint } from '../mercator.ts'

export type ScreenPoint = [number, number]

export interface ReferenceColors {
  ink: string
  halo: string
  ring: string
  water: string
}

export interface Town {
  name: string
  at: MercatorPoint
  /** 1 is the largest. */
  rank: number
}

const FONT = "'Inter Variable', system-ui, sans-serif"

export function drawPath(
  context: CanvasRenderingContext2D,
  points: readonly ScreenPoint[],
  style: { color: string; width: number; dash?: number[] },
): void {
  context.beginPath()
  points.forEach(([x, y], i) => {
    if (i === 0) context.moveTo(x, y)
    else context.lineTo(x, y)
  })
  context.lineJoin = 'round'
  context.strokeStyle = style.color
  context.lineWidth = style.width
  context.setLineDash(style.dash ?? [])
  context.stroke()
  context.setLineDash([])
}

/** An open cross, so that the cell under the radar stays visible. */
export function drawRadarMark(
  context: CanvasRenderingContext2D,
  [x, y]: ScreenPoint,
  colors: ReferenceColors,
): void {
  for (const [dx, dy] of [
    [1, 0],
    [-1, 0],
    [0, 1],
    [0, -1],
  ]) {
    const arm: ScreenPoint[] = [
      [x + dx * 4, y + dy * 4],
      [x + dx * 11, y + dy * 11],
    ]
    drawPath(context, arm, { color: colors.halo, width: 4 })
    drawPath(context, arm, { color: colors.ink, width: 1.75 })
  }
}

export function drawText(
  context: CanvasRenderingContext2D,
  text: string,
  [x, y]: ScreenPoint,
  colors: ReferenceColors,
  font: { size: number; weight: number; align?: CanvasTextAlign },
): void {
  context.font = `${font.weight} ${font.size}px ${FONT}`
  context.textAlign = font.align ?? 'left'
  context.textBaseline = 'middle'
  context.lineJoin = 'round'
  context.lineWidth = 3
  context.strokeStyle = colors.halo
  context.strokeText(text, x, y)
  context.fillStyle = colors.ink
  context.fillText(text, x, y)
}

interface TownView {
  project: (point: MercatorPoint) => ScreenPoint
  zoom: number
  width: number
  height: number
  colors: ReferenceColors
  /** Where nothing may be written over. */
  taken: Box[]
}

/** Lowest zoom (of 256 px tiles) at which towns of a rank are named. */
const visibleFrom = (rank: number) => 6.5 + rank

/** Names the towns, the larger first; one that would run into another is left out. */
export function drawTowns(context: CanvasRenderingContext2D, towns: readonly Town[], view: TownView): void {
  const taken = [...view.taken]
  for (const { name, at, rank } of towns) {
    const [x, y] = view.project(at)
    const outside = x < -80 || y < -20 || x > view.width + 20 || y > view.height + 20
    if (view.zoom < visibleFrom(rank) || outside) continue
    const font = rank <= 1 ? { size: 13, weight: 600 } : { size: 11.5, weight: 500 }
    context.font = `${font.weight} ${font.size}px ${FONT}`
    const box: Box = [x - 4, y - 9, x + 10 + context.measureText(name).width, y + 9]
    if (taken.some((other) => overlap(box, other))) continue
    taken.push(box)
    context.beginPath()
    context.arc(x, y, rank <= 1 ? 2.75 : 2, 0, 2 * Math.PI)
    context.fillStyle = view.colors.ink
    context.strokeStyle = view.colors.halo
    context.lineWidth = 2
    context.stroke()
    context.fill()
    drawText(context, name, [x + 7, y + 0.5], view.colors, font)
  }
}

export type Box = [left: number, top: number, right: number, bottom: number]

const overlap = (a: Box, b: Box) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
