import { Button } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { saveBlob } from '../app/api/download.ts'
import { ApiError, genericErrorText } from '../app/api/errors.ts'
import { useSite } from '../app/site.ts'
import { shareTexts } from '../texts/share.ts'
import { Message } from '../ui/Message.tsx'
import { FilmFailed, MOST_FRAMES, makeFilm } from './film.ts'
import { FILM_FORMATS, type FilmFormat } from './protocol.ts'
import classes from './ShareDialog.module.css'
import type { FilmSubject, ShareSubject } from './subject.ts'

const texts = shareTexts.film
const SIZES = [720, 1080] as const
const SPEEDS = [5, 10, 20] as const
const NAMES: Record<string, string> = { vp9: 'VP9', av1: 'AV1', vp8: 'VP8', avc: 'H.264' }

/** Why this browser makes no video; null where it can. */
function obstacle(): string | null {
  if (typeof VideoEncoder !== 'undefined') return null
  return window.isSecureContext ? texts.unable : texts.insecure
}

type State =
  | { kind: 'idle' }
  | { kind: 'busy'; share: number | null }
  | { kind: 'done'; name: string; size: string; codec: string }
  | { kind: 'cancelled' }
  | { kind: 'failed'; message: string }

interface Props {
  subject: ShareSubject
  onBusy: (busy: boolean) => void
}

/** What moves as a file, made in this browser. */
export function FilmPart({ subject, onBusy }: Props) {
  const { film } = subject
  if (film === null || film.count < 2)
    return (
      <div className={classes.part}>
        <Message kind="nfo">{texts.none}</Message>
      </div>
    )
  return <Making subject={{ ...subject, film }} onBusy={onBusy} />
}

function Making({ subject, onBusy }: Props & { subject: ShareSubject & { film: FilmSubject } }) {
  const site = useSite()
  const hindrance = obstacle()
  const [format, setFormat] = useState<FilmFormat>(hindrance === null ? 'mp4' : 'gif')
  const [lines, setLines] = useState<720 | 1080>(720)
  const [fps, setFps] = useState<number>(10)
  const [state, setState] = useState<State>({ kind: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => () => running.current?.abort(), [])
  const { film, fileName } = subject
  const taken = Math.min(film.count, MOST_FRAMES[format])
  const busy = state.kind === 'busy'

  const make = async () => {
    const controller = new AbortController()
    running.current = controller
    onBusy(true)
    setState({ kind: 'busy', share: null })
    try {
      const choice = { format, lines, fps }
      const onProgress = (share: number) => setState({ kind: 'busy', share })
      const { blob, codec } = await makeFilm(subject, site, choice, onProgress, controller.signal)
      const name = `${fileName}.${format}`
      saveBlob(blob, name)
      setState({ kind: 'done', name, size: sizeFr(blob.size), codec })
    } catch (error) {
      setState(
        controller.signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', message: reasonOf(error) },
      )
    } finally {
      onBusy(false)
    }
  }

  return (
    <div className={classes.part}>
      <p className={classes.help}>{texts.help}</p>
      <p className={classes.help}>
        {texts.of(film.title, shareTexts.images(film.count))}{' '}
        {taken < film.count && texts.thinned(shareTexts.images(taken), String(film.count))}
      </p>
      {hindrance !== null && <Message kind="warning">{hindrance}</Message>}
      <Choice
        label={texts.format}
        name="format"
        options={FILM_FORMATS.map((value) => ({
          value,
          label: texts.formats[value],
          disabled: value !== 'gif' && hindrance !== null,
        }))}
        value={format}
        onChange={setFormat}
        disabled={busy}
      />
      <Choice
        label={texts.size}
        name="lines"
        options={SIZES.map((value) => ({ value, label: texts.sizes[value] }))}
        value={lines}
        onChange={setLines}
        disabled={busy}
      />
      <Choice
        label={texts.speed}
        name="fps"
        options={SPEEDS.map((value) => ({ value, label: texts.speeds[value] }))}
        value={fps}
        onChange={setFps}
        disabled={busy}
      />
      {busy ? (
        <div className={classes.progress}>
          <p role="status">
            {state.share === null ? texts.backdrop : texts.progress(String(Math.round(100 * state.share)))}
          </p>
          <progress aria-label={texts.title} max={1} value={state.share ?? undefined} />
          <div>
            <Button
              variant="default"
              onClick={() => running.current?.abort(new DOMException('', 'AbortError'))}
            >
              {texts.cancel}
            </Button>
          </div>
        </div>
      ) : (
        <div>
          <Button onClick={() => void make()}>{texts.make}</Button>
        </div>
      )}
      <p className={classes.help} aria-live="polite">
        {state.kind === 'done' && texts.done(state.name, state.size)}{' '}
        {state.kind === 'done' &&
          format === 'mp4' &&
          state.codec !== 'avc' &&
          texts.codec(NAMES[state.codec])}
        {state.kind === 'cancelled' && texts.cancelled}
      </p>
      {state.kind === 'failed' && <Message kind="error">{state.message}</Message>}
    </div>
  )
}

function reasonOf(error: unknown): string {
  if (error instanceof FilmFailed) return error.reason === 'codec' ? texts.noCodec : texts.failed
  return error instanceof ApiError ? genericErrorText(error) : texts.failed
}

const sizeFr = (bytes: number): string =>
  bytes < 1e6
    ? `${Math.max(1, Math.round(bytes / 1e3))} ko`
    : `${(bytes / 1e6).toFixed(1).replace('.', ',')} Mo`

interface ChoiceProps<T extends string | number> {
  label: string
  name: string
  options: readonly { value: T; label: string; disabled?: boolean }[]
  value: T
  onChange: (value: T) => void
  disabled: boolean
}

function Choice<T extends string | number>({
  label,
  name,
  options,
  value,
  onChange,
  disabled,
}: ChoiceProps<T>) {
  return (
    <fieldset className={classes.fieldset} disabled={disabled}>
      <legend>{label}</legend>
      <div className={classes.choices}>
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={`share-${name}`}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
            />{' '}
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
