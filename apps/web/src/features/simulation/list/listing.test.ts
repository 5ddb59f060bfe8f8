import type { SimulationListItem } from '@radx/contracts/simulation'
import { describe, expect, test } from 'vitest'
import {
  INITIAL_LISTING,
  pageOf,
  rainDurationText,
  rainSourceText,
  readListing,
  toggleSort,
  toggleStudy,
  writeListing,
} from './listing.ts'

const item = (title: string, date: string, caseStudyId = ''): SimulationListItem =>
  ({ date, input: { title, caseStudyId } }) as SimulationListItem

const ALL = [
  item('Été', '2026-01-02T00:00:00Z', 'eogn'),
  item('bassin 10', '2026-01-03T00:00:00Z'),
  item('Bassin 9', '2026-01-01T00:00:00Z', 'eogn'),
]
const titles = (listing = INITIAL_LISTING) => pageOf(ALL, listing).items.map(({ input }) => input.title)

describe('the list of results', () => {
  test('[SIMLIST-06] [SIMLIST-07] filters by case study; the active one clears the filter', () => {
    const filtered = toggleStudy(INITIAL_LISTING, 'eogn')
    expect(titles(filtered)).toEqual(['Été', 'Bassin 9'])
    expect(titles(toggleStudy(filtered, 'eogn'))).toHaveLength(3)
    expect(toggleStudy(filtered, 'oxygene').study).toBe('oxygene')
  })

  test('[SIMLIST-08] sorts by date or by title, and a second click turns the order round', () => {
    expect(titles()).toEqual(['bassin 10', 'Été', 'Bassin 9'])
    expect(titles(toggleSort(INITIAL_LISTING, 'date'))).toEqual(['Bassin 9', 'Été', 'bassin 10'])
    const byTitle = toggleSort(INITIAL_LISTING, 'title')
    expect(titles(byTitle)).toEqual(['Bassin 9', 'bassin 10', 'Été'])
    expect(titles(toggleSort(byTitle, 'title'))).toEqual(['Été', 'bassin 10', 'Bassin 9'])
  })

  test('[SIMLIST-09] 24 cards a page; a page beyond the last is the last', () => {
    const many = Array.from({ length: 50 }, (_, i) => item(`s${i}`, new Date(i * 1000).toISOString()))
    expect(pageOf(many, INITIAL_LISTING)).toMatchObject({ total: 50, pages: 3, page: 1 })
    expect(pageOf(many, INITIAL_LISTING).items).toHaveLength(24)
    expect(pageOf(many, { ...INITIAL_LISTING, page: 9 })).toMatchObject({ page: 3 })
    expect(pageOf(many, { ...INITIAL_LISTING, page: 9 }).items).toHaveLength(2)
    expect(pageOf([], INITIAL_LISTING)).toMatchObject({ items: [], pages: 1 })
  })

  test('a listing survives its address', () => {
    for (const listing of [
      INITIAL_LISTING,
      { study: 'eogn', sort: 'title', direction: 'desc', page: 2 } as const,
      { study: null, sort: 'date', direction: 'asc', page: 1 } as const,
    ])
      expect(readListing(writeListing(listing))).toEqual(listing)
    expect(readListing(new URLSearchParams('page=-3&tri=x&ordre=y'))).toEqual(INITIAL_LISTING)
  })
})

describe('rain of a card', () => {
  const input = {
    virtualRainShape: null,
    virtualData: [],
    rainfallStart: '2026-01-01T00:00:00Z',
    rainfallEnd: '2026-01-01T02:30:00Z',
  }
  test('[SIMLIST-16] [SIMLIST-17] [SIMLIST-18] its source in words', () => {
    expect(rainSourceText({ ...input, rainfallSelection: 'radar' })).toBe('radar bande X')
    expect(rainSourceText({ ...input, rainfallSelection: 'ev7' })).toBe('radar bande X ev7')
    expect(rainSourceText({ ...input, rainfallSelection: 'virtual', virtualRainShape: 'simple' })).toBe(
      'virtuel, triangle simple',
    )
    expect(rainSourceText({ ...input, rainfallSelection: 'virtual', virtualRainShape: 'double' })).toBe(
      'virtuel, triangle double',
    )
  })
  test('[SIMLIST-19] [SIMLIST-20] [SIMLIST-21] its duration', () => {
    expect(rainDurationText({ ...input, rainfallSelection: 'radar' })).toBe('2,5\u202fh')
    expect(rainDurationText({ ...input, rainfallSelection: 'ev7' })).toBe('7\u202fh')
    expect(
      rainDurationText({ ...input, rainfallSelection: 'virtual', virtualData: new Array(45).fill(1) }),
    ).toBe('45\u202fmin')
  })
})
