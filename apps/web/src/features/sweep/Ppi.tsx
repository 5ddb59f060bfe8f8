import type { LatLng } from '@radx/contracts/site'
import type { DecodedSweep } from '@radx/rainfall/sweep-bundle'
import { IconFocusCentered, IconMinus, IconPlus } from '@tabler/icons-react'
import { type KeyboardEvent, type PointerEvent, useEffect, useMemo, useRef, useState } from 'react'
import { sweepTexts as texts } from '../../texts/sweep.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { Message } from '../../ui/Message.tsx'
import { type PlanePoint, type PolarPoint, planeOf, polarOf, reachOf, SweepReader } from './gates.ts'
import classes from './Ppi.module.css'
import { PpiGrid } from './PpiGrid.tsx'
import { PpiPainter, type PpiView } from './PpiPainter.ts'
import { ReadingLine } from './ReadingLine.tsx'
import { ScaleLegend } from './ScaleLegend.tsx'
import { colorTable, type Scale } from './scales.ts'
import { useSize } from './useSize.ts'

interface Props {
  sweep: DecodedSweep | null
  scale: Scale
  radar: LatLng & { altitudeM: number }
  /** Largest distance of the volume along the earth: what is shown at first. */
  reachM: number
  /** The gate that is chosen; null before one is. */
  point: PolarPoint | null
  onPoint: (point: PolarPoint) => void
  /** Steps through the elevations. */
  onElevation: (by: 1 | -1) => void
}

/** Room around the whole sweep, for the azimuth marks, px. */
const MARGIN_PX = 32
const ZOOM = 1.5
const MOST_ZOOM = 60
/** A press that moves no further than this is a click, px. */
const CLICK_PX = 4
const TURN: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 }
const FAR: Record<string, number> = { ArrowUp: 1, ArrowDown: -1 }

/** A sweep seen from above, drawn gate by gate, with rings, azimuths and what the gate under the pointer says. */
export function Ppi({ sweep, scale, radar, reachM, point, onPoint, onElevation }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const size = useSize(box)
  const whole = (2 * reachM) / Math.max(1, Math.min(size.width, size.height) - 2 * MARGIN_PX)
  const [view, setView] = useState<{ centre: PlanePoint; zoom: number }>(START)
  const [hovered, setHovered] = useState<PlanePoint | null>(null)
  const shown: PpiView = { centre: view.centre, metresPerPixel: whole / view.zoom }
  const failed = usePainter(canvas, { sweep, scale, view: shown, size })
  const reader = useMemo(() => sweep && new SweepReader(sweep), [sweep])
  const elevation = sweep?.header.elevationDeg ?? 0

  const zoomBy = (factor: number, about: PlanePoint = view.centre) =>
    setView(({ centre, zoom }) => {
      const next = Math.min(MOST_ZOOM, Math.max(1, zoom * factor))
      if (next === 1) return START
      const share = 1 - zoom / next
      return {
        zoom: next,
        centre: {
          eastM: centre.eastM + (about.eastM - centre.eastM) * share,
          northM: centre.northM + (about.northM - centre.northM) * share,
        },
      }
    })
  const placeAt = (clientX: number, clientY: number): PlanePoint => {
    const { left, top, width, height } = box.current!.getBoundingClientRect()
    return {
      eastM: shown.centre.eastM + (clientX - left - width / 2) * shown.metresPerPixel,
      northM: shown.centre.northM - (clientY - top - height / 2) * shown.metresPerPixel,
    }
  }
  useWheel(box, (event) => zoomBy(event.deltaY < 0 ? ZOOM : 1 / ZOOM, placeAt(event.clientX, event.clientY)))
  const drag = useDrag({
    onMove: (dx, dy) =>
      setView(({ centre, zoom }) => ({
        zoom,
        centre: {
          eastM: centre.eastM - dx * shown.metresPerPixel,
          northM: centre.northM + dy * shown.metresPerPixel,
        },
      })),
    onHover: (event) => setHovered(event && placeAt(event.clientX, event.clientY)),
    onClick: (event) => {
      const chosen = polarOf(placeAt(event.clientX, event.clientY), elevation)
      if (Number.isFinite(chosen.rangeM)) onPoint(chosen)
    },
  })
  const onKeyDown = (event: KeyboardEvent) => {
    const used = keyStep(event.key, { sweep, point, onPoint, onElevation, zoomBy })
    if (used && !event.ctrlKey && !event.metaKey && !event.altKey) event.preventDefault()
  }
  const read = hovered ? polarOf(hovered, elevation) : point
  return (
    <div className={classes.root}>
      <div
        ref={box}
        className={classes.picture}
        role="application"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: keys move the gate that is read
        tabIndex={0}
        aria-label={texts.ppi.label}
        aria-describedby="sweep-reading"
        data-testid="ppi"
        data-drawn={sweep && !failed ? `${sweep.header.name} ${elevation}` : undefined}
        onKeyDown={onKeyDown}
        {...drag}
      >
        <canvas ref={canvas} />
        <PpiGrid
          view={shown}
          size={size}
          reachM={sweep ? reachOf(sweep.header) : reachM}
          point={point && planeOf(point, elevation)}
        />
      </div>
      {failed && (
        <div className={classes.failed}>
          <Message kind="error">{texts.noWebGl}</Message>
        </div>
      )}
      <div className={classes.buttons}>
        <IconButton label={texts.ppi.zoomIn} tip="left" onClick={() => zoomBy(ZOOM)}>
          <IconPlus size={18} aria-hidden />
        </IconButton>
        <IconButton label={texts.ppi.zoomOut} tip="left" onClick={() => zoomBy(1 / ZOOM)}>
          <IconMinus size={18} aria-hidden />
        </IconButton>
        <IconButton label={texts.ppi.whole} tip="left" onClick={() => setView(START)}>
          <IconFocusCentered size={18} aria-hidden />
        </IconButton>
      </div>
      <div className={classes.legend}>
        <ScaleLegend scale={scale} unit={sweep?.header.unit ?? ''} />
      </div>
      <ReadingLine field={sweep?.header ?? null} reading={reader && read ? reader.read(read, radar) : null} />
    </div>
  )
}

