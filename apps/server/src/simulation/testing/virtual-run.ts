import type { LuseConfig, SimpleTriangle } from '@radx/contracts/simulation'
import { virtualRain } from '@radx/rainfall/virtual-rain'

/** Instant that a virtual rain starts at by convention. */
const START = '2019-12-31T23:00:00Z'

interface VirtualRun {
  /** Land-use file. */
  luseId: string
  /** Its codes, of which the selected ones are used. */
  codes: readonly LuseConfig[]
  rain: SimpleTriangle
}

/** Fields of `POST /api/job/multihydro` for a run of Melun with soil and sewer under a simple virtual rain. */
export function virtualRunFields({ luseId, codes, rain }: VirtualRun): Record<string, string> {
  const data = virtualRain('simple', rain)
  return {
    title: 'Essai',
    catchmentId: 'melun',
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
    rainfallSelection: 'virtual',
    rainfallStart: START,
    rainfallEnd: new Date(Date.parse(START) + data.length * 60_000).toISOString(),
    simulationDuration: String(data.length / 60),
    virtualRainShape: 'simple',
    luseUpdates: '[]',
    luseConfigs: JSON.stringify(codes.filter(({ isSelected }) => isSelected)),
    virtualParam: JSON.stringify(rain),
    virtualData: JSON.stringify(data),
  }
}

export function formDataOf(fields: Record<string, string>): FormData {
  const body = new FormData()
  for (const [name, value] of Object.entries(fields)) body.set(name, value)
  return body
}
