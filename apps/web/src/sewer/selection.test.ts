import { expect, test } from 'vitest'
import {
  changeAnalysis,
  readSelection,
  reset,
  type SewerSelection,
  select,
  writeSelection,
} from './selection.ts'

const START: SewerSelection = { analysis: 'path', names: [] }

test('[SWMM-06] [SWMM-20] [SWMM-21] [SWMM-23] a path takes two junctions, none of them twice', () => {
  const one = select(START, 'J-1')
  expect(one.names).toEqual(['J-1'])
  expect(select(one, 'J-1').names).toEqual(['J-1'])
  const two = select(one, 'J-2')
  expect(select(two, 'J-3')).toBe(two)
})

test('[SWMM-09] [SWMM-11] junctions and links are as many as wanted; beside a reference one link', () => {
  const point: SewerSelection = { analysis: 'point', names: ['a', 'b', 'c'] }
  expect(select(point, 'd').names).toHaveLength(4)
  expect(select(point, 'd', true).names).toHaveLength(4)
  const link: SewerSelection = { analysis: 'link', names: ['C-1'] }
  expect(select(link, 'C-2').names).toEqual(['C-1', 'C-2'])
  expect(select(link, 'C-2', true).names).toEqual(['C-1'])
})

test('[SWMM-19] [SWMM-22] reset takes the last name; another analysis starts empty', () => {
  const two: SewerSelection = { analysis: 'path', names: ['J-1', 'J-2'] }
  expect(reset(two).names).toEqual(['J-1'])
  expect(reset(reset(reset(two))).names).toEqual([])
  expect(changeAnalysis(two, 'link')).toEqual({ analysis: 'link', names: [] })
  expect(changeAnalysis(two, 'path')).toBe(two)
})

test('the selection lives in the address beside what others keep there', () => {
  const link: SewerSelection = { analysis: 'link', names: ['C,1', 'C&2'] }
  const params = writeSelection(new URLSearchParams('sortie=swmm&objet=J-9'), link)
  expect(params.get('sortie')).toBe('swmm')
  expect(readSelection(params)).toEqual(link)
  expect(writeSelection(params, START).toString()).toBe('sortie=swmm')
  expect(readSelection(new URLSearchParams('analyse=neige&objet=a&objet=a'))).toEqual({
    analysis: 'path',
    names: ['a'],
  })
})
