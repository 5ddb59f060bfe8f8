import { readEsriAscii } from '@radx/formats/esri-ascii'
import { surfaceText } from '../../../tests/conformance/surface-data.ts'
import { figure, table } from '../section.ts'
import { rowOrRefusal, runCase, SETUPS } from './command.ts'

const grid = (name: string) => readEsriAscii(surfaceText(`three_humps/${name}`), name)
/** The file gives the level less the bed where islands stand out of the water, too. */
const depths = (name: string) => grid(name).data.map((depth) => Math.max(0, depth))

/** In front of the small humps, behind them, and behind the large one. */
const PLACES = [
  { name: 'front', x: 26.5, y: 15.5 },
  { name: 'between', x: 35.5, y: 15.5 },
  { name: 'behind', x: 58.5, y: 15.5 },
  { name: 'end', x: 73.5, y: 15.5 },
]
const WET_M = 0.01

/** Still water round islands, and a dam break onto dry humps (Liang and Borthwick 2009). */
export function threeHumps(): string[] {
  const rows = SETUPS.map(([name, setup]) =>
    rowOrRefusal([name], 7, () => {
      const bed = grid('T01_humps.dem')
      const still = {
        name: 'still',
        bed,
        manning: 0.04,
        depthM: depths('T01_humps_cp.wd'),
        endS: 600,
        intervalS: 20,
      }
      const everywhere = Array.from({ length: 75 }, (_, k) => ({ name: `p${k}`, x: k + 0.5, y: 15.5 }))
      const rest = runCase({ ...still, points: everywhere }, setup)
      const fastest = Math.max(...[...rest.points.values()].flatMap(({ speedMS }) => speedMS))
      const wave = runCase(
        {
          name: 'wave',
          bed: grid('T03_humps.dem'),
          manning: 0.018,
          depthM: depths('T03_humps_db_orig.wd'),
          points: PLACES,
          endS: 300,
          intervalS: 0.2,
        },
        setup,
      )
      const arrival = ({ name: place }: (typeof PLACES)[number]) => {
        const { timesS, depthM } = wave.points.get(place)!
        return figure(timesS[depthM.findIndex((depth) => depth > WET_M)] ?? Number.NaN, 2)
      }
      const last = [...wave.points.values()].map(({ speedMS }) => speedMS[speedMS.length - 1])
      return [
        figure(fastest, 2),
        ...PLACES.map(arrival),
        figure(Math.max(...last), 2),
        figure(Math.abs(wave.relativeError), 2),
      ]
    }),
  )
  return [
    '### Three humps',
    '',
    '75 x 30 m, cells of 1 m, closed (Liang and Borthwick 2009). Still water at 0.875 m over and round the humps: largest speed on the',
    'middle line in 600 s, m/s. 1.875 m behind a dam onto dry ground, n 0.018: first water (1 cm) before the small humps (26.5 m),',
    'between them and the large one (35.5 m), behind it (58.5 m) and at the end (73.5 m), s; the wave is described to reach the small humps',
    'after about 2 s, to be over them at 6 s and round the large one at 12 s. Largest speed left at 300 s, m/s.',
    '',
    ...table(['scheme', 'still water', 'before', 'between', 'behind', 'end', 'speed left', 'balance'], rows),
  ]
}
