import { iso } from '../../radar/api.ts'
import { type FinishedRun, rainSelection } from '../../simulation/api.ts'
import type { ElementsOf } from './elements.ts'
import type { Geometry } from './geometry.ts'
import type { Feature } from './page.ts'
import type { Time } from './query.ts'

/** Rain of a run in time; of virtual rain, which falls at no time, when the run was asked for. */
export function timeOfRun({ spec, result, createdAt }: FinishedRun): Time {
  if (spec.rain.kind === 'virtual') return { startMs: createdAt.getTime(), endMs: createdAt.getTime() }
  return { startMs: spec.startMs, endMs: spec.startMs + 1000 * (result?.run.simulatedSeconds ?? 0) }
}

/** The rectangle of a run's model; null where its catchment is gone. */
export function groundOfRun({ ground }: FinishedRun): Geometry | null {
  if (ground === null) return null
  const { sw, se, ne, nw } = ground.corners
  return { type: 'Polygon', coordinates: [[sw, se, ne, nw, sw]] }
}

/** Key figures of a run, as its row has them: no file is read. */
export function figuresOfRun(run: FinishedRun): Feature['properties'] {
  const { spec, result, username, createdAt, ground } = run
  const { startMs, endMs } = timeOfRun(run)
  const areaM2 = (result?.run.activeCells ?? 0) * (ground?.cellSizeM ?? 0) ** 2
  const millimetres = (m3: number | undefined) =>
    m3 === undefined || areaM2 === 0 ? null : Math.round((1e5 * m3) / areaM2) / 100
  return {
    title: spec.title,
    catchment: spec.catchment.id,
    catchment_name: spec.catchment.name,
    owner: username,
    created: createdAt.toISOString(),
    start: iso(startMs),
    end: iso(endMs),
    rain: rainSelection(spec.rain),
    equations: spec.options.equations ?? 'inertial',
    drainage: spec.options.drainage,
    rain_mm: millimetres(result?.balance.rainM3),
    infiltrated_mm: millimetres(result?.balance.infiltratedM3),
    outfall_m3: result?.balance.outfallM3 ?? null,
    balance_error: result?.balance.relativeError ?? null,
  }
}

/** What a run has collections of: nodes and links where it has a network. */
export const elementsOfRun = ({ spec }: FinishedRun): ElementsOf[] =>
  spec.options.drainage ? ['nodes', 'links', 'streets'] : ['streets']

export const RUN_ELEMENTS_FR: Record<ElementsOf, string> = {
  nodes: 'Maximums des nœuds',
  links: 'Maximums des conduites',
  streets: 'Rues inondées',
}

export function runFeature(run: FinishedRun, address: string): Feature {
  const collection = (elements: ElementsOf) => ({
    href: `${address}/ogc/features/collections/run.${run.id}.${elements}`,
    rel: 'related',
    type: 'application/json',
    title: RUN_ELEMENTS_FR[elements],
  })
  return {
    type: 'Feature',
    id: run.id,
    geometry: groundOfRun(run),
    properties: figuresOfRun(run),
    links: [
      ...elementsOfRun(run).map(collection),
      {
        href: `${address}/api/multihydro/file/${run.id}/geopackage`,
        rel: 'enclosure',
        type: 'application/geopackage+sqlite3',
        title: 'Mailles, nœuds et conduites',
      },
    ],
  }
}
