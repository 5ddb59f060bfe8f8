import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ErrorCode } from '@radx/contracts/errors'
import { RadxError } from '@radx/contracts/errors'
import type { OwnSeries, Transposition, VirtualParams } from '@radx/contracts/simulation'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import type { Rain } from '@radx/hydrology/rain/rain'
import { steppedRain, uniformRain } from '@radx/hydrology/rain/rain'
import { readRainText } from '@radx/rainfall/storms/rain-text'
import { type DrawnShape, virtualRain } from '@radx/rainfall/virtual-rain'

/** Radar rain of the archive on a model's cells. The archive of DATA_DIR implements it. */
export interface RainArchive {
  /** Rain of a product from `start` to `end` (ISO 8601, end excluded) on the cells of a grid in `crs`. */
  radarRain(
    period: { product: string; start: string; end: string; move?: Transposition },
    grid: EsriGrid,
    crs: string,
  ): Promise<Rain>
  /** The same for a saved event of the site, such as `ev7`. */
  eventRain(event: string, grid: EsriGrid, crs: string): Promise<Rain>
}

/** Where a run's rain comes from. `ratesMmH` of a virtual rain is what falls each minute; its curve by default. */
export type RainSource =
  | { kind: 'uniform'; rateMmH: number; minutes: number }
  | ({ kind: 'virtual'; ratesMmH?: readonly number[] } & {
      [S in DrawnShape]: { shape: S; params: VirtualParams[S] }
    }[DrawnShape])
  | { kind: 'virtual'; shape: 'series'; params: OwnSeries; ratesMmH: readonly number[] }
  | { kind: 'file'; path: string }
  | { kind: 'radar'; product: string; start: string; end: string; move?: Transposition }
  | { kind: 'event'; event: string }

class RainSourceError extends RadxError {
  override readonly name: string = 'RainSourceError'
  constructor(code: ErrorCode, messageFr: string) {
    super(code, 422, messageFr)
  }
}

const MINUTE_S = 60

function numbers(text: string, count: number, option: string, example: string): number[] {
  const values = text.split(',').map(Number)
  if (values.length === count && values.every((value) => Number.isFinite(value) && value >= 0)) return values
  throw new RainSourceError('rain.option', `${option} « ${text} » : attendre ${example}.`)
}

/** `MM_PER_H:MINUTES`. */
export function parseUniform(text: string): RainSource {
  const [rateMmH, minutes] = numbers(
    text.replace(':', ','),
    2,
    '--uniform',
    'INTENSITÉ:MINUTES, par exemple 40:30',
  )
  if (!Number.isInteger(minutes) || minutes < 1)
    throw new RainSourceError(
      'rain.option',
      '--uniform : la durée est un nombre entier de minutes, 1 ou plus.',
    )
  return { kind: 'uniform', rateMmH, minutes }
}

/** `simple:d,t,iMax,calm` or `double:t1,t2,t3,iMax,i2,calm`. */
export function parseVirtual(text: string): RainSource {
  const [shape, list = ''] = text.split(':')
  if (shape === 'simple') {
    const [d, t, iMax, calmAfter] = numbers(
      list,
      4,
      '--virtual',
      'simple:d,t,iMax,calme, par exemple simple:30,15,80,390',
    )
    return { kind: 'virtual', shape, params: { d, t, iMax, calmAfter } }
  }
  if (shape === 'double') {
    const [t1, t2, t3, iMax, i2, calmAfter] = numbers(
      list,
      6,
      '--virtual',
      'double:t1,t2,t3,iMax,i2,calme, par exemple double:30,100,240,10,2,20',
    )
    return { kind: 'virtual', shape, params: { t1, t2, t3, iMax, i2, calmAfter } }
  }
  throw new RainSourceError('rain.option', `--virtual « ${text} » : la forme est simple ou double.`)
}

/** `PRODUCT,START,END`. */
export function parseRadar(text: string): RainSource {
  const [product, start, end] = text.split(',').map((part) => part.trim())
  if (!product || Number.isNaN(Date.parse(start ?? '')) || !(Date.parse(end ?? '') > Date.parse(start)))
    throw new RainSourceError(
      'rain.option',
      `--radar « ${text} » : attendre PRODUIT,DÉBUT,FIN en ISO 8601, par exemple dpsri,2018-01-15T23:00:00Z,2018-01-16T05:50:00Z.`,
    )
  return { kind: 'radar', product, start, end }
}

/**
 * The rain of a source on the cells of a grid.
 *
 * @param onRemark what a file left open and how it was read, in French
 * @throws RainSourceError `rain.archive` when the source is in the archive and there is none
 */
export async function loadRain(
  source: RainSource,
  grid: EsriGrid,
  crs: string,
  archive: RainArchive | null,
  onRemark: (...remarksFr: string[]) => void = () => {},
): Promise<Rain> {
  switch (source.kind) {
    case 'uniform':
      return uniformRain(new Array<number>(source.minutes).fill(source.rateMmH), MINUTE_S)
    case 'virtual': {
      const series =
        source.ratesMmH ?? (source.shape === 'series' ? [] : virtualRain(source.shape, source.params))
      if (series.length === 0)
        throw new RainSourceError(
          'rain.virtual',
          'Un paramètre de la pluie virtuelle est nul : il n’y a pas de courbe. Donner à chaque paramètre une valeur positive.',
        )
      return uniformRain(series, MINUTE_S)
    }
    case 'file': {
      const read = readRainText(await rainText(source.path), basename(source.path), { complete: true })
      onRemark(...read.remarksFr)
      // Instants are minutes since 1970: what is left of that is no part of a step.
      const edgesS = Array.from(read.edgesMin, (edge) => Math.round(edge * MINUTE_S * 1000) / 1000)
      return steppedRain(Array.from(read.ratesMmH), edgesS)
    }
    case 'radar':
    case 'event':
      if (!archive)
        throw new RainSourceError(
          'rain.archive',
          'L’archive radar n’est pas accessible depuis cette commande. Utiliser --rain, --uniform ou --virtual, ou lancer la simulation depuis la plateforme.',
        )
      return source.kind === 'event'
        ? archive.eventRain(source.event, grid, crs)
        : archive.radarRain(source, grid, crs)
  }
}

async function rainText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new RainSourceError(
      'rain.file',
      `La série de pluie ${path} ne peut être lue (${code}). Vérifier le chemin et les droits.`,
    )
  }
}
