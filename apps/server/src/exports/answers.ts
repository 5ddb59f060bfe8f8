import type { GraphType, LatLng, RainMethod } from '@radx/contracts'
import { EXPORT_CSV_DAYS, EXPORT_TABLE_DAYS } from '@radx/contracts/constants'
import { type CsvDialect, csvFile } from '@radx/locale/csv'
import { isoSeconds, zoneOffsetMs } from '@radx/locale/time'
import { cellOf, cumulate } from '@radx/rainfall'
import type { z } from 'zod'
import { type AdjustmentInput, adjustedRows } from '../gauges/api.ts'
import { BadRequest, NotFound } from '../http/errors.ts'
import { acquisitionParams, type periodQuery, productOf, spanOf, zoneOf } from '../radar/api.ts'
import { RAIN_METHOD_FR } from '../store/moved/moved-rain.ts'
import type { AnswerContext, AnswerKind } from '../threads/answers.ts'
import { adjustedSelection, adjustedStem, adjustmentProvenance } from './adjusted-selection.ts'
import { graphPng, type PixelValues } from './graph.ts'
import { hyetogramCsv } from './hyetogram-csv.ts'
import { fileStem, provenance, readSelection, type Selection } from './selection.ts'
import { spreadsheet } from './spreadsheet.ts'

/** What the calls of a selection name. */
export type SelectionQuery = z.infer<typeof periodQuery> & { c?: string; sc?: string; method?: RainMethod }

/** A file as it is downloaded. */
export interface FileAnswer {
  name: string
  body: Uint8Array
}

/** The selection that a call names. @throws NotFound without any frame, or what its parts throw */
export async function select(
  { store, catchments }: Pick<AnswerContext, 'store' | 'catchments'>,
  query: SelectionQuery,
  maxDays: number,
): Promise<Selection> {
  const product = productOf(store, query)
  const zone = zoneOf(catchments, query)
  const selection = await readSelection(store, product, spanOf(query, maxDays), zone, query.method)
  if (selection.frames.length === 0)
    throw new NotFound('L’archive n’a aucune image pour cette période. Choisissez-en une autre.')
  return selection
}

function cellAt(product: Selection['product'], point: LatLng) {
  const cell = cellOf(product, point)
  if (!cell) throw new BadRequest('place', 'lat', 'Ce point est hors du produit radar.')
  return cell
}

/** One value a frame at a point, mm/h, null without data, and their cumul by the selection's method. */
async function seriesAt({ store }: AnswerContext, { product, span, time, method }: Selection, point: LatLng) {
  const cell = cellAt(product, point)
  const series = await store.pixels.read(product, cell.row, cell.col, span)
  const values = series.map(({ rateMmH }) => rateMmH)
  const moved = method === 'moved' ? await store.moved.pixel(product, cell.row, cell.col, span, series) : null
  return { values, ...cumulate(moved ?? values, time) }
}

export const graphAnswer: AnswerKind<
  { query: SelectionQuery; type: GraphType; point: LatLng | null; adjusted?: AdjustmentInput | null },
  FileAnswer
> = {
  name: 'graph',
  async run(context, { query, type, point, adjusted = null }) {
    const original = await select(context, query, EXPORT_TABLE_DAYS)
    const name = `${fileStem(original)}${adjustedStem(adjusted)}-${type}.png`
    if (adjusted === null) {
      const pixel = point === null ? null : await pixelValues(context, original, point)
      return { name, body: graphPng(type, original, pixel, context.site) }
    }
    const at = point && cellAt(original.product, point)
    const { selection, about, cell } = await adjustedSelection(
      context,
      original,
      adjusted,
      at && at.row * original.product.steps + at.col,
    )
    const pixel = point && pixelOf(selection, point, cell, cumulate(cell, selection.time).runningMm)
    return { name, body: graphPng(type, selection, pixel, context.site, about) }
  },
}

async function pixelValues(context: AnswerContext, selection: Selection, at: LatLng): Promise<PixelValues> {
  const { values, runningMm } = await seriesAt(context, selection, at)
  return pixelOf(selection, at, values, runningMm)
}

function pixelOf(
  { frames }: Selection,
  at: LatLng,
  values: readonly (number | null)[],
  runningMm: readonly number[],
): PixelValues {
  return {
    points: frames.map(({ timeMs }, i) => ({ datetime: isoSeconds(timeMs), value: values[i] })),
    cumulMm: frames.map(({ timeMs }, i) => ({ datetime: isoSeconds(timeMs), value: runningMm[i] })),
    place: `${at.lat.toFixed(4).replace('.', ',')} N, ${at.lng.toFixed(4).replace('.', ',')} E`,
  }
}

export const spreadsheetAnswer: AnswerKind<
  { query: SelectionQuery; gauges: LatLng[]; title: string; adjusted?: AdjustmentInput | null },
  FileAnswer
> = {
  name: 'spreadsheet',
  async run(context, { query, gauges, title, adjusted = null }) {
    const { store, catchments, site } = context
    const selection = await select(context, query, EXPORT_TABLE_DAYS)
    const { product, span, zone, method } = selection
    const wanted = zone ? [zone, ...(zone.parent === null ? catchments.childrenOf(zone.key) : [])] : []
    const zones = await Promise.all(
      wanted.map(async (z) => ({ zone: z, selection: await readSelection(store, product, span, z, method) })),
    )
    const measured = await Promise.all(
      gauges.map(async (point) => {
        const { values, totalMm } = await seriesAt(context, selection, point)
        return { ...point, values, totalMm }
      }),
    )
    const made = adjusted && (await adjustedRows(context, { ...adjusted, zone: zone?.key ?? null }))
    const body = spreadsheet({
      adjusted: made?.rows ?? null,
      title: title || fileStem(selection),
      selection,
      zones,
      gauges: measured,
      params: await acquisitionParams(context.db, product, span.startMs),
      provenance: [
        ...provenance(selection, site, new Date(context.nowMs)),
        ...(made ? adjustmentProvenance(made.about) : []),
      ],
      offsetMs: (ms) => zoneOffsetMs(ms, site.timeZone),
    })
    return { name: `${fileStem(selection)}.xlsx`, body }
  },
}

export const csvAnswer: AnswerKind<
  { query: SelectionQuery; dialect: CsvDialect; adjusted?: AdjustmentInput | null },
  FileAnswer
> = {
  name: 'hyetogram',
  async run(context, { query, dialect, adjusted = null }) {
    const selection = await select(context, query, EXPORT_CSV_DAYS)
    const made = adjusted && (await adjustedSelection(context, selection, adjusted))
    const lines = [
      ...provenance(selection, context.site, new Date(context.nowMs)),
      ...(made
        ? [
            ...adjustmentProvenance(made.about),
            ['Cumuls ajustés', RAIN_METHOD_FR.raw] satisfies [string, string],
          ]
        : []),
    ]
    const table = hyetogramCsv(selection, lines, made)
    return {
      name: `${fileStem(selection)}${adjustedStem(adjusted)}.csv`,
      body: new TextEncoder().encode(csvFile(table, dialect)),
    }
  },
}
