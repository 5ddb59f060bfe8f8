import { COMMENT_MAX, TITLE_MAX } from '@radx/contracts/constants'
import type { SavedEvent } from '@radx/contracts/events'
import { formatDateFr, formatHourMinuteFr, formatNumberFr } from '@radx/locale/format-fr'
import {
  IconCheck,
  IconFileText,
  IconLink,
  IconPencil,
  IconPlayerPlay,
  IconRipple,
  IconTrash,
} from '@tabler/icons-react'
import { useState } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { rainQuery, type SelectionGround } from '../../../selection/address.ts'
import { eventTexts as texts } from '../../../texts/events.ts'
import { reportTexts } from '../../../texts/report.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { useInlineForm } from '../../../ui/inline-form.ts'
import { Message } from '../../../ui/Message.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import { EventExports } from '../exports/EventExports.tsx'
import { useUpdateEvent } from './api.ts'
import classes from './EventsSection.module.css'
import { foldComment } from './list.ts'
import { eventQuery } from './selection-of-event.ts'

/** Which event is being renamed or has its comment edited: at most one. */
export interface Editing {
  id: string
  field: 'title' | 'comment'
}

interface Props {
  event: SavedEvent
  place: string | null
  selected: boolean
  onSelect: () => void
  editing: Editing | null
  onEdit: (editing: Editing | null) => void
  onLoad: () => void
  onDelete: () => void
  ground: SelectionGround
}

function reportQuery({
  product: p,
  title,
  selectionDates,
  catchment: { catchment, subcatchment },
}: SavedEvent) {
  const { start: s, end: e } = selectionDates
  return new URLSearchParams({
    ...{ p, s, e, title },
    ...(catchment !== null && { c: catchment }),
    ...(subcatchment !== null && { sc: subcatchment }),
  })
}

export function EventRow(props: Props) {
  const { event, place, selected, onSelect, editing, onEdit, onLoad, onDelete, ground } = props
  const { timeZone } = useSite()
  const { start, end } = event.selectionDates
  const moment = (at: string) => (
    <>
      {formatDateFr(at, timeZone)} <span className="rx-unit">{formatHourMinuteFr(at, timeZone)}</span>
    </>
  )
  const mine = editing?.id === event._id ? editing.field : null
  const root = useInlineForm<HTMLTableRowElement>(mine)
  return (
    <tr ref={root} className={classes.row} data-selected={selected} data-testid="event" onClick={onSelect}>
      <td className={classes.name}>
        {mine === 'title' ? (
          <Editor key="title" event={event} field="title" onDone={() => onEdit(null)} />
        ) : (
          <span className={classes.editable}>
            {event.title}
            <IconButton
              label={texts.rename(event.title)}
              data-opens="title"
              size={28}
              disabled={editing !== null}
              onClick={(click) => {
                click.stopPropagation()
                onEdit({ id: event._id, field: 'title' })
              }}
            >
              <IconPencil size={14} stroke={1.75} aria-hidden />
            </IconButton>
          </span>
        )}
      </td>
      <td>{event.product}</td>
      <td className={classes.moment}>{moment(start)}</td>
      <td className={classes.moment}>{moment(end)}</td>
      <td>{place ?? '–'}</td>
      <td
        className={classes.number}
        title={
          event.cumulWithheld ? texts.cumulWithheld : event.cumulMethod && texts.methods[event.cumulMethod]
        }
      >
        {event.cumul === undefined || event.cumulWithheld ? '–' : formatNumberFr(event.cumul, 2)}
      </td>
      <td className={classes.comment}>
        {mine === 'comment' ? (
          <Editor key="comment" event={event} field="comment" onDone={() => onEdit(null)} />
        ) : (
          <span className={classes.editable}>
            <Comment text={event.comment} />
            <IconButton
              label={texts.editComment(event.title)}
              data-opens="comment"
              size={28}
              disabled={editing !== null}
              onClick={(click) => {
                click.stopPropagation()
                onEdit({ id: event._id, field: 'comment' })
              }}
            >
              <IconPencil size={14} stroke={1.75} aria-hidden />
            </IconButton>
          </span>
        )}
      </td>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: only keeps clicks on buttons from selecting the row */}
      <td className={classes.actions} onClick={(click) => click.stopPropagation()}>
        <span>
          <button type="button" className={classes.load} onClick={onLoad} title={texts.loadTip(event.title)}>
            <IconPlayerPlay size={14} stroke={1.75} aria-hidden />
            {texts.load}
          </button>
          <EventExports event={event} />

          <a
            className={classes.simulate}
            href={`/multihydro/form?${rainQuery(event.product, start, end)}`}
            aria-label={texts.simulate(event.title)}
            title={texts.simulate(event.title)}
          >
            <IconRipple size={16} stroke={1.75} aria-hidden />
          </a>

          <a
            className={classes.simulate}
            href={`/rapport?${reportQuery(event)}`}
            aria-label={reportTexts.pageOf(event.title)}
            title={reportTexts.pageOf(event.title)}
          >
            <IconFileText size={16} stroke={1.75} aria-hidden />
          </a>
          <Share event={event} ground={ground} />
          <IconButton label={texts.remove(event.title)} size={32} onClick={onDelete}>
            <IconTrash size={16} stroke={1.75} aria-hidden />
          </IconButton>
        </span>
      </td>
    </tr>
  )
}

