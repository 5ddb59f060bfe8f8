import { useEffect, useState } from 'react'

/** What was asked for shows at once; the address, whose value this is, follows when the page has time. */
export function useAsked<T extends string | boolean>(value: T): [T, (next: T) => void] {
  const [asked, ask] = useState(value)
  useEffect(() => ask(value), [value])
  return [asked, ask]
}
