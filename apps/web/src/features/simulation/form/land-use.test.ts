import type { LuseConfig } from '@radx/contracts/simulation'
import { describe, expect, test } from 'vitest'
import {
  backToCodes,
  chooseFile,
  confirmCodes,
  leaveFile,
  saveMatrix,
  setCodes,
  setEditing,
  setProperty,
  toggleItem,
  touchMatrix,
} from './land-use.ts'
import { INITIAL_FORM } from './state.ts'

const config = (id: string, code: number, isSelected: boolean): LuseConfig => ({
  id,
  code,
  title: id,
  color: '#000000',
  kh: 0,
  capsh: 0,
  soilmd: 0,
  nmanningov: 0.02,
  interceptionclass: 0,
  desc: '',
  descFull: '',
  isSelected,
})
const CODES = [
  config('forest', 1, true),
  config('road', 2, true),
  config('gully', 5, true),
  config('a', 101, false),
  config('b', 102, false),
  config('c', 103, false),
]
const loaded = setCodes(chooseFile(INITIAL_FORM, 'f1'), CODES)
const numbers = (state: typeof loaded) => state.luseConfigs.map(({ id, code }) => `${id}${code}`)

describe('land use of the form', () => {
  test('[LUSE-33] an added code takes the next number; removing one renumbers those after it', () => {
    const added = ['a', 'b', 'c'].reduce(toggleItem, loaded)
    expect(numbers(added)).toEqual(['forest1', 'road2', 'gully5', 'a6', 'b7', 'c8'])
    expect(added.marketItems.every(({ isSelected }) => isSelected)).toBe(true)
    const painted = {
      ...added,
      luseUpdates: [1, 6, 7, 8].map((value, j) => ({ i: 0, j, value })),
    }
    const removed = toggleItem(painted, 'b')
    expect(numbers(removed)).toEqual(['forest1', 'road2', 'gully5', 'a6', 'c7'])
    expect(removed.luseUpdates).toEqual([
      { i: 0, j: 0, value: 1 },
      { i: 0, j: 1, value: 6 },
      { i: 0, j: 3, value: 7 },
    ])
    expect(toggleItem(loaded, 'forest')).toBe(loaded)
  })

  test('[LUSE-30] [LUSE-32] editing goes from off over codes and grid to saved', () => {
    expect(loaded.stage).toBe('off')
    const codes = setEditing(loaded, true)
    expect(codes.stage).toBe('codes')
    expect(saveMatrix(codes, [{ i: 0, j: 0, value: 1 }])).toBe(codes)
    const grid = confirmCodes(codes)
    expect(grid.stage).toBe('grid')
    const saved = saveMatrix(grid, [{ i: 0, j: 0, value: 1 }])
    expect(saved).toMatchObject({ stage: 'saved', luseUpdates: [{ i: 0, j: 0, value: 1 }] })
    expect(touchMatrix(saved).stage).toBe('grid')
    expect(backToCodes(saved)).toMatchObject({ stage: 'codes', luseUpdates: saved.luseUpdates })
    expect(setEditing(saved, false)).toMatchObject({
      stage: 'off',
      luseUpdates: [],
      luseConfigs: loaded.ownConfigs,
    })
  })

  test('[LUSE-36] properties change only while the codes are chosen', () => {
    expect(setProperty(loaded, 'road', 'kh', 1)).toBe(loaded)
    const codes = setEditing(loaded, true)
    expect(setProperty(codes, 'road', 'kh', 1).luseConfigs[1].kh).toBe(1)
    const grid = confirmCodes(codes)
    expect(setProperty(grid, 'road', 'kh', 1)).toBe(grid)
  })

  test('another file starts over, the same one changes nothing', () => {
    const saved = saveMatrix(confirmCodes(setEditing(loaded, true)), [{ i: 0, j: 0, value: 1 }])
    expect(chooseFile(saved, 'f1')).toBe(saved)
    expect(chooseFile(saved, 'f2')).toMatchObject({ luseIdArr: ['f2'], luseUpdates: [], stage: 'off' })
    // A file that was deleted is no longer chosen, another one still is.
    expect(leaveFile(saved, 'f1')).toMatchObject({ luseIdArr: [], luseUpdates: [], stage: 'off' })
    expect(leaveFile(saved, 'f2')).toBe(saved)
  })
})
