import { expect, test } from 'vitest'
import { type Kept, readWorkspace, withPick, writeWorkspace } from './address.ts'

const read = (text: string) => readWorkspace(new URLSearchParams(text))

test('at the start the largest depths are shown and nothing is chosen; what makes no sense is that too', () => {
  const flat = { scene: false, relief: 2, camera: null }
  const start = {
    layer: 'maximum',
    network: false,
    picks: [],
    profile: false,
    through: '',
    view: null,
    ...flat,
  }
  expect(read('')).toEqual(start)
  expect(
    read(
      'couche=neige&choix=x:1&choix=c:1&choix=c:a,b&choix=s:1,2,3&choix=s:1,2,-3,4&lieu=2,3&reseau=1&mode=4d&relief=3&camera=1,2,3',
    ),
  ).toEqual(start)
  expect(read('lieu=200,48,12').view).toBeNull()
  expect(read('camera=0,2,900,0,0').camera).toBeNull()
  expect(read('couche=ecart').layer).toBe('maximum')
  expect(read('couche=ecart&reference=a').layer).toBe('ecart')
})

test('a state is read back as it was written, and what belongs to others stays', () => {
  const picks: Kept[] = [
    { kind: 'cell', row: 4, col: 17, kept: true },
    { kind: 'node', name: 'J:1,2*', kept: false },
    { kind: 'section', x1: 1.5, y1: 2, x2: 30.2, y2: 4, kept: false },
    { kind: 'link', name: 'C 3', kept: false },
  ]
  const view = { lng: 2.65, lat: 48.54, zoom: 13.5 }
  const solid = { scene: true, relief: 4, camera: { turn: -0.5, tilt: 1.25, distance: 900, x: -12, z: 40 } }
  const written = writeWorkspace(new URLSearchParams('t=600'), {
    layer: 'ppri',
    network: true,
    picks,
    profile: true,
    through: 'J-7',
    view,
    ...solid,
  })
  expect(written.get('t')).toBe('600')
  expect(read(written.toString())).toEqual({
    layer: 'ppri',
    network: true,
    picks,
    profile: true,
    through: 'J-7',
    view,
    ...solid,
  })
  const empty = writeWorkspace(written, {
    layer: 'maximum',
    network: false,
    picks: [],
    profile: false,
    through: 'J-7',
    view: null,
    scene: false,
    relief: 2,
    camera: null,
  })
  expect(empty.toString()).toBe('t=600')
})

test('a click replaces what is not kept, and the same again changes nothing', () => {
  const cell = { kind: 'cell', row: 1, col: 2 } as const
  const node = { kind: 'node', name: 'J-1' } as const
  expect(withPick([{ ...cell, kept: false }], node)).toEqual([{ ...node, kept: false }])
  const both = withPick([{ ...cell, kept: true }], node)
  expect(both).toEqual([
    { ...cell, kept: true },
    { ...node, kept: false },
  ])
  expect(withPick(both, cell)).toEqual(both)
})
