import type { CatchmentCollection } from '@radx/contracts/catchments'
import { EVENT_PAGE_SIZES } from '@radx/contracts/constants'
import type { SavedEvent } from '@radx/contracts/events'
import { IconArrowDown, IconArrowUp, IconHelpCircle } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import { openModal, useModal } from '../../../app/modals.ts'
import type { SelectionGround } from '../../../selection/address.ts'
import { useNames } from '../../../selection/SelectionPanel.tsx'
import type { Selection } from '../../../selection/selection.ts'
import { eventTexts as texts } from '../../../texts/events.ts'
import { AppModal } from '../../../ui/AppModal.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { Message } from '../../../ui/Message.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import { eventsQuery, useDeleteEvent } from './api.ts'
import { DeleteDialog } from './DeleteDialog.tsx'
import { type Editing, EventRow } from './EventRow.tsx'
import classes from './EventsSection.module.css'
import { filterByTitle, paginate, type Sort, sortRows, toggleSort } from './list.ts'
import { Pages } from './Pages.tsx'
import { selectionOfEvent } from './selection-of-event.ts'

const COLUMNS = ['title', 'product', 'start', 'end', 'catchment', 'cumul', 'comment'] as const
type Column = (typeof COLUMNS)[number]

interface Props {
  catchments: CatchmentCollection
  ground: SelectionGround
  onLoad: (selection: Selection) => void
}

/** The reader's saved events. */
export function EventsSection({ catchments, ground, onLoad }: Props) {
  const query = useQuery(eventsQuery)
  const modal = useModal((state) => state.type)
  return (
    <section aria-labelledby="events-title">
      <header className={classes.header}>
        <h2 id="events-title">{texts.title}</h2>
        <IconButton label={texts.help} onClick={() => openModal('userEvent')}>
          <IconHelpCircle size={20} stroke={1.75} />
        </IconButton>
      </header>
      {query.isPending && <p className={classes.note}>{texts.loading}</p>}
      {query.error && (
        <Message
          kind="error"
          action={<TextButton onClick={() => void query.refetch()}>{texts.retry}</TextButton>}
        >
          {genericErrorText(query.error)}
        </Message>
      )}
      {query.data?.length === 0 && (
        <p className={classes.note}>
          {texts.empty} {texts.emptyHint}
        </p>
      )}
      {query.data && query.data.length > 0 && (
        <EventsTable events={query.data} catchments={catchments} ground={ground} onLoad={onLoad} />
      )}
      {modal === 'userEvent' && (
        <AppModal type="userEvent" title={texts.title} size="lg">
          <div className={classes.help}>
            {texts.helpText.map((text) => (
              <p key={text}>{text}</p>
            ))}
          </div>
        </AppModal>
      )}
    </section>
  )
}

function EventsTable({ events, catchments, ground, onLoad }: Props & { events: readonly SavedEvent[] }) {
  const nameOf = useNames(catchments)
  const [sort, setSort] = useState<Sort<Column>>({ column: 'start', descending: true })
  const [filter, setFilter] = useState('')
  const [page, setPage] = useState(1)
  const [size, setSize] = useState<number>(EVENT_PAGE_SIZES[0])
  const [editing, setEditing] = useState<Editing | null>(null)
  const [selected, setSelected] = useState<string | null>(null)
  const [deleting, setDeleting] = useState<SavedEvent | null>(null)
  const [failed, setFailed] = useState<string | null>(null)
  const remove = useDeleteEvent()

  const placeOf = useMemo(
    () =>
      ({ catchment }: SavedEvent) => {
        const key = catchment.subcatchment ?? catchment.catchment
        return key === null ? null : nameOf(key)
      },
    [nameOf],
  )
  const sorted = (event: SavedEvent) =>
    ({
      title: event.title,
      product: event.product,
      start: Date.parse(event.selectionDates.start),
      end: Date.parse(event.selectionDates.end),
      catchment: placeOf(event),
      cumul: event.cumul,
      comment: event.comment || null,
    })[sort.column]
  const found = sortRows(filterByTitle(events, filter), sorted, sort.descending)
  const filtering = filter.trim() !== ''
  const paged = paginate(found, page, size)
  const rows = filtering ? found : paged.rows

  const confirm = (event: SavedEvent) => {
    setDeleting(event)
    openModal('userEventDeleteConfirm')
  }
  return (
    <>
      <div className={classes.tools}>
        <input
          type="search"
          className={classes.filter}
          placeholder={texts.filter}
          aria-label={texts.filter}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      </div>
      {failed && (
        <Message
          kind="error"
          action={<TextButton onClick={() => setFailed(null)}>{texts.cancel}</TextButton>}
        >
          {failed}
        </Message>
      )}
      {rows.length === 0 ? (
        <p className={classes.note}>{texts.noMatch(filter.trim())}</p>
      ) : (
        <div className={classes.scroll}>
          <table className={classes.table} aria-labelledby="events-title">
            <thead>
              <tr>
                {COLUMNS.map((column) => (
                  <th
                    key={column}
                    scope="col"
                    data-column={column}
                    aria-sort={
                      sort.column === column ? (sort.descending ? 'descending' : 'ascending') : undefined
                    }
                  >
                    <button
                      type="button"
                      title={texts.sortBy(texts.columns[column])}
                      onClick={() => setSort(toggleSort(sort, column))}
                    >
                      {texts.columns[column]}
                      {column === 'cumul' && <span className="rx-unit"> mm</span>}
                      {sort.column === column &&
                        (sort.descending ? (
                          <IconArrowDown size={14} stroke={2} aria-hidden />
                        ) : (
                          <IconArrowUp size={14} stroke={2} aria-hidden />
                        ))}
                    </button>
                  </th>
                ))}
                <th scope="col">
                  <span className="rx-visually-hidden">{texts.columns.actions}</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {rows.map((event) => (
                <EventRow
                  key={event._id}
                  event={event}
                  place={placeOf(event)}
                  selected={selected === event._id}
                  onSelect={() => setSelected(selected === event._id ? null : event._id)}
                  editing={editing}
                  onEdit={setEditing}
                  onLoad={() => onLoad(selectionOfEvent(event, ground))}
                  onDelete={() => confirm(event)}
                  ground={ground}
                />
              ))}
            </tbody>
          </table>
        </div>
      )}
      {!filtering && (
        <Pages
          page={paged.page}
          pages={paged.pages}
          size={size}
          onPage={setPage}
          onSize={(next) => {
            setSize(next)
            setPage(1)
          }}
        />
      )}
      {deleting && (
        <DeleteDialog
          title={deleting.title}
          onYes={() => {
            setFailed(null)
            remove.mutate(deleting, {
              onError: (error) => setFailed(texts.deleteFailed(deleting.title, genericErrorText(error))),
            })
          }}
        />
      )}
    </>
  )
}
