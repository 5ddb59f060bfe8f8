import { type RadarRainFrame, type Rain, radarRain, uniformRain } from '@radx/hydrology/rain/rain'

/** A rain that can go to a thread. Times are s since the start of the run that the state is of. */
export type RainData =
  | { kind: 'uniform'; ratesMmH: number[]; intervalS: number }
  | {
      kind: 'radar'
      /** In their order; what lies before the state's moment is not looked at. */
      frames: RadarRainFrame[]
      /** See `radarRain`. */
      cellOfModel: Int32Array
      durationS: number
      intervalS: number
    }

/** @throws HydrologyError `rain.*` for a rain that cannot be */
export function rainOf(data: RainData): Rain {
  if (data.kind === 'uniform') return uniformRain(data.ratesMmH, data.intervalS)
  return radarRain(data.frames, data.cellOfModel, data)
}
