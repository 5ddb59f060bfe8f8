import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { GaugeAdjustment } from '@radx/contracts'
import { type CsvDialect, csvComments, csvFile } from '@radx/locale/csv'
import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { isoSeconds } from '@radx/locale/time'
import {
  Accumulation,
  catchmentStatistics,
  cumulClass,
  encodeClassBlock,
  encodeClassBundleHeader,
  RATE_NO_DATA,
  representativeness,
} from '@radx/rainfall'
import { zoneWeights } from '../store/zone-weights.ts'
import type { AnswerKind } from '../threads/answers.ts'
import { type AdjustmentContext, type AdjustmentInput, adjustedCodes, prepare } from './adjustment.ts'
import { METHOD_FR, MODE_FR } from './methods-fr.ts'

/** What is said of the adjusted product, with the error of every method where that is asked for. */
export const adjustmentAnswer: AnswerKind<AdjustmentInput & { errors: boolean }, { body: Uint8Array }> = {
  name: 'gauge-adjustment',
  async run(context, input) {
    const { about } = await prepare(context, input, input.errors)
    return { body: new TextEncoder().encode(JSON.stringify(about)) }
  },
}

const toGzip = promisify(gzip)

/** Adjusted frames in classes, as a bundle; or their accumulation. */
export const adjustedFramesAnswer: AnswerKind<
  AdjustmentInput & { cumul: boolean; gzip: boolean },
  { body: Uint8Array }
> = {
  name: 'gauge-adjusted-frames',
  async run(context, input) {
    const bundle = await bundleOf(context, input)
    return { body: input.gzip ? await toGzip(bundle, { level: 1 }) : bundle }
  },
}

async function bundleOf(
  context: AdjustmentContext,
  input: AdjustmentInput & { cumul: boolean },
): Promise<Buffer> {
  const made = await prepare(context, input, false)
  const { product, about } = made
  const times = about.frames.map(({ time }) => time)
  const adjustment = {
    name: about.name,
    method: about.method,
    factors: about.frames.map(({ factor }) => factor),
  }
  const head = { product: product.shortName, steps: product.steps }
  if (input.cumul) {
    const { seconds, missingSeconds } = representativeness(
      times.map(Date.parse),
      input.span,
      product.frameSeconds,
    )
    const sum = new Accumulation(product.steps ** 2)
    let k = 0
    for await (const codes of adjustedCodes(context, made, input.span)) sum.add(codes, seconds[k++])
    const { depthMm } = sum.result()
    const end = isoSeconds(input.span.endMs)
    const accumulation = {
      start: isoSeconds(input.span.startMs),
      end,
      maxMm: depthMm.reduce<number | null>((most, v) => (v > (most ?? -1) ? v : most), null),
      missingSeconds,
      method: 'raw' as const,
    }
    const block = cumulBlock(depthMm)
    return Buffer.concat([
      encodeClassBundleHeader({ ...head, times: [end], accumulation, adjustment }),
      block,
    ])
  }
  const blocks: Uint8Array[] = []
  for await (const codes of adjustedCodes(context, made, input.span)) blocks.push(encodeClassBlock(codes))
  return Buffer.concat([encodeClassBundleHeader({ ...head, times, adjustment }), ...blocks])
}

function cumulBlock(depthMm: Float32Array): Uint8Array {
  const block = new Uint8Array(Math.ceil(depthMm.length / 2))
  depthMm.forEach((depth, i) => {
    const row = cumulClass(depth)
    block[i >> 1] |= (row < 0 ? 15 : row) << (i % 2 === 0 ? 4 : 0)
  })
  return block
}

/** A frame of a catchment in the original and the adjusted product. */
export interface AdjustedRow {
  time: string
  /** Means over the catchment or the whole product, mm/h; null without data. */
  originalMmH: number | null
  adjustedMmH: number | null
  factor: number
  /** Factor of `how/bias` of a frame that came adjusted, which is left as it is. */
  already: number | null
}

/** Rain of a catchment (null: of the whole product) in the original and the adjusted product, frame by frame. */
export async function adjustedRows(
  context: AdjustmentContext,
  input: AdjustmentInput & { zone: string | null },
): Promise<{ about: GaugeAdjustment; rows: AdjustedRow[] }> {
  const made = await prepare(context, input, true)
  const { product, about } = made
  const zones = context.store.catalog.zones.filter(({ key }) => key === input.zone)
  const weights = zoneWeights(product, zones)[0]
  const mean = (codes: Uint16Array) =>
    weights ? catchmentStatistics(codes, weights).meanMmH : wholeMean(codes)
  const places = await context.store.index.places(product, input.span)
  const before: (number | null)[] = []
  for await (const codes of context.store.index.codes(product, places))
    before.push(codes === null ? 0 : mean(codes))
  const rows: AdjustedRow[] = []
  for await (const codes of adjustedCodes(context, made, input.span)) {
    const { time, factor, already } = about.frames[rows.length]
    rows.push({ time, originalMmH: before[rows.length], adjustedMmH: mean(codes), factor, already })
  }
  return { about, rows }
}

/** What every export says of an adjusted product: its name, how it was made, its error. */
export function adjustmentLines({
  name,
  method,
  mode,
  gauges,
  window,
  errors,
  frames,
}: GaugeAdjustment): [string, string][] {
  return [
    ['produit', name],
    ['méthode', `${METHOD_FR[method]}, en ${MODE_FR[mode]}`],
    ['pluviomètres', `${formatNumberFr(gauges)}, du ${window.start} au ${window.end}`],
    ['facteur', factorRange(frames)],
    ...errors.map((one): [string, string] => [
      `validation croisée, ${METHOD_FR[one.method]}`,
      `biais ${formatQuantityFr(one.biasPct, '%', 2, true)} ; EQM ${formatQuantityFr(one.rmse, 'mm', 4, true)}`,
    ]),
  ]
}

function factorRange(frames: GaugeAdjustment['frames']): string {
  const factors = frames.map(({ factor }) => factor)
  const [least, most] = [Math.min(...factors), Math.max(...factors)].map((one) =>
    formatNumberFr(one, 4, true),
  )
  return least === most ? least : `${least} à ${most}`
}

const digits = (value: number | null) => (value === null ? null : Number(value.toFixed(4)))

/** Both products of a catchment as CSV that names them. */
export const adjustedCsvAnswer: AnswerKind<
  AdjustmentInput & { zone: string | null; dialect: CsvDialect },
  { body: Uint8Array }
> = {
  name: 'gauge-adjusted-csv',
  async run(context, input) {
    const { about, rows } = await adjustedRows(context, input)
    const lines: [string, string][] = [...adjustmentLines(about), ['zone', input.zone ?? 'tout le produit']]
    const head = ['instant', 'original_mm_h', 'ajuste_mm_h', 'facteur', 'deja_ajuste_how_bias']
    const cells = rows.map(({ time, originalMmH, adjustedMmH, factor, already }) => [
      time,
      digits(originalMmH),
      digits(adjustedMmH),
      digits(factor),
      already,
    ])
    const table = { comments: csvComments(lines), rows: [head, ...cells] }
    return { body: new TextEncoder().encode(csvFile(table, input.dialect)) }
  },
}

function wholeMean(codes: Uint16Array): number | null {
  let [sum, count] = [0, 0]
  for (const code of codes)
    if (code !== RATE_NO_DATA) {
      sum += code
      count++
    }
  return count === 0 ? null : sum / count / 100
}
