import { DEPTH_LIMITS_M, type ReportBlock } from '@radx/contracts'
import { formatNumberFr } from '@radx/locale/format-fr'
import { fitted, picture } from './blocks.ts'

const WIDTH = 760
const LEGEND = 128
const COLORS = [
  '#f4f6f6',
  '#dcebf2',
  '#b9d8ea',
  '#8cbfdd',
  '#5d9fcb',
  '#3a7ab4',
  '#2a5592',
  '#1c2f66',
] as const

interface Grid {
  ncols: number
  nrows: number
  cellSize: number
  /** m, row 0 north; NaN outside. */
  data: ArrayLike<number>
}

/** Largest depths by class, cells of a row that share one being one rectangle. */
export function depthMap(grid: Grid): ReportBlock {
  const { ncols, nrows, data } = grid
  const cell = (WIDTH - LEGEND) / ncols
  const height = Math.ceil(nrows * cell)
  const paths = COLORS.map((): string[] => [])
  const classOf = (depth: number) => DEPTH_LIMITS_M.filter((limit) => depth >= limit).length - 1
  let deepest = 0
  for (let row = 0; row < nrows; row++) {
    let from = 0
    for (let col = 0; col <= ncols; col++) {
      const here = col < ncols ? classOf(data[row * ncols + col]) : -2
      deepest = Math.max(deepest, col < ncols ? data[row * ncols + col] || 0 : 0)
      const before = col > 0 ? classOf(data[row * ncols + col - 1]) : here
      if (here === before) continue
      if (before >= 0) paths[before].push(`M${from} ${row}H${col}V${row + 1}H${from}Z`)
      from = col
    }
  }
  const legend = DEPTH_LIMITS_M.map((limit, k) => {
    const next = DEPTH_LIMITS_M[k + 1]
    const cm = (m: number) => formatNumberFr(100 * m)
    const label = next === undefined ? `${cm(limit)} et plus` : `${cm(limit)} à ${cm(next)}`
    const x = WIDTH - LEGEND + 10
    return `<rect x="${x}" y="${24 + k * 20}" width="14" height="14" fill="${COLORS[k]}" stroke="#c9d1d3"/><text x="${x + 18}" y="${36 + k * 20}" font-size="14">${label}</text>`
  })
  const page = Math.max(height, 180)
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${page}" font-family="Inter" fill="#15201f">
    <rect width="100%" height="100%" fill="#ffffff"/><g transform="scale(${cell})" shape-rendering="crispEdges">${paths.map((path, k) => `<path fill="${COLORS[k]}" d="${path.join('')}"/>`).join('')}</g>
    <text x="${WIDTH - LEGEND + 10}" y="16" font-size="14">cm</text>${legend.join('')}</svg>`
  return picture(svg, {
    caption: 'Hauteur d’eau maximale de chaque maille pendant la simulation, en cm.',
    alt: `Carte des hauteurs d’eau maximales ; la plus grande est ${formatNumberFr(100 * deepest, 1)} cm.`,
    ...fitted(WIDTH, page),
  })
}
