import { create } from 'zustand'

/** What the reader points at: marked on the map, in the profile and in the table. */
interface Hover {
  node: string | null
  link: string | null
  /** A subcatchment. */
  area: string | null
  /** Where the pointer is; the table turns to the page of what is pointed at elsewhere. */
  from: 'map' | 'profile' | 'table' | null
}

const NOTHING: Hover = { node: null, link: null, area: null, from: null }

export const useHover = create<Hover>()(() => NOTHING)

export const hoverNode = (node: string | null, from: Hover['from']): void =>
  useHover.setState(node === null ? NOTHING : { ...NOTHING, node, from })
export const hoverLink = (link: string | null, from: Hover['from']): void =>
  useHover.setState(link === null ? NOTHING : { ...NOTHING, link, from })
export const hoverNothing = (): void => useHover.setState(NOTHING)
export const hoverArea = (area: string): void => useHover.setState({ ...NOTHING, area, from: 'map' })
