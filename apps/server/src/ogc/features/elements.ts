import type { StreetDepths } from '@radx/contracts'
import { LRUCache } from 'lru-cache'
import { NotFound } from '../../http/errors.ts'
import { modelOfVersion, peaksOfRun, type VersionFiles } from '../../networks/api.ts'
import { type CatchmentPackage, Results, Runs, threadLibrary, toDegreesOf } from '../../simulation/api.ts'
import { openFileStore } from '../../store/file-store.ts'
import type { AnswerContext, AnswerKind } from '../../threads/answers.ts'
import { type Feature, type FeaturePage, inSystem, pageOfFeatures } from './page.ts'
import type { FeatureQuery } from './query.ts'
import {
  linkFeatures,
  nodeFeatures,
  peaksOfNetwork,
  peaksOfTable,
  sewerOfCatchment,
  sewerOfModel,
} from './sewer.ts'

/** Features that a thread remembers between pages of a collection. */
const KEPT_FEATURES = 200_000

export type ElementsOf = 'nodes' | 'links' | 'streets'

/** Nodes, links or streets, and what they are read from; it names a state that never changes. */
export type Elements = { elements: ElementsOf } & (
  | { of: 'catchment'; id: string; hash: string }
  | { of: 'run'; jobId: string }
  | { of: 'network'; version: VersionFiles; crs: string | null; jobId: string | null }
)

/** A page of elements, or the one of an id. */
export type ElementsAsked =
  | { source: Elements; query: FeatureQuery }
  | { source: Elements; id: string; crs: string }

/** Elements of networks and runs as features. */
export const elementsAnswer: AnswerKind<ElementsAsked, FeaturePage> = {
  name: 'ogc-elements',
  async run(context, asked) {
    const features = await featuresOf(context, asked.source)
    if ('query' in asked) return pageOfFeatures(features, asked.query)
    const found = features.find(({ id }) => id === asked.id)
    if (!found) throw new NotFound(`« ${asked.id.slice(0, 80)} » n’est pas dans cette collection.`)
    return { features: JSON.stringify(inSystem(found, asked.crs)), matched: 1, returned: 1 }
  },
}

const kept = new LRUCache<string, Feature[]>({
  maxSize: KEPT_FEATURES,
  sizeCalculation: ({ length }) => Math.max(1, length),
})

async function featuresOf(context: AnswerContext, source: Elements): Promise<Feature[]> {
  const key = JSON.stringify(source)
  const known = kept.get(key)
  if (known) return known
  const made = await read(context, source)
  kept.set(key, made)
  return made
}

async function read({ db, config }: AnswerContext, source: Elements): Promise<Feature[]> {
  const store = openFileStore(config)
  const library = threadLibrary(db, config)
  switch (source.of) {
    case 'catchment':
      return ofKind(source.elements, sewerOfCatchment(await library.version(source.id, source.hash)), null)
    case 'run': {
      const results = new Results(new Runs(db), library, store)
      const catchment = await results.catchment(source.jobId)
      if (source.elements === 'streets') return streetFeatures(await results.streets(source.jobId), catchment)
      const peaks = peaksOfTable(await results.sewerPeaks(source.jobId))
      return ofKind(source.elements, sewerOfCatchment(catchment), peaks)
    }
    case 'network': {
      const sewer = sewerOfModel(await modelOfVersion(store, source.version, source.crs))
      if (!sewer)
        throw new NotFound('Ce réseau n’est pas placé sur la carte : dire le système de ses positions.')
      const { jobId } = source
      const peaks = jobId === null ? null : peaksOfNetwork(await peaksOfRun(store, { jobId }))
      return ofKind(source.elements, sewer, peaks)
    }
  }
}

const ofKind = (elements: ElementsOf, ...[sewer, peaks]: Parameters<typeof nodeFeatures>): Feature[] =>
  elements === 'links' ? linkFeatures(sewer, peaks) : nodeFeatures(sewer, peaks)

/** Streets under water, each where it is deepest. */
function streetFeatures({ streets }: StreetDepths, catchment: CatchmentPackage): Feature[] {
  const { xll, yll, nrows, cellSize } = catchment.elevation
  const onEarth = toDegreesOf(catchment)
  return streets.map(({ name, areasM2, wholeM2, deepest: { depthM, row, col } }) => ({
    type: 'Feature',
    id: name,
    geometry: {
      type: 'Point',
      coordinates: onEarth([xll + (col + 0.5) * cellSize, yll + (nrows - row - 0.5) * cellSize]),
    },
    properties: {
      name,
      max_depth_m: depthM,
      over_10cm_m2: areasM2[0],
      over_20cm_m2: areasM2[1],
      area_m2: wholeM2,
    },
  }))
}
