import type { KeptExport } from '@radx/contracts/exports'
import { formatDateTimeFr, formatQuantityFr } from '@radx/locale/format-fr'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { send } from '../../../app/api/client.ts'
import { genericErrorText } from '../../../app/api/errors.ts'
import { useSite } from '../../../app/site.ts'
import { exportTexts as texts } from '../../../texts/exports.ts'
import { Message } from '../../../ui/Message.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import { downloadExport } from './download.ts'
import classes from './Exports.module.css'
import { keptExportsQuery } from './kept.ts'

const POLL_MS = 2000
const isEnded = ({ status }: KeptExport) => status === 'done' || status === 'error'

const sizeText = (bytes: number) =>
  bytes < 1e6 ? formatQuantityFr(bytes / 1e3, 'ko', 0) : formatQuantityFr(bytes / 1e6, 'Mo', 1)

/** Exports of before that the account keeps: fetched again or deleted. */
export default function KeptExports() {
  const [open, setOpen] = useState(false)
  const [said, setSaid] = useState('')
  const summary = useRef<HTMLElement>(null)
  const { data, error } = useQuery({
    ...keptExportsQuery,
    enabled: open,
    refetchInterval: ({ state }) => (state.data?.some((kept) => !isEnded(kept)) ? POLL_MS : false),
  })
  return (
    <details className={classes.kept} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary ref={summary}>{texts.kept}</summary>
      <p className={classes.state} role="status">
        {open && !data && !error ? texts.loadingKept : said}
      </p>
      {error && <Message kind="error">{genericErrorText(error)}</Message>}
      {data?.length === 0 && <p className={classes.state}>{texts.noneKept}</p>}
      {data && data.length > 0 && (
        <ul>
          {data.map((kept) => (
            <Kept
              key={kept.id}
              kept={kept}
              onRemoved={(what) => {
                setSaid(texts.removed(what))
                summary.current?.focus()
              }}
            />
          ))}
        </ul>
      )}
    </details>
  )
}

interface KeptProps {
  kept: KeptExport
  /** It is gone, and its buttons with it. */
  onRemoved: (what: string) => void
}

function Kept({ kept, onRemoved }: KeptProps) {
  const { timeZone } = useSite()
  const client = useQueryClient()
  const { id, kind, file, date, expires } = kept
  const what = file ?? texts.keptOf(kept.product, formatDateTimeFr(kept.start, timeZone))
  const save = useMutation({
    mutationFn: (name: string) =>
      downloadExport(`/images/${kind}/${encodeURIComponent(name)}`, {}, () => name),
  })
  const remove = useMutation({
    mutationFn: () => send(`/api/job/${id}`, { method: 'DELETE' }),
    onSuccess: () => {
      onRemoved(what)
      return client.invalidateQueries({ queryKey: keptExportsQuery.queryKey })
    },
  })
  const failure = save.error ?? remove.error
  const ended = isEnded(kept)
  return (
    <li>
      <span>{what}</span>
      <span className={classes.state}>
        {formatDateTimeFr(date, timeZone)}
        {file !== null && ` – ${sizeText(kept.bytes)}`}
        {expires !== null && ` – ${texts.keptUntil(formatDateTimeFr(expires, timeZone))}`}
        {!ended && ` – ${texts.working}`}
      </span>
      {file !== null && (
        <TextButton
          aria-label={texts.downloadThis(file)}
          disabled={save.isPending}
          onClick={() => save.mutate(file)}
        >
          {texts.download}
        </TextButton>
      )}
      {ended && (
        <TextButton
          aria-label={texts.removeThis(what)}
          disabled={remove.isPending}
          onClick={() => remove.mutate()}
        >
          {texts.remove}
        </TextButton>
      )}
      {kept.error !== null && <Message kind="warning">{kept.error}</Message>}
      {failure && <Message kind="error">{genericErrorText(failure)}</Message>}
    </li>
  )
}
