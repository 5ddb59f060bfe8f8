import { useEffect, useRef, useState } from 'react'
import { useOneAtATime } from './one-at-a-time.ts'

/** What became of a file that was sent. */
export type Sent<T> = { file: string } & (
  | { state: 'done'; made: T }
  | { state: 'refused'; error: unknown }
  | { state: 'cancelled' }
)

/** How a file goes: what stops it, and who hears of the share that has gone. */
export interface Way {
  signal: AbortSignal
  onSent: (share: number) => void
}

export interface Sending<T> {
  /** The file that is on its way, and the share of it that has gone. */
  now: { file: string; share: number } | null
  /** What became of those of the last time. */
  told: readonly Sent<T>[]
  /** Sends files one after another, unless some are on their way. @param onEnd gets what became of them */
  send: (
    files: readonly File[],
    one: (file: File, way: Way) => Promise<T>,
    onEnd: (told: readonly Sent<T>[]) => unknown,
  ) => void
  /** Stops the file that is on its way, and those behind it. */
  cancel: () => void
}

/** Files that go to the server one after another, with progress and a way to stop. */
export function useSending<T>(): Sending<T> {
  const oneAtATime = useOneAtATime()
  const [now, setNow] = useState<Sending<T>['now']>(null)
  const [told, setTold] = useState<readonly Sent<T>[]>([])
  const leave = useRef<AbortController | null>(null)
  // Whoever leaves the screen has no place where its end could be told.
  useEffect(() => () => leave.current?.abort(), [])

  const send: Sending<T>['send'] = (files, one, onEnd) => {
    if (files.length === 0) return
    oneAtATime(async (ended) => {
      const leaving = new AbortController()
      leave.current = leaving
      const { signal } = leaving
      setTold([])
      const all: Sent<T>[] = []
      for (const file of files) {
        if (signal.aborted) break
        const onSent = (share: number) => setNow({ file: file.name, share })
        onSent(0)
        all.push(
          await one(file, { signal, onSent }).then(
            (made): Sent<T> => ({ file: file.name, state: 'done', made }),
            (error: unknown): Sent<T> =>
              signal.aborted
                ? { file: file.name, state: 'cancelled' }
                : { file: file.name, state: 'refused', error },
          ),
        )
      }
      setNow(null)
      setTold(all)
      ended()
      await onEnd(all)
    })
  }
  return { now, told, send, cancel: () => leave.current?.abort() }
}
