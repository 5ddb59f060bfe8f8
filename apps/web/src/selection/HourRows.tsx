import { INTENSITY_CLASSES } from '@radx/contracts/constants'
import type { HourRow } from '@radx/contracts/radar'
import { formatNumberFr } from '@radx/locale/format-fr'
import { intensityClass } from '@radx/rainfall/classes'
import {
  type KeyboardEvent,
  memo,
  type PointerEvent,
  type RefObject,
  useEffect,
  useMemo,
  useState,
} from 'react'
import { selectionTexts as texts } from '../texts/selection.ts'
import classes from './HoursTable.module.css'
import { groupHours, type HourGroup, rowByKey } from './hours.ts'
import type { HourMark } from './selection.ts'
import type { RangeDrag } from './useRangeDrag.ts'

/** Near the upper or lower edge of the list a drawn stretch scrolls it, px. */
const EDGE_PX = 36

interface Props {
  rows: readonly HourRow[]
  marks: readonly HourMark[]
  /** A basin's column is shown. */
  place: boolean
  scroll: RefObject<HTMLDivElement | null>
  drag: RangeDrag
  /** Where the Tab key stops until an image had the focus. */
  first: number
  onChoose: (instant: string) => void
}

/** The day's images by the hour: one tab stop, arrow keys from image to image, a stretch by dragging. */
export function HourRows({ rows, marks, place, scroll, drag, first, onChoose }: Props) {
  const groups = useMemo(() => groupHours(rows), [rows])
  const [at, setAt] = useState<number | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another day begins anew
  useEffect(() => setAt(null), [rows])
  const stop = at ?? first
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return
    const to = rowByKey(groups, stop, event.key)
    if (to === null) return
    event.preventDefault()
    setAt(to)
    const row = scroll.current?.querySelector<HTMLElement>(`[data-index="${to}"]`)
    row?.querySelector('button')?.focus({ preventScroll: true })
    row?.scrollIntoView({ block: 'nearest' })
  }
  const onPointerDown = (event: PointerEvent) => {
    const index = indexAt(event)
    // A finger scrolls the list; it draws on the graph above.
    if (index !== null && event.button === 0 && event.pointerType !== 'touch') drag.begin(index)
  }
  const onPointerMove = (event: PointerEvent) => {
    const index = indexAt(event)
    if (index !== null) drag.over(index)
    if (drag.dragging && scroll.current) scrollAtEdge(scroll.current, event.clientY)
  }
  return (
    <table
      className={classes.table}
      data-dragging={drag.dragging || undefined}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid of images, one tab stop
      role="grid"
      aria-label={texts.hoursHelp}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
    >
      <Head place={place} />
      {groups.map((group) => (
        <tbody key={group.rows[0].datetime}>
          <GroupHead group={group} columns={place ? 4 : 3} />
          {group.rows.map((row, k) => (
            <Row
              key={row.datetime}
              row={row}
              index={group.first + k}
              mark={marks[group.first + k]}
              place={place}
              tabStop={group.first + k === stop}
              onFocus={setAt}
              onChoose={onChoose}
            />
          ))}
        </tbody>
      ))}
    </table>
  )
}

function indexAt(event: PointerEvent): number | null {
  const row = (event.target as Element).closest<HTMLElement>('[data-index]')
  return row ? Number(row.dataset.index) : null
}

function scrollAtEdge(box: HTMLElement, y: number): void {
  const { top, bottom } = box.getBoundingClientRect()
  if (y < top + EDGE_PX) box.scrollTop -= EDGE_PX / 2
  else if (y > bottom - EDGE_PX) box.scrollTop += EDGE_PX / 2
}

function Head({ place }: { place: boolean }) {
  return (
    <thead>
      <tr>
        <th scope="col">{texts.columns.time}</th>
        <th scope="col">
          {texts.columns.rain} <span className="rx-unit">mm/h</span>
        </th>
        <th scope="col">
          {texts.columns.coverage} <span className="rx-unit">%</span>
        </th>
        {place && (
          <th scope="col">
            {texts.columns.catchment} <span className="rx-unit">mm/h</span>
          </th>
        )}
      </tr>
    </thead>
  )
}

function GroupHead({ group, columns }: { group: HourGroup; columns: number }) {
  return (
    <tr className={classes.group}>
      <th scope="rowgroup" colSpan={columns}>
        <span className={classes.groupLine}>
          {texts.hourGroup(group.hour)}
          <span className={classes.groupNote}>
            {texts.hourImages(group.rows.length)}
            {(group.peakMmH ?? 0) > 0 && (
              <>
                , {texts.hourPeak} {formatNumberFr(group.peakMmH, 1)} <span className="rx-unit">mm/h</span>
              </>
            )}
          </span>
        </span>
      </th>
    </tr>
  )
}

interface RowProps {
  row: HourRow
  index: number
  mark: HourMark
  place: boolean
  tabStop: boolean
  onFocus: (index: number) => void
  onChoose: (instant: string) => void
}

const Row = memo(({ row, index, mark, place, tabStop, onFocus, onChoose }: RowProps) => {
  const code = row.nonzerosmean === null ? 0 : intensityClass(row.nonzerosmean)
  const unselectable = mark === 'unselectable'
  const choose = () => !unselectable && onChoose(row.datetime)
  return (
    <tr className={classes.row} data-index={index} data-mark={mark ?? undefined} onClick={choose}>
      <td>
        <button
          type="button"
          aria-disabled={unselectable}
          tabIndex={tabStop ? 0 : -1}
          data-datetime={row.datetime}
          aria-pressed={mark === 'markerStart' || mark === 'markerEnd'}
          onFocus={() => onFocus(index)}
          onClick={(event) => {
            event.stopPropagation()
            choose()
          }}
        >
          {row.localtime}
        </button>
        {(mark === 'markerStart' || mark === 'markerEnd') && (
          <span className={classes.marker}>{texts.markers[mark]}</span>
        )}
      </td>
      <td>
        <span
          className={classes.swatch}
          style={code > 0 ? { background: INTENSITY_CLASSES[code - 1].color } : undefined}
        />
        {formatNumberFr(row.nonzerosmean, 2)}
      </td>
      <td>{formatNumberFr(row.nonzerospc, 1)}</td>
      {place && <td>{formatNumberFr(row.catchment?.mean, 2)}</td>}
    </tr>
  )
})
