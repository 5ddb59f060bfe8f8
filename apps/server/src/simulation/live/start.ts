import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LiveSetting, SewerLink, SewerNetwork } from '@radx/contracts'
import { RadxError } from '@radx/contracts/errors'
import { type RadarRainFrame, type Rain, radarRain } from '@radx/hydrology/rain/rain'
import { jobOutput } from '../../jobs/api.ts'
import { checkFolder } from '../../store/folder-checksums.ts'
import type { Store } from '../../store/open-store.ts'
import type { CatchmentPackage } from '../catchment/catchment-package.ts'
import { cellsOf } from '../rain/radar-rain.ts'
import type { RunTask } from '../run/run.ts'
import type { RunRain } from '../run-spec.ts'
import { decodeState } from '../state/state-bytes.ts'

/** What the steps of a flood forecast leave: the engine's state, and the rain that its deterministic member took. */
export const STATE_FILE = 'state.bin'
export const RAIN_FILE = 'rain.json'

/** What a run begins with that goes on from a forecast. */
export interface LiveStart {
  begin: NonNullable<RunTask['begin']>
  rain: Rain
}

class LiveStateGone extends RadxError {
  constructor() {
    super(
      'simulation.live',
      422,
      'L’état de cette prévision n’est plus gardé : il l’est une heure environ. Repartir de la dernière prévision.',
    )
  }
}

/** Pictures of rain as text; times are s since the issue, rates mm/h, null unknown. */
export const encodeRain = (frames: readonly RadarRainFrame[]): string =>
  JSON.stringify(
    frames.map(({ fromS, toS, ratesMmH }) => ({
      ...{ fromS, toS },
      ratesMmH: Array.from(ratesMmH, (rate) => (Number.isNaN(rate) ? null : Math.round(rate * 1000) / 1000)),
    })),
  )

function decodeRain(text: string): RadarRainFrame[] {
  const frames = JSON.parse(text) as { fromS: number; toS: number; ratesMmH: (number | null)[] }[]
  return frames.map((frame) => ({
    ...frame,
    ratesMmH: Float32Array.from(frame.ratesMmH, (rate) => rate ?? Number.NaN),
  }))
}

/**
 * State and rain of a flood forecast, for a run whose clock begins at the image.
 *
 * @throws LiveStateGone when they are not kept any more
 */
export async function readLiveStart(
  { files, catalog }: Pick<Store, 'files' | 'catalog'>,
  { live, product: name, start, end }: Extract<RunRain, { kind: 'forecast' }>,
  catchment: CatchmentPackage,
): Promise<LiveStart> {
  const product = catalog.products.get(name)
  if (!product) throw new LiveStateGone()
  const [state, rain] = await Promise.all([
    fileOf(files, live.stateJob, STATE_FILE),
    fileOf(files, live.rainJob, RAIN_FILE),
  ])
  const { cellOfModel } = cellsOf(catchment.elevation, catchment.catchment.crs, product)
  const links = new Map(catchment.network.links.map(({ name: link }, k) => [link, k]))
  return {
    begin: {
      engine: decodeState(state, 'état en direct').engine,
      settings: live.settings.map(({ name: link, setting }) => ({ link: links.get(link)!, setting })),
    },
    rain: radarRain(decodeRain(rain.toString()), cellOfModel, {
      durationS: (Date.parse(end) - Date.parse(start)) / 1000,
      intervalS: product.frameSeconds,
    }),
  }
}

async function fileOf(files: Store['files'], job: string, name: string): Promise<Buffer> {
  const dir = await files.folder(jobOutput(job))
  if (dir === null) throw new LiveStateGone()
  await checkFolder(dir, [name])
  return readFile(join(dir, name))
}

/** The catchment with a network in which nothing but the settings themselves moves the links that are set. */
export function withSettings(
  catchment: CatchmentPackage,
  settings: readonly LiveSetting[],
): CatchmentPackage {
  if (settings.length === 0) return catchment
  const names = new Set(settings.map(({ name }) => name))
  const { network } = catchment
  const isSet = (link: number) => names.has(network.links[link].name)
  const rules = network.rules.map((rule): SewerNetwork['rules'][number] => ({
    ...rule,
    thenActions: rule.thenActions.filter(({ link }) => !isSet(link)),
    elseActions: rule.elseActions.filter(({ link }) => !isSet(link)),
  }))
  const links = network.links.map(
    (link): SewerLink =>
      link.kind === 'pump' && names.has(link.name) ? { ...link, startDepthM: 0, stopDepthM: 0 } : link,
  )
  return { ...catchment, network: { ...network, links, rules } }
}
