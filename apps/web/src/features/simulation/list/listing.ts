import {
  ESTIMATE_EVENT_HOURS,
  SIMULATIONS_PER_PAGE,
  type SimulationListItem,
} from '@radx/contracts/simulation'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { listTexts as texts, VIRTUAL_SHAPES_FR } from '../../../texts/simulation.ts'

export type SortKey = 'date' | 'title'
type Direction = 'asc' | 'desc'

/** What the results list shows; it lives in the address. */
export interface Listing {
  /** Case study that the list is filtered by; null shows all. */
  study: string | null
  sort: SortKey
  direction: Direction
  /** From 1. */
  page: number
}

/** How a first click on a sort key orders: newest first, titles from A. */
const FIRST_DIRECTION: Record<SortKey, Direction> = { date: 'desc', title: 'asc' }
export const INITIAL_LISTING: Listing = { study: null, sort: 'date', direction: 'desc', page: 1 }

export function readListing(params: URLSearchParams): Listing {
  const sort: SortKey = params.get('tri') === 'titre' ? 'title' : 'date'
  const order = params.get('ordre')
  const page = Number(params.get('page'))
  return {
    study: params.get('etude'),
    sort,
    direction: order === 'asc' || order === 'desc' ? order : FIRST_DIRECTION[sort],
    page: Number.isInteger(page) && page > 0 ? page : 1,
  }
}

/** Address of a listing; what is as at first is left out. */
export function writeListing({ study, sort, direction, page }: Listing): URLSearchParams {
  const params = new URLSearchParams()
  if (study !== null) params.set('etude', study)
  if (sort === 'title') params.set('tri', 'titre')
  if (direction !== FIRST_DIRECTION[sort]) params.set('ordre', direction)
  if (page > 1) params.set('page', String(page))
  return params
}

/** A click on a filter button: the active one clears the filter. */
export const toggleStudy = (listing: Listing, study: string): Listing => ({
  ...listing,
  study: listing.study === study ? null : study,
  page: 1,
})

/** A click on a sort button: the active one turns the order round. */
export function toggleSort(listing: Listing, sort: SortKey): Listing {
  const turned = listing.direction === 'asc' ? 'desc' : 'asc'
  const direction = listing.sort === sort ? turned : FIRST_DIRECTION[sort]
  return { ...listing, sort, direction, page: 1 }
}

export interface ListPage {
  items: SimulationListItem[]
  /** Matching the filter, on all pages. */
  total: number
  pages: number
  page: number
}

/** The cards of a page; a page beyond the last shows the last. */
export function pageOf(all: readonly SimulationListItem[], listing: Listing): ListPage {
  const found = all.filter(({ input }) => listing.study === null || input.caseStudyId === listing.study)
  const sign = listing.direction === 'asc' ? 1 : -1
  const byDate = (a: SimulationListItem, b: SimulationListItem) => Date.parse(a.date) - Date.parse(b.date)
  const byTitle = (a: SimulationListItem, b: SimulationListItem) =>
    a.input.title.localeCompare(b.input.title, 'fr', { numeric: true })
  const compare = listing.sort === 'date' ? byDate : byTitle
  const sorted = found.toSorted((a, b) => sign * compare(a, b))
  const pages = Math.max(1, Math.ceil(found.length / SIMULATIONS_PER_PAGE))
  const page = Math.min(listing.page, pages)
  return {
    items: sorted.slice((page - 1) * SIMULATIONS_PER_PAGE, page * SIMULATIONS_PER_PAGE),
    total: found.length,
    pages,
    page,
  }
}

type CardInput = Pick<
  SimulationListItem['input'],
  | 'rainfallSelection'
  | 'virtualRainShape'
  | 'virtualData'
  | 'rainfallStart'
  | 'rainfallEnd'
  | 'live'
  | 'ownRain'
>

export function rainSourceText({ rainfallSelection, virtualRainShape, live, ownRain }: CardInput): string {
  if (ownRain) return texts.ownRain
  if (rainfallSelection === 'radar') return live ? texts.forecast : texts.radar
  if (rainfallSelection === 'ev7') return texts.ev7
  return `${texts.virtual}, ${VIRTUAL_SHAPES_FR[virtualRainShape ?? 'simple']}`
}

/** Radar: end minus start in hours; virtual: minutes of data; ev7: its 7 h. */
export function rainDurationText(input: CardInput): string {
  if (input.rainfallSelection === 'virtual') return formatQuantityFr(input.virtualData.length, 'min')
  const hours =
    input.rainfallSelection === 'ev7'
      ? ESTIMATE_EVENT_HOURS
      : (Date.parse(input.rainfallEnd) - Date.parse(input.rainfallStart)) / 3_600_000
  return formatQuantityFr(hours, 'h', 1, true)
}
