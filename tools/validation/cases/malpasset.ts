import { readEsriAscii } from '@radx/formats/esri-ascii'
import { surfaceText } from '../../../tests/conformance/surface-data.ts'
import { figure, table } from '../section.ts'
import { LARGE_SETUPS, mean, type Outcome, rootMeanSquare, rowOrRefusal, runCase } from './command.ts'

interface Place {
  name: string
  x: number
  y: number
  levelM: number
  arrivalS: number
  geoclawM: number
}

/** Of the other points the survey lies under the terrain at hand. */
const SOUND = /^(S\d+|P([1-9]|1[015]))$/
const WET_M = 0.05
/** A bank that stays dry takes the level of the nearest wet cell, at most so many cells off. */
const NEAR = 3

function places(): Place[] {
  return surfaceText('malpasset/observed.csv')
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(','))
    .map(([name, , ...cells]) => {
      const [x, y, levelM, arrivalS, geoclawM] = cells.map((cell) =>
        cell === '' ? Number.NaN : Number(cell),
      )
      return { name, x, y, levelM, arrivalS, geoclawM }
    })
}

/** Highest level at a place, m. */
function highest({ deepest }: Outcome, bed: Float64Array, { x, y }: Place): number {
  const { ncols, nrows, xll, yll, cellSize, data } = deepest
  const col = Math.floor((x - xll) / cellSize)
  const row = Math.floor(nrows - (y - yll) / cellSize)
  let [best, nearest] = [Number.NaN, Number.POSITIVE_INFINITY]
  for (let r = row - NEAR; r <= row + NEAR; r++)
    for (let c = col - NEAR; c <= col + NEAR; c++) {
      const cell = r * ncols + c
      const far = Math.hypot(r - row, c - col)
      if (!(data[cell] > WET_M) || far >= nearest) continue
      nearest = far
      best = bed[cell] + data[cell]
    }
  return best
}

/** The dam break of 1959. */
export function malpasset(): string[] {
  const bed = readEsriAscii(surfaceText('malpasset/elevation_20m.asc'), 'elevation_20m.asc')
  const depthM = readEsriAscii(surfaceText('malpasset/initial_depth_20m.asc'), 'initial_depth_20m.asc').data
  const all = places()
  const sound = all.filter(({ name }) => SOUND.test(name))
  const timed = all.filter(({ arrivalS }) => arrivalS > 50)
  const given = { name: 'Malpasset', bed, manning: 1 / 30, depthM, points: all, endS: 4000, intervalS: 5 }
  const refused: string[] = []
  const outcomes = LARGE_SETUPS.flatMap(([name, setup]) => {
    let outcome: Outcome | undefined
    const told = rowOrRefusal([name], 1, () => {
      outcome = runCase(given, setup)
      return []
    })
    if (!outcome) refused.push(...told)
    return outcome ? [[name, outcome] as const] : []
  })
  const levels = (of: string, level: (place: Place) => number) => {
    const row = (kind: string) => sound.filter((place) => place.name.startsWith(kind))
    const error = (list: Place[]) =>
      figure(rootMeanSquare(list.map((place) => level(place) - place.levelM)), 3)
    return [
      of,
      error(row('S')),
      error(row('P')),
      error(sound),
      figure(mean(sound.map((p) => level(p) - p.levelM)), 2),
    ]
  }
  const arrival = (outcome: Outcome, { name }: Place) => {
    const { timesS, depthM } = outcome.points.get(name)!
    return timesS[depthM.findIndex((depth) => depth > WET_M)] ?? Number.NaN
  }
  const late = outcomes.map(([name, outcome]) => {
    const errors = timed.map((place) => arrival(outcome, place) / place.arrivalS - 1)
    const texts = timed.map((place) => String(arrival(outcome, place)))
    return [name, ...texts, `${figure(100 * mean(errors.map(Math.abs)), 2)} %`]
  })
  return [
    '### Malpasset',
    '',
    'The dam break of 1959 on the 20 m grid, n 1/30, 4000 s. Highest levels against those of the scale model (S6 to S14) and of the',
    'survey (P1 to P11, P15): root mean square difference and mean difference, m; beside them GeoClaw (George 2011).',
    '',
    ...table(
      ['model', 'S6 to S14', 'survey', 'both', 'mean'],
      [
        ...outcomes.map(([name, outcome]) => levels(name, (place) => highest(outcome, bed.data, place))),
        levels('GeoClaw', (place) => place.geoclawM),
        ...(refused.length > 0 ? [[...refused, '', '', '']] : []),
      ],
    ),
    'First water (5 cm) at the gauges of the scale model and at the transformers, s (outputs every 5 s), and the mean distance from the',
    'times that were noted.',
    '',
    ...table(
      ['model', ...timed.map(({ name }) => name), 'mean distance'],
      [...late, ['noted', ...timed.map(({ arrivalS }) => String(arrivalS)), '']],
    ),
  ]
}
