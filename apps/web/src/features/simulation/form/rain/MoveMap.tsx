import { SegmentedControl } from '@mantine/core'
import { MAP_TILE_ZOOM } from '@radx/contracts/constants'
import type { CatchmentSummary, Transposition } from '@radx/contracts/simulation'
import type { Bounds, LatLng } from '@radx/contracts/site'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { coveredShare } from '@radx/rainfall/storms/moved-cover'
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, type PointerEvent, useMemo, useRef, useState } from 'react'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { productsQuery } from '../../../../app/products.ts'
import { Attribution } from '../../../../map/controls/Attribution.tsx'
import { CumulLegend } from '../../../../map/controls/CumulLegend.tsx'
import { Scale } from '../../../../map/controls/Scale.tsx'
import corners from '../../../../map/corners.module.css'
import type { RadxMap } from '../../../../map/createMap.ts'
import { RadarMap } from '../../../../map/RadarMap.tsx'
import { useReferenceParts } from '../../../../map/reference/parts.ts'
import { useAccumulation } from '../../../../map/useAccumulation.ts'
import { moveTexts as texts } from '../../../../texts/design.ts'
import { Message } from '../../../../ui/Message.tsx'
import { TextButton } from '../../../../ui/TextButton.tsx'
import { CatchmentOutline } from './CatchmentOutline.tsx'
import classes from './MovedRain.module.css'

interface Props {
  catchment: CatchmentSummary
  product: string
  period: { s: string; e: string }
  move: Transposition
  onMove: (move: Pick<Transposition, 'eastM' | 'northM'>) => void
}

const M_PER_DEGREE = 111_195
const KEY_STEP_M = 1000
const LARGE_STEP_M = 10_000
const ARROWS: Record<string, [east: number, north: number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, 1],
  ArrowDown: [0, -1],
}

/** The period's totals over the catchment; dragging them moves the rain. */
export default function MoveMap({ catchment, product: name, period, move, onMove }: Props) {
  const products = useQuery(productsQuery)
  const product = products.data?.find(({ shortName }) => shortName === name)
  if (products.error) return <Message kind="error">{genericErrorText(products.error)}</Message>
  if (!product) return <div className={classes.map} aria-busy="true" />
  const grid = { product: name, bounds: product.bounds, steps: product.steps }
  return <DraggedTotals catchment={catchment} grid={grid} period={period} move={move} onMove={onMove} />
}

function DraggedTotals({
  catchment,
  grid: given,
  period,
  move,
  onMove,
}: Omit<Props, 'product'> & { grid: { product: string; bounds: Bounds; steps: number } }) {
  const [grid] = useState(given)
  const total = useAccumulation(grid, period, true)
  const radx = useRef<RadxMap | null>(null)
  const [drags, setDrags] = useState<'rain' | 'map'>('rain')
  const held = useRef<{ at: LatLng; from: Transposition } | null>(null)
  const reference = useReferenceParts()
  const centre = useMemo(() => centreOf(catchment, grid.bounds), [catchment, grid])
  const perLng = M_PER_DEGREE * Math.cos((centre.lat * Math.PI) / 180)
  const store = useMemo(
    () =>
      total.store?.laidOver(movedBounds(grid.bounds, move.eastM / perLng, move.northM / M_PER_DEGREE)) ??
      null,
    [total.store, grid, move.eastM, move.northM, perLng],
  )
  const times = useMemo(() => [total.time], [total.time])

  const placeOf = ({ clientX, clientY, currentTarget }: PointerEvent<HTMLElement>): LatLng | null => {
    const box = currentTarget.getBoundingClientRect()
    return radx.current?.map.unproject([clientX - box.left, clientY - box.top]) ?? null
  }
  const drag = (event: PointerEvent<HTMLElement>) => {
    const at = placeOf(event)
    if (!at || !held.current) return
    const { at: start, from } = held.current
    onMove({
      eastM: Math.round(from.eastM + (at.lng - start.lng) * perLng),
      northM: Math.round(from.northM + (at.lat - start.lat) * M_PER_DEGREE),
    })
  }
  const press = (event: KeyboardEvent) => {
    const arrow = ARROWS[event.key]
    if (!arrow) return
    event.preventDefault()
    const step = event.shiftKey ? LARGE_STEP_M : KEY_STEP_M
    onMove({ eastM: move.eastM + arrow[0] * step, northM: move.northM + arrow[1] * step })
  }
  const covered = hasPlace(catchment) ? coveredShare(catchment.corners, grid.bounds, move) : 1
  const km = (metres: number) => formatQuantityFr(metres / 1000, 'km', 1)

  return (
    <div>
      {total.error && (
        <Message kind="error" action={<TextButton onClick={total.retry}>{texts.reset}</TextButton>}>
          {genericErrorText(total.error)}
        </Message>
      )}
      <section className={classes.map} aria-label={texts.map} aria-busy={total.pending}>
        <RadarMap
          store={store}
          times={times}
          time={store ? total.time : null}
          palette="accumulation"
          opacity={75}
          reference={reference}
          center={centre}
          zoom={MAP_TILE_ZOOM.min + 1}
          minZoom={MAP_TILE_ZOOM.min - 2}
          maxZoom={MAP_TILE_ZOOM.max}
          onMap={(made) => {
            radx.current = made
          }}
        >
          <CatchmentOutline catchment={catchment} />
          <div className={corners.bottomLeft}>
            <CumulLegend {...period} />
            <Scale />
          </div>
          <div className={corners.bottomRight}>
            <Attribution />
          </div>
        </RadarMap>
        <button
          type="button"
          className={classes.handle}
          aria-label={texts.handle}
          data-off={drags === 'map'}
          onKeyDown={press}
          onPointerDown={(event) => {
            const at = placeOf(event)
            if (!at) return
            event.currentTarget.setPointerCapture(event.pointerId)
            held.current = { at, from: move }
          }}
          onPointerMove={drag}
          onPointerUp={() => {
            held.current = null
          }}
          onPointerCancel={() => {
            held.current = null
          }}
        />
      </section>
      <div className={classes.bar}>
        <span id="drags">{texts.dragging}</span>
        <SegmentedControl
          size="xs"
          aria-labelledby="drags"
          value={drags}
          onChange={(value) => setDrags(value as 'rain' | 'map')}
          data={(['rain', 'map'] as const).map((value) => ({ value, label: texts.drags[value] }))}
        />
        <output>{total.pending ? texts.loading : texts.moved(km(move.eastM), km(move.northM))}</output>
      </div>
      {covered < 1 && (
        <Message kind={covered === 0 ? 'error' : 'warning'}>
          {covered === 0 ? texts.uncovered : texts.partly(formatQuantityFr(100 * covered, '%'))}
        </Message>
      )}
    </div>
  )
}

const hasPlace = ({ corners: { sw, ne } }: CatchmentSummary): boolean =>
  [...sw, ...ne].some((degrees) => degrees !== 0)

/** Of the catchment, or of the product where nobody knows where the catchment lies. */
function centreOf(catchment: CatchmentSummary, { ul, lr }: Bounds): LatLng {
  const { sw, ne } = catchment.corners
  if (!hasPlace(catchment)) return { lng: (ul.lng + lr.lng) / 2, lat: (ul.lat + lr.lat) / 2 }
  return { lng: (sw[0] + ne[0]) / 2, lat: (sw[1] + ne[1]) / 2 }
}

const movedBounds = ({ ul, lr }: Bounds, lng: number, lat: number): Bounds => ({
  ul: { lat: ul.lat + lat, lng: ul.lng + lng },
  lr: { lat: lr.lat + lat, lng: lr.lng + lng },
})
