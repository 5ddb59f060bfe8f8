import { expect, test } from 'vitest'
import { readAddress, toggleView, writeAddress } from './address.ts'

const read = (text: string) => readAddress(new URLSearchParams(text))
const write = (text: string, change: Parameters<typeof writeAddress>[1]) =>
  writeAddress(new URLSearchParams(text), change).toString()

test('[REF-06] at start there is neither an open output nor a reference', () => {
  expect(read('')).toEqual({ outputs: [], reference: { id: '', title: '' }, timeS: 0 })
  // A title without its run names nothing.
  expect(read('titre=x&t=-5').reference).toEqual({ id: '', title: '' })
  expect(read('t=abc').timeS).toBe(0)
})

test('[REF-07] a reference is its id and title; taking it away leaves the rest of the address', () => {
  const chosen = write('sortie=swmm&noeuds=J-1', { reference: { id: 'a', title: 'Noue & place' } })
  expect(read(chosen)).toMatchObject({ outputs: ['swmm'], reference: { id: 'a', title: 'Noue & place' } })
  expect(write(chosen, { reference: { id: '', title: '' } })).toBe('sortie=swmm&noeuds=J-1')
})

test('views open and close beside each other; an unknown one goes with the first choice', () => {
  expect(toggleView([], 'swmm', true)).toEqual(['swmm'])
  expect(toggleView(['swmm'], 'depth', true)).toEqual(['swmm', 'depth'])
  expect(toggleView(['swmm', 'depth'], 'swmm', false)).toEqual(['depth'])
  expect(toggleView(['neige'], 'swmm', true)).toEqual(['swmm'])
  expect(read('sortie=neige,neige,swmm').outputs).toEqual(['neige', 'swmm'])
})
