import { create } from 'zustand'

/** What the reader points at: marked on the map, in the profile and in the table. */
interface Hover {
  node: string | null
  link: string | null
  /** Where the pointer is; the table turns to the page of what is pointed at elsewhere. */
  from: 'map' | 'profile' | 'table' | null
}

const NOTHING: Hover = { node: null, link: null, from: null }

export const useHover = create<Hover>()(() => NOTHING)

export const hoverNode = (node: string | null, from: Hover['from']): void =>
  useHover.setState(node === null ? NOTHING : { node, link: null, from })
export const hoverLink = (link: string | null, from: Hover['from']): void =>
  useHover.setState(link === null ? NOTHING : { node: null, link, from })
export const hoverNothing = (): void => useHover.setState(NOTHING)
