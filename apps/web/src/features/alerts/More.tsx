import { Button } from '@mantine/core'
import { useState } from 'react'
import { alertTexts as texts } from '../../texts/alerts.ts'

/** So many stand on the page at first, and so many more come at a time. */
export const AT_ONCE = 30

/** The first of a long list; the rest comes when it is asked for. */
export function useFirst<T>(all: readonly T[]): { first: readonly T[]; left: number; more(): void } {
  const [count, setCount] = useState(AT_ONCE)
  return {
    first: all.slice(0, count),
    left: Math.max(0, all.length - count),
    more: () => setCount(count + AT_ONCE),
  }
}

export function More({ left, more }: Pick<ReturnType<typeof useFirst>, 'left' | 'more'>) {
  if (left === 0) return null
  return (
    <Button variant="default" onClick={more}>
      {texts.next(Math.min(left, AT_ONCE), left)}
    </Button>
  )
}
