import type { SewerFlowUnits } from '@radx/contracts'

/** Factors from the file's units to SI: multiply to read, divide to write. */
export interface InpUnits {
  flow: SewerFlowUnits
  us: boolean
  lengthName: 'ft' | 'm'
  volumeName: 'ft3' | 'm3'
  /** m. */
  length: number
  /** m2. */
  area: number
  /** m3. */
  volume: number
  /** m3/s. */
  flowFactor: number
  /** in/h or mm/h to m/s. */
  rate: number
}

const FLOWS: Record<SewerFlowUnits, number> = {
  CFS: 0.3048 ** 3,
  GPM: 0.003785411784 / 60,
  MGD: 3785.411784 / 86400,
  CMS: 1,
  LPS: 0.001,
  MLD: 1000 / 86400,
}

export const FLOW_UNITS = Object.keys(FLOWS) as SewerFlowUnits[]

export function inpUnits(flow: SewerFlowUnits): InpUnits {
  const us = flow === 'CFS' || flow === 'GPM' || flow === 'MGD'
  const length = us ? 0.3048 : 1
  return {
    flow,
    us,
    lengthName: us ? 'ft' : 'm',
    volumeName: us ? 'ft3' : 'm3',
    length,
    area: length ** 2,
    volume: length ** 3,
    flowFactor: FLOWS[flow],
    rate: (us ? 0.0254 : 0.001) / 3600,
  }
}
