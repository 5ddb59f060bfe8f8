import { FormatError } from '@radx/contracts'
import { readInp } from '@radx/formats/inp/read'
import { expect, test } from 'vitest'
import { applyForcing, readForcing } from './forcing.ts'

const MODEL = `[OPTIONS]
FLOW_UNITS LPS
START_DATE 01/01/2024
END_DATE 01/02/2024
[RAINGAGES]
A INTENSITY 0:05 1 TIMESERIES T
B INTENSITY 0:05 1 TIMESERIES T
[SUBCATCHMENTS]
S1 A O1 1 50 100 1 0
S2 B O1 1 50 100 1 0
[OUTFALLS]
O1 0 FREE
[INFLOWS]
O1 FLOW T
[TIMESERIES]
T 0:00 1 1:00 1
`
const model = () => readInp(MODEL, { runoff: true })

test('rain is for all gages, a gage’s name for it, a node’s name an inflow', () => {
  const one = model()
  applyForcing(readForcing('time_h;B;O1\n0;3,6;10\n0,5;0;20\n', 'x.csv', 0), 'x.csv', one)
  const [a, b] = one.runoff?.gages ?? []
  expect(a.rates).toHaveLength(2)
  expect(b).toMatchObject({ intervalS: 1800, startsS: [0, 1800] })
  expect(b.rates[0]).toBeCloseTo(1e-6, 15)
  expect(one.network.nodes[0].inflows[0].series).toMatchObject({ timesS: [0, 1800], values: [0.01, 0.02] })
  const all = model()
  applyForcing(readForcing('minute,mm_h\n0,36\n5,0\n', 'x.csv', 0), 'x.csv', all)
  for (const gage of all.runoff?.gages ?? []) expect(gage.rates[0]).toBeCloseTo(1e-5, 15)
  expect(all.runoff?.gages).toHaveLength(2)
})

test('moments are on the model’s clock', () => {
  const start = Date.UTC(2024, 0, 1) / 1000
  const { timesS } = readForcing('time,rain\n2024-01-01 00:05,1\n2024-01-01T00:10:00,2\n', 'x.csv', start)
  expect(timesS).toEqual([300, 600])
})

test.each([
  ['', 'ligne 1', 'vide'],
  ['time_s\n0', 'ligne 1', 'une seule colonne'],
  ['t,rain\n0,1', 'ligne 1', 'time_s'],
  ['time_s,rain\n', 'ligne 1', 'aucune valeur'],
  ['time_s,rain\nx,1', 'ligne 2', '« x »'],
  ['time_s,rain\n0,1\n0,2', 'ligne 3', 'ne croissent pas'],
  ['time_s,rain\n0', 'ligne 2', '0 valeur(s)'],
  ['time_s,rain\n0,abc', 'ligne 2', '« abc »'],
])('%j is refused by its line', (text, line, word) => {
  const read = () => readForcing(text, 'x.csv', 0)
  expect(read).toThrow(FormatError)
  expect(read).toThrow(`x.csv, ${line} : `)
  expect(read).toThrow(word)
})

test('a column that is nothing in the model is refused', () => {
  const forcing = readForcing('time_s,Z\n0,1\n', 'x.csv', 0)
  expect(() => applyForcing(forcing, 'x.csv', model())).toThrow('« Z » n')
})
