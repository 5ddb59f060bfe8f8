import { SegmentedControl } from '@mantine/core'
import { DEPTH_ZOOM_PX } from '@radx/contracts/flood-constants'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { IconTarget } from '@tabler/icons-react'
import { type KeyboardEvent, type MouseEvent, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { useColorScheme } from '../../../../app/color-scheme.ts'
import { depthTexts as texts } from '../../../../texts/flood.ts'
import { IconButton } from '../../../../ui/IconButton.tsx'
import classes from './Depth.module.css'
import { DepthControls, useDepthScale } from './DepthControls.tsx'
import type { DepthField } from './field.ts'
import { depthPicture, drawPicture } from './paint.ts'
import { useDepthView } from './view.ts'

/** Where the basin stayed dry. */
const GROUND = { light: [232, 236, 237], dark: [30, 38, 41] } as const

const ARROWS: Record<string, [number, number]> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
}

/** The largest depths as a matrix of pixels. */
export function Matrix({ field }: { field: DepthField }) {
  const { zoom, cell, change } = useDepthView()
  const { scale } = useDepthScale(field)
  const scheme = useColorScheme()
  const canvas = useRef<HTMLCanvasElement>(null)
  const viewport = useRef<HTMLElement>(null)
  const px = DEPTH_ZOOM_PX[zoom - 1]
  const { nrows, ncols } = field
  const { palette, minCm, maxCm } = scale
  const picture = useMemo(
    () => depthPicture(field, field.cm, { palette, minCm, maxCm }, GROUND[scheme]),
    [field, palette, minCm, maxCm, scheme],
  )
  useEffect(() => {
    if (canvas.current) drawPicture(canvas.current, picture)
  }, [picture])

  // What was in the middle stays there when the zoom changes.
  const middle = useRef({ x: 0.5, y: 0.5 })
  const keepMiddle = () => {
    const view = viewport.current
    if (view === null) return
    middle.current = {
      x: (view.scrollLeft + view.clientWidth / 2) / view.scrollWidth,
      y: (view.scrollTop + view.clientHeight / 2) / view.scrollHeight,
    }
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pixel size moves what is in view
  useLayoutEffect(() => {
    const view = viewport.current
    if (view === null) return
    view.scrollLeft = middle.current.x * view.scrollWidth - view.clientWidth / 2
    view.scrollTop = middle.current.y * view.scrollHeight - view.clientHeight / 2
  }, [px])

  const choose = (row: number, col: number) => {
    const chosen = {
      row: Math.min(nrows - 1, Math.max(0, row)),
      col: Math.min(ncols - 1, Math.max(0, col)),
    }
    change({ cell: chosen })
    reveal(viewport.current, chosen, px)
  }
  const chooseDeepest = () => {
    const k = field.wet[0] ?? 0
    choose(Math.floor(k / ncols), k % ncols)
  }
  const onClick = ({ currentTarget, clientX, clientY }: MouseEvent) => {
    const box = currentTarget.getBoundingClientRect()
    choose(Math.floor((clientY - box.top) / px), Math.floor((clientX - box.left) / px))
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = ARROWS[event.key]
    if (step === undefined) return
    event.preventDefault()
    if (cell === null) chooseDeepest()
    else choose(cell.row + step[0], cell.col + step[1])
  }

  return (
    <div className={classes.view}>
      <DepthControls field={field}>
        <div>
          <span className={classes.label} id="depth-zoom">
            {texts.zooms}
          </span>
          <SegmentedControl
            aria-labelledby="depth-zoom"
            data={DEPTH_ZOOM_PX.map((_, k) => ({ value: String(k + 1), label: String(k + 1) }))}
            value={String(zoom)}
            onChange={(value) => {
              keepMiddle()
              change({ zoom: Number(value) })
            }}
          />
        </div>
      </DepthControls>
      <section
        ref={viewport}
        className={classes.viewport}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the arrow keys move the chosen cell
        tabIndex={0}
        aria-label={texts.matrix}
        onKeyDown={onKeyDown}
      >
        <div className={classes.sheet} style={{ width: ncols * px, height: nrows * px }}>
          <canvas ref={canvas} aria-hidden onClick={onClick} data-px={px} />
          {cell && (
            <span
              className={classes.chosen}
              style={{ left: cell.col * px, top: cell.row * px, width: px, height: px }}
              aria-hidden
            />
          )}
        </div>
      </section>
      <div className={classes.readout}>
        <IconButton label={texts.deepest} tip="top" onClick={chooseDeepest}>
          <IconTarget size={18} stroke={1.75} />
        </IconButton>
        <CellReadout field={field} cell={cell} />
      </div>
    </div>
  )
}

/** The value of the chosen cell, in cm. */
export function CellReadout({
  field,
  cell,
}: {
  field: DepthField
  cell: { row: number; col: number } | null
}) {
  const inside = cell !== null && cell.row < field.nrows && cell.col < field.ncols
  return (
    <output className={classes.value} data-testid="cell-value">
      {inside ? (
        <>
          {texts.cell(cell.row + 1, cell.col + 1)}{' '}
          <strong>{valueText(field.cm[cell.row * field.ncols + cell.col])}</strong>
        </>
      ) : (
        texts.matrixHelp
      )}
    </output>
  )
}

const valueText = (cm: number): string =>
  Number.isNaN(cm) ? texts.cellOutside : cm > 0 ? formatQuantityFr(cm, 'cm', 1) : texts.cellEmpty

/** Scrolls as little as needed for a cell to be in view. */
function reveal(view: HTMLElement | null, { row, col }: { row: number; col: number }, px: number): void {
  if (view === null) return
  const margin = 2 * px
  const into = (from: number, at: number, length: number) =>
    Math.min(Math.max(from, at + px + margin - length), at - margin)
  view.scrollTop = into(view.scrollTop, row * px, view.clientHeight)
  view.scrollLeft = into(view.scrollLeft, col * px, view.clientWidth)
}
