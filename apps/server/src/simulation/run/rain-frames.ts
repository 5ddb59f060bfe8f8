import { DEPTH_FRAME_NO_DATA } from '@radx/contracts'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import type { RadarRain, Rain } from '@radx/hydrology/rain/rain'
import { FrameFile, RAIN_FRAMES } from './outputs.ts'

const PER_MM_H = 10
/** Rounding of a rate that stands on a tenth. */
const HAIR = 1e-4

/**
 * Keeps the rain that fell on each cell of a run, a frame a piece of the rain, from whose moment on it held: tenths of
 * mm/h, cut and not rounded so that a rate stays in its class, 65535 where nothing was measured. Rain that was the same
 * everywhere has no file.
 */
export function writeRain(dir: string, rain: Rain | RadarRain, model: EsriGrid): void {
  if (!('measuredMmH' in rain)) return
  const file = new FrameFile(dir, model, RAIN_FRAMES)
  try {
    for (let k = 0; k + 1 < rain.edgesS.length; k++) {
      const codes = new Uint16Array(model.data.length).fill(DEPTH_FRAME_NO_DATA)
      rain.measuredMmH(k)?.forEach((rate, cell) => {
        if (!Number.isNaN(rate)) codes[cell] = Math.floor(PER_MM_H * rate + HAIR)
      })
      file.addCodes({ timeS: rain.edgesS[k], missing: rain.missingOf(k) }, codes)
    }
  } finally {
    file.close()
  }
}
