import { setTimeout as sleep } from 'node:timers/promises'
import {
  DEFAULT_DOUBLE_TRIANGLE,
  DEFAULT_USER,
  EV7,
  type SimpleTriangle,
  type VirtualParams,
} from '@radx/contracts'
import { stormPeriod } from '@radx/demo'
import { greenedCentre } from '@radx/demo/catchment/project'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import { demoAnchor } from '../demo/api.ts'
import type { Deps } from '../http/app.ts'
import { storeOf } from '../store/open-store.ts'
import { CatchmentLibrary } from './catchment/library.ts'
import { codesOf, insertLuseFile, type LuseRow, referenceFile } from './land-use/luse-files.ts'
import { withMarket } from './land-use/market.ts'
import { paint } from './land-use/paint.ts'
import { EV7_RAIN, type RainInput, radarRain, virtualRainOf } from './rain/rain-input.ts'
import type { RunInput } from './run-spec.ts'

/** Once this share of the frames that a period can have is stored, a run can start on it. */
const ENOUGH_FRAMES = 0.83
const LOOK_EVERY_MS = 3_000
/** 60 mm in an hour, which a town sees once in a century. */
const STORM: SimpleTriangle = { d: 60, t: 20, iMax: 120, calmAfter: 90 }
const PROJECT = 'Centre pavé perméable et jardins de pluie'

/** A simulation that a demonstration makes by itself, by its title. */
export interface DemoRun {
  title: string
  /** Null where it cannot be made. */
  input(deps: Deps, signal: AbortSignal): Promise<RunInput | null>
}

type LandUse = Pick<RunInput, 'luseId' | 'luseIdSource' | 'luseDesc'>

const CATCHMENT = 'melun'

const inputOf = (title: string, landUse: LandUse, rain: RainInput): RunInput => ({
  title,
  catchmentId: CATCHMENT,
  catchmentDisplay: 'Melun',
  caseStudyId: '',
  barrier: 'false',
  barrierHeight: '0',
  bassin: 'false',
  bassinDepth: '0',
  greenRoof: 'false',
  soilModule: 'true',
  drainageModule: 'true',
  ...landUse,
  ...rain,
})

const asItIs = ({ id }: LuseRow): LandUse => ({ luseId: id, luseIdSource: id, luseDesc: '' })

const virtual = <S extends 'simple' | 'double'>(
  virtualRainShape: S,
  virtualParam: VirtualParams[S],
): RainInput =>
  virtualRainOf({
    virtualRainShape,
    virtualParam,
    virtualData: virtualRain(virtualRainShape, virtualParam),
  })

/** A run on the catchment's own land use; null without the catchment. */
const reference = (
  title: string,
  rain: (deps: Deps, signal: AbortSignal) => Promise<RainInput | null>,
): DemoRun => ({
  title,
  async input(deps, signal) {
    const file = await referenceFile(deps.db, CATCHMENT).catch(() => null)
    const falls = file && (await rain(deps, signal))
    return file && falls && inputOf(title, asItIs(file), falls)
  },
})

/** Waits until the demonstration's radar has delivered a period. @returns false when it never will */
export async function delivered(
  { deps, signal }: { deps: Deps; signal: AbortSignal },
  productName: string,
  span: { startMs: number; endMs: number },
): Promise<boolean> {
  const { index, catalog } = await storeOf(deps)
  const product = catalog.products.get(productName)
  if (!product) return false
  const enough = (ENOUGH_FRAMES * (span.endMs - span.startMs)) / 1000 / product.frameSeconds
  while ((await index.count(product, span)) < enough) {
    await sleep(LOOK_EVERY_MS, undefined, { signal }).catch(() => undefined)
    if (signal.aborted) return false
  }
  return true
}

async function ev7(deps: Deps, signal: AbortSignal): Promise<RainInput | null> {
  const span = { startMs: Date.parse(EV7.start), endMs: Date.parse(EV7.end) }
  return (await delivered({ deps, signal }, EV7.product, span)) ? EV7_RAIN : null
}

/** The storm that passed over the catchment shortly before the demonstration's first start. */
async function seenStorm(deps: Deps, signal: AbortSignal): Promise<RainInput | null> {
  const anchor = await demoAnchor(deps)
  if (!anchor.storm) return null
  const { startMs, endMs } = stormPeriod(anchor)
  const product = deps.site.defaultProduct
  return (await delivered({ deps, signal }, product, { startMs, endMs }))
    ? { ...radarRain(startMs, endMs), product }
    : null
}

/** The storm on the demonstration's own catchment with a project, to be compared with the town as it is. */
const project: DemoRun = {
  title: `Orage de 60 mm, ${PROJECT.toLowerCase()}`,
  async input(deps) {
    const file = await referenceFile(deps.db, CATCHMENT).catch(() => null)
    if (!file) return null
    const { catchment, landUse } = await new CatchmentLibrary(deps.db, deps.config).get(CATCHMENT)
    if (!catchment.synthetic) return null
    const market = withMarket(file.configs, catchment.permanentWaterCode)
    const next = Math.max(...file.configs.map(({ code }) => code)) + 1
    const added = ['pave-drainant', 'jardin-de-pluie'].flatMap((id) => market.filter((c) => c.id === id))
    const [paving, garden] = added.map((config, k) => ({ ...config, code: next + k, isSelected: true }))
    if (!paving || !garden) return null
    const configs = [...file.configs, paving, garden]
    const codes = await codesOf(file)
    const luseUpdates = greenedCentre(codes, { paving: paving.code, garden: garden.code })
    const { ncols, nrows } = landUse
    const luseId = await insertLuseFile(deps.db, {
      catchmentId: CATCHMENT,
      catchmentHash: file.catchment_hash,
      username: DEFAULT_USER,
      description: PROJECT,
      configs,
      codes: paint(luseUpdates, { codes, ncols, nrows, configs, mask: null }),
      ncols,
      nrows,
      edit: luseUpdates,
    })
    const changed = { luseId, luseIdSource: file.id, luseDesc: PROJECT }
    return inputOf(this.title, changed, virtual('simple', STORM))
  },
}

/** In the order in which they are made; what has to wait for the radar comes last. The last one heads the list. */
export const DEMO_RUNS: readonly DemoRun[] = [
  reference('Référence, pluie de projet double triangle', async () =>
    virtual('double', DEFAULT_DOUBLE_TRIANGLE),
  ),
  reference('Référence, orage de 60 mm', async () => virtual('simple', STORM)),
  project,
  reference('Référence, évènement 7', ev7),
  reference('Orage sur Melun, pluie du radar', seenStorm),
]
