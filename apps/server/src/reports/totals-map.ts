import {
  type Bounds,
  CUMUL_CLASS_BOUNDS_MM,
  CUMUL_CLASS_COLORS,
  type LatLng,
  type ReportBlock,
  type Site,
} from '@radx/contracts'
import { formatNumberFr } from '@radx/locale/format-fr'
import { cellBounds, cumulClass } from '@radx/rainfall'
import type { Catchment } from '../config/catchments.ts'
import type { Selection } from '../exports/api.ts'
import { escapeXml, fitted, picture } from './blocks.ts'

const WIDTH = 760
const LEGEND = 128
/** Room around a catchment, as a share of its size. */
const MARGIN = 0.35
const NO_DATA = '#d5d9da'

/** Totals as a map: cells by class, outlines of catchments, towns, legend. */
export function totalsMap(
  selection: Selection,
  depthMm: Float32Array,
  around: { catchments: readonly Catchment[]; site: Site; points: readonly LatLng[] },
): ReportBlock {
  const { product, zone } = selection
  const view = viewOf(zone?.bounds ?? product.bounds, zone === null ? 0 : MARGIN)
  const height = Math.round((WIDTH - LEGEND) * aspect(view))
  const x = (lng: number) => ((lng - view.ul.lng) / (view.lr.lng - view.ul.lng)) * (WIDTH - LEGEND)
  const y = (lat: number) => ((view.ul.lat - lat) / (view.ul.lat - view.lr.lat)) * height
  const at = (value: number) => value.toFixed(1)
  const cells = new Map<string, string[]>()
  for (let row = 0; row < product.steps; row++)
    for (let col = 0; col < product.steps; col++) {
      const { ul, lr } = cellBounds(product, row, col)
      if (lr.lng < view.ul.lng || ul.lng > view.lr.lng || lr.lat > view.ul.lat || ul.lat < view.lr.lat)
        continue
      const depth = depthMm[row * product.steps + col]
      if (depth === 0) continue
      const rank = cumulClass(depth)
      const color = rank < 0 ? NO_DATA : CUMUL_CLASS_COLORS[rank]
      const path = cells.get(color) ?? []
      path.push(`M${at(x(ul.lng))} ${at(y(ul.lat))}H${at(x(lr.lng))}V${at(y(lr.lat))}H${at(x(ul.lng))}Z`)
      cells.set(color, path)
    }
  const outlines = around.catchments.flatMap(({ polygons, key }) =>
    polygons.flatMap((rings) =>
      rings.map((ring) => {
        const d = `M${ring.map(([lng, lat]) => `${at(x(lng))} ${at(y(lat))}`).join('L')}Z`
        const width = key === zone?.key ? 2.4 : 0.9
        // A light edge, since the highest class is as dark as the line.
        return `<path fill="none" stroke="#fff" stroke-opacity="0.7" stroke-width="${width + 1.8}" d="${d}"/><path fill="none" stroke="#15201f" stroke-width="${width}" d="${d}"/>`
      }),
    ),
  )
  const inView = ({ lat, lng }: LatLng) =>
    lat < view.ul.lat && lat > view.lr.lat && lng > view.ul.lng && lng < view.lr.lng
  const towns = around.site.towns
    .filter(({ position }) => inView(position))
    .map(({ name, position }) => {
      const [px, py] = [x(position.lng), y(position.lat)]
      return `<circle cx="${at(px)}" cy="${at(py)}" r="2.2" fill="#15201f"/><text x="${at(px + 5)}" y="${at(py + 4)}" stroke="#fff" stroke-width="3" paint-order="stroke">${escapeXml(name)}</text>`
    })
  const gauges = around.points.filter(inView).map((point, k) => {
    const [px, py] = [x(point.lng), y(point.lat)]
    return `<circle cx="${at(px)}" cy="${at(py)}" r="6" fill="#fff" stroke="#b4470e" stroke-width="2"/><text x="${at(px)}" y="${at(py + 4)}" text-anchor="middle" font-size="14">${k + 1}</text>`
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" font-family="Inter" font-size="14" fill="#15201f">
    <rect width="100%" height="100%" fill="#ffffff"/><svg width="${WIDTH - LEGEND}" height="${height}" shape-rendering="crispEdges">
    ${[...cells].map(([color, path]) => `<path fill="${color}" d="${path.join('')}"/>`).join('')}</svg>
    <svg width="${WIDTH - LEGEND}" height="${height}">${outlines.join('')}${towns.join('')}${gauges.join('')}</svg>${legend()}</svg>`
  const place = zone ? `autour de ${zone.name}` : `du produit ${product.shortName}`
  const known = Array.from(depthMm).filter((mm) => !Number.isNaN(mm))
  const most = known.reduce((max, mm) => Math.max(max, mm), 0)
  return picture(svg, {
    caption: `Cumuls de pluie ${place}, en mm par pixel. Trait épais : bassin choisi.`,
    alt: `Carte des cumuls de pluie ${place}. Le plus grand cumul d’un pixel sur tout le produit est ${formatNumberFr(most, 1)} mm.`,
    ...fitted(WIDTH, height),
  })
}

function viewOf({ ul, lr }: Bounds, margin: number): Bounds {
  const [dLat, dLng] = [(ul.lat - lr.lat) * margin, (lr.lng - ul.lng) * margin]
  return {
    ul: { lat: ul.lat + dLat, lng: ul.lng - dLng },
    lr: { lat: lr.lat - dLat, lng: lr.lng + dLng },
  }
}

/** Height for a width, on the ground. */
function aspect({ ul, lr }: Bounds): number {
  const middle = ((ul.lat + lr.lat) / 2) * (Math.PI / 180)
  return (ul.lat - lr.lat) / ((lr.lng - ul.lng) * Math.cos(middle))
}

function legend(): string {
  const labels = CUMUL_CLASS_COLORS.map((color, k) => {
    const low = k === 0 ? 0 : CUMUL_CLASS_BOUNDS_MM[k - 1]
    const high = CUMUL_CLASS_BOUNDS_MM[k]
    return { color, label: high === undefined ? `${low} et plus` : `${low} à ${high}` }
  })
  const x = WIDTH - LEGEND + 10
  return [{ color: NO_DATA, label: 'sans donnée' }, ...labels]
    .map(
      ({ color, label }, k) =>
        `<rect x="${x}" y="${24 + k * 20}" width="14" height="14" fill="${color}"/><text x="${x + 18}" y="${36 + k * 20}" font-size="14">${label}</text>`,
    )
    .join('')
    .concat(`<text x="${x}" y="16" font-size="14">mm</text>`)
}