const START = { centre: { eastM: 0, northM: 0 }, zoom: 1 }

interface KeyUses extends Pick<Props, 'sweep' | 'point' | 'onPoint' | 'onElevation'> {
  zoomBy: (factor: number) => void
}

/** What a key does to the gate that is read, to the elevation or to the zoom. @returns whether it did something */
function keyStep(key: string, { sweep, point, onPoint, onElevation, zoomBy }: KeyUses): boolean {
  if (key === 'PageUp' || key === 'PageDown') onElevation(key === 'PageUp' ? 1 : -1)
  else if (key === '+' || key === '-') zoomBy(key === '+' ? ZOOM : 1 / ZOOM)
  else if (sweep && (key in TURN || key in FAR)) {
    const { nrays, rangeStartM, rangeStepM, nbins } = sweep.header
    const from = point ?? { azimuth: 0, rangeM: rangeStartM + (nbins / 2) * rangeStepM }
    const azimuth = (from.azimuth + (TURN[key] ?? 0) * (360 / nrays) + 360) % 360
    const stride = Math.max(1, Math.round(nbins / 100)) * rangeStepM
    const end = rangeStartM + nbins * rangeStepM
    const rangeM = Math.min(
      end - rangeStepM / 2,
      Math.max(rangeStepM / 2, from.rangeM + (FAR[key] ?? 0) * stride),
    )
    onPoint({ azimuth, rangeM })
  } else return false
  return true
}

interface Painted {
  sweep: DecodedSweep | null
  scale: Scale
  view: PpiView
  size: { width: number; height: number }
}

/** Draws whatever changes. @returns whether it cannot be drawn here */
function usePainter(
  canvas: React.RefObject<HTMLCanvasElement | null>,
  { sweep, scale, view, size }: Painted,
): boolean {
  const painter = useRef<PpiPainter | null>(null)
  const [failed, setFailed] = useState(false)
  useEffect(() => {
    try {
      painter.current = new PpiPainter(canvas.current!)
    } catch {
      setFailed(true)
      return
    }
    return () => {
      painter.current?.destroy()
      painter.current = null
    }
  }, [canvas])
  useEffect(() => {
    painter.current?.setSweep(sweep, sweep && colorTable(sweep.header, scale))
  }, [sweep, scale])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of them changes the picture
  useEffect(() => {
    painter.current?.draw(view)
  }, [sweep, scale, view.centre, view.metresPerPixel, size])
  return failed
}

/** The wheel of a mouse over an element, which then does not scroll the page. */
function useWheel(element: React.RefObject<HTMLElement | null>, onWheel: (event: WheelEvent) => void): void {
  const latest = useRef(onWheel)
  latest.current = onWheel
  useEffect(() => {
    const own = element.current!
    const listen = (event: WheelEvent) => {
      event.preventDefault()
      latest.current(event)
    }
    own.addEventListener('wheel', listen, { passive: false })
    return () => own.removeEventListener('wheel', listen)
  }, [element])
}

interface DragUses {
  onMove: (dx: number, dy: number) => void
  onHover: (event: PointerEvent | null) => void
  onClick: (event: PointerEvent) => void
}

/** Tells moving the picture from clicking on it. */
function useDrag({ onMove, onHover, onClick }: DragUses) {
  const from = useRef<{ x: number; y: number; moved: boolean } | null>(null)
  return {
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      event.currentTarget.setPointerCapture(event.pointerId)
      from.current = { x: event.clientX, y: event.clientY, moved: false }
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      onHover(event)
      const { current } = from
      if (!current) return
      const [dx, dy] = [event.clientX - current.x, event.clientY - current.y]
      if (!current.moved && Math.hypot(dx, dy) <= CLICK_PX) return
      onMove(dx, dy)
      from.current = { x: event.clientX, y: event.clientY, moved: true }
    },
    onPointerUp: (event: PointerEvent<HTMLElement>) => {
      if (from.current && !from.current.moved) onClick(event)
      from.current = null
    },
    onPointerCancel: () => {
      from.current = null
    },
    onPointerLeave: () => onHover(null),
  }
}
