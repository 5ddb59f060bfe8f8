import { EV7, type SimulationInput, VIRTUAL_START } from '@radx/contracts'

/** The part of a run's input that says what rain falls. */
export type RainInput = Pick<
  SimulationInput,
  | 'rainfallSelection'
  | 'rainfallStart'
  | 'rainfallEnd'
  | 'simulationDuration'
  | 'virtualRainShape'
  | 'virtualParam'
  | 'virtualData'
  | 'virtualSource'
  | 'transposition'
  | 'ensemble'
  | 'gaugeRain'
  | 'ownRain'
  | 'product'
>

const NO_VIRTUAL = { virtualRainShape: null, virtualParam: null, virtualData: [] }

export const EV7_RAIN: RainInput = {
  rainfallSelection: 'ev7',
  rainfallStart: EV7.start,
  rainfallEnd: EV7.end,
  simulationDuration: EV7.durationHours,
  ...NO_VIRTUAL,
  product: EV7.product,
}

/** Rain that the radar has measured between two instants, ms. */
export const radarRain = (startMs: number, endMs: number): RainInput => ({
  rainfallSelection: 'radar',
  rainfallStart: new Date(startMs).toISOString(),
  rainfallEnd: new Date(endMs).toISOString(),
  simulationDuration: (endMs - startMs) / 3_600_000,
  ...NO_VIRTUAL,
  product: null,
})

/** Virtual rain; `virtualData` is what falls each minute, mm/h. */
export const virtualRainOf = ({
  virtualData,
  ...shape
}: Pick<RainInput, 'virtualRainShape' | 'virtualParam' | 'virtualData' | 'virtualSource'>): RainInput => ({
  rainfallSelection: 'virtual',
  rainfallStart: VIRTUAL_START,
  rainfallEnd: new Date(Date.parse(VIRTUAL_START) + virtualData.length * 60_000).toISOString(),
  simulationDuration: virtualData.length / 60,
  ...shape,
  virtualData,
  product: null,
})
