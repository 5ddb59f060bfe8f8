import { TABLE_PAGE_SIZE } from '@radx/contracts/simulation-constants'
import { formatNumberFr } from '@radx/locale/format-fr'
import {
  IconArrowDown,
  IconArrowUp,
  IconChevronLeft,
  IconChevronRight,
  IconSearch,
} from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { sewerTexts as texts } from '../texts/sewer.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { hoverLink, hoverNode, hoverNothing, useHover } from './hover.ts'
import classes from './NetworkTable.module.css'
import type { SewerLink, SewerNode } from './network.ts'
import { NATURAL, pageOf, type Sort, sortRows, toggleSort } from './rows.ts'

/** A column: its text, and what its rows are sorted by. */
interface Column<Row> {
  title: string
  unit?: string
  text: (row: Row) => string
  value: (row: Row) => number | string | null
}

interface Props<Row> {
  caption: string
  rows: readonly Row[]
  chosen: readonly string[]
  onPick: (name: string) => void
}

const word = <Row,>(title: string, of: (row: Row) => string): Column<Row> => ({ title, text: of, value: of })

const figure = <Row,>(
  title: string,
  unit: string,
  decimals: number,
  of: (row: Row) => number | null,
): Column<Row> => ({ title, unit, text: (row) => formatNumberFr(of(row), decimals), value: of })

const NODE_COLUMNS: readonly Column<SewerNode>[] = [
  word(texts.columns.name, ({ name }) => name),
  figure(texts.columns.elevation, 'm', 2, ({ elevationM }) => elevationM),
  figure(texts.columns.maxDepth, 'm', 2, ({ maxDepthM }) => maxDepthM),
  figure(texts.columns.peakDepth, 'm', 2, ({ peakM }) => peakM),
]

const LINK_COLUMNS: readonly Column<SewerLink>[] = [
  word(texts.columns.name, ({ name }) => name),
  word(texts.columns.from, ({ from }) => from),
  word(texts.columns.to, ({ to }) => to),
  figure(texts.columns.length, 'm', 1, ({ lengthM }) => lengthM),
  figure(texts.columns.peakFlow, 'm³/s', 3, ({ peakM3S }) => peakM3S),
]

export const NodeTable = (props: Props<SewerNode>) => (
  <NetworkTable
    {...props}
    columns={NODE_COLUMNS}
    onHover={(name) => hoverNode(name, 'table')}
    overflows={(row) => row.overflows}
  />
)
export const LinkTable = (props: Props<SewerLink>) => (
  <NetworkTable {...props} columns={LINK_COLUMNS} onHover={(name) => hoverLink(name, 'table')} />
)

interface TableProps<Row> extends Props<Row> {
  columns: readonly Column<Row>[]
  onHover: (name: string) => void
  overflows?: (row: Row) => boolean
}

/** Ten rows a page; what is pointed at on the map or in the profile is turned to. */
function NetworkTable<Row extends { name: string }>(props: TableProps<Row>) {
  const { caption, rows, chosen, onPick, columns, onHover, overflows } = props
  const [filter, setFilter] = useState('')
  const [sort, setSort] = useState<Sort>(NATURAL)
  const [asked, setAsked] = useState(1)
  const found = useMemo(() => {
    const wanted = filter.trim().toLowerCase()
    const kept = wanted === '' ? rows : rows.filter(({ name }) => name.toLowerCase().includes(wanted))
    return sortRows(kept, columns[sort.column]?.value, sort)
  }, [rows, filter, sort, columns])
  const pointed = useHover((hover) => hover.node ?? hover.link)
  const elsewhere = useHover((hover) => hover.from !== 'table')
  const place = pointed !== null && elsewhere ? found.findIndex(({ name }) => name === pointed) : -1
  const { items, page, pages } = pageOf(found, place < 0 ? asked : Math.floor(place / TABLE_PAGE_SIZE) + 1)
  return (
    <div className={classes.root} data-testid="network-table">
      <label className={classes.filter}>
        <IconSearch size={16} stroke={1.75} aria-hidden />
        <input
          type="search"
          value={filter}
          placeholder={texts.filter}
          aria-label={texts.filter}
          onChange={(event) => {
            setFilter(event.currentTarget.value)
            setAsked(1)
          }}
        />
      </label>
      <div className={classes.scroll}>
        <table className={classes.table}>
          <caption className="rx-visually-hidden">{caption}</caption>
          <thead>
            <tr>
              {columns.map(({ title, unit }, k) => (
                <th
                  key={title}
                  scope="col"
                  aria-sort={
                    sort.column !== k ? 'none' : sort.direction === 'asc' ? 'ascending' : 'descending'
                  }
                >
                  <button
                    type="button"
                    title={texts.sortBy(unit ? `${title} ${unit}` : title)}
                    onClick={() => {
                      setSort(toggleSort(sort, k))
                      setAsked(1)
                    }}
                  >
                    {title} {unit && <span className="rx-unit">{unit}</span>}
                    {sort.column === k &&
                      (sort.direction === 'asc' ? <IconArrowUp size={14} /> : <IconArrowDown size={14} />)}
                  </button>
                </th>
              ))}
            </tr>
          </thead>
          <tbody onMouseLeave={hoverNothing}>
            {items.map((row) => (
              <tr
                key={row.name}
                data-hover={row.name === pointed || undefined}
                data-chosen={chosen.includes(row.name) || undefined}
                data-overflow={overflows?.(row) || undefined}
                onMouseEnter={() => onHover(row.name)}
                onClick={() => onPick(row.name)}
              >
                {columns.map(({ title, text }, k) =>
                  k === 0 ? (
                    <th key={title} scope="row">
                      <button
                        type="button"
                        aria-pressed={chosen.includes(row.name)}
                        onFocus={() => onHover(row.name)}
                        onBlur={hoverNothing}
                        onClick={(event) => {
                          event.stopPropagation()
                          onPick(row.name)
                        }}
                      >
                        {text(row)}
                      </button>
                      {overflows?.(row) && <span className={classes.overflow}>{texts.overflows}</span>}
                    </th>
                  ) : (
                    <td key={title}>{text(row)}</td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
        {found.length === 0 && <p className={classes.empty}>{texts.noMatch}</p>}
      </div>
      <nav className={classes.pager} aria-label={texts.pager}>
        <IconButton label={texts.previousPage} disabled={page === 1} onClick={() => setAsked(page - 1)}>
          <IconChevronLeft size={18} />
        </IconButton>
        <span aria-live="polite">{texts.page(formatNumberFr(page), formatNumberFr(pages))}</span>
        <IconButton label={texts.nextPage} disabled={page === pages} onClick={() => setAsked(page + 1)}>
          <IconChevronRight size={18} />
        </IconButton>
      </nav>
    </div>
  )
}
