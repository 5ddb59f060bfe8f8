import type { LuseConfig, SimpleTriangle } from '@radx/contracts/simulation'
import { VIRTUAL_START } from '@radx/contracts/simulation-constants'
import { virtualRain } from '@radx/rainfall/virtual-rain'

interface LandUse {
  catchmentId: string
  /** Land-use file. */
  luseId: string
  /** Its codes, of which the selected ones are used. */
  codes: readonly LuseConfig[]
}

/** Fields of `POST /api/job/multihydro`: all modules, the land use as it is, ev7 until `changes` say otherwise. */
export function runFields(
  { catchmentId, luseId, codes }: LandUse,
  changes: Record<string, string> = {},
): Record<string, string> {
  return {
    title: 'Essai',
    catchmentId,
    catchmentDisplay: 'Melun',
    caseStudyId: '',
    barrier: 'false',
    barrierHeight: '0',
    bassin: 'false',
    bassinDepth: '0',
    greenRoof: 'false',
    soilModule: 'true',
    drainageModule: 'true',
    luseId,
    luseIdSource: luseId,
    luseDesc: '',
    rainfallSelection: 'ev7',
    rainfallStart: '',
    rainfallEnd: '',
    simulationDuration: '6.9',
    virtualRainShape: 'simple',
    luseUpdates: '[]',
    luseConfigs: JSON.stringify(codes.filter(({ isSelected }) => isSelected)),
    virtualParam: '{}',
    virtualData: '[]',
    ...changes,
  }
}

/** What `changes` are for a simple virtual rain. */
export function virtualRainFields(rain: SimpleTriangle): Record<string, string> {
  const data = virtualRain('simple', rain)
  return {
    rainfallSelection: 'virtual',
    rainfallStart: VIRTUAL_START,
    rainfallEnd: new Date(Date.parse(VIRTUAL_START) + data.length * 60_000).toISOString(),
    simulationDuration: String(data.length / 60),
    virtualParam: JSON.stringify(rain),
    virtualData: JSON.stringify(data),
  }
}

export function formDataOf(fields: Record<string, string>): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return body
}