function Comment({ text }: { text: string }) {
  const [open, setOpen] = useState(false)
  const folded = foldComment(text)
  if (folded === null) return <span className={classes.text}>{text}</span>
  return (
    <span className={classes.text}>
      {open ? text : folded}{' '}
      <TextButton
        aria-expanded={open}
        onClick={(click) => {
          click.stopPropagation()
          setOpen(!open)
        }}
      >
        {open ? texts.less : texts.more}
      </TextButton>
    </span>
  )
}

function Share({ event, ground }: { event: SavedEvent; ground: SelectionGround }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(`${window.location.origin}/analyse?${eventQuery(event, ground)}`)
    setCopied(true)
    setTimeout(() => setCopied(false), 2000)
  }
  return (
    <IconButton
      label={copied ? texts.shared : texts.share(event.title)}
      size={32}
      onClick={() => void copy().catch(() => setCopied(false))}
    >
      {copied ? <IconCheck size={16} stroke={2} /> : <IconLink size={16} stroke={1.75} aria-hidden />}
    </IconButton>
  )
}

interface EditorProps {
  event: SavedEvent
  field: 'title' | 'comment'
  onDone: () => void
}

/** One field of an event; what the server refuses stays in it. */
function Editor({ event, field, onDone }: EditorProps) {
  const [text, setText] = useState(event[field])
  const update = useUpdateEvent()
  const most = field === 'title' ? TITLE_MAX : COMMENT_MAX
  const valid = text.length <= most && (field === 'comment' || text.trim() !== '')
  const save = () => {
    if (!valid || update.isPending) return
    if (text === event[field]) onDone()
    else update.mutate({ ...event, [field]: text }, { onSuccess: onDone })
  }
  const common = {
    value: text,
    'aria-label': texts.columns[field],
    'aria-invalid': !valid,
    onChange: (change: { target: { value: string } }) => setText(change.target.value),
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: only keeps clicks and Escape of the field to itself
    <div
      className={classes.editor}
      data-form={field}
      onClick={(click) => click.stopPropagation()}
      onKeyDown={(key) => {
        if (key.key === 'Escape') onDone()
        if (key.key === 'Enter' && (field === 'title' || key.ctrlKey)) save()
      }}
    >
      {field === 'title' ? <input type="text" {...common} /> : <textarea rows={3} {...common} />}
      <div>
        <TextButton disabled={!valid || update.isPending} onClick={save}>
          {texts.save}
        </TextButton>
        <TextButton onClick={onDone}>{texts.cancel}</TextButton>
      </div>
      {update.isError && <Message kind="error">{genericErrorText(update.error)}</Message>}
    </div>
  )
}
