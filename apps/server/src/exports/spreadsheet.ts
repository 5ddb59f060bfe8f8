import type { AcquisitionParams } from '@radx/contracts'
import { formatNumberFr } from '@radx/locale/format-fr'
import type { Catchment } from '../config/catchments.ts'
import type { AdjustedRow } from '../gauges/api.ts'
import { hasQuality, qualityOf, runningMm, type Selection } from './selection.ts'
import { type Cell, type Sheet, workbook } from './workbook.ts'

const head = (...texts: string[]): Cell[] => texts.map((value) => ({ kind: 'head', value }))
const text = (value: string): Cell => ({ kind: 'text', value })
const number = (value: number | null, format = '0.000'): Cell =>
  value === null || !Number.isFinite(value) ? null : { kind: 'number', value, format }
const degrees = (value: number) => formatNumberFr(value, 5)
const date = (ms: number): Cell => ({ kind: 'date', ms })

/** Local civil time as a spreadsheet shows it: spreadsheets know no zones, so the date is shifted. */
function localDate(ms: number, offsetMs: (ms: number) => number): Cell {
  return date(ms + offsetMs(ms))
}

export interface Gauge {
  lat: number
  lng: number
  /** One value a frame of the selection, mm/h; null is no data. */
  values: (number | null)[]
  totalMm: number
}

export interface SpreadsheetInput {
  title: string
  selection: Selection
  /** The catchment, then its sub-catchments, each read like the selection. */
  zones: { zone: Catchment; selection: Selection }[]
  gauges: Gauge[]
  params: AcquisitionParams | null
  /** Frames of the zone in the product adjusted to gauges; null where it was not asked for. */
  adjusted: AdjustedRow[] | null
  provenance: [string, string | number][]
  /** Offset of local time from UTC at an instant, ms. */
  offsetMs: (ms: number) => number
}

/** The selection as a spreadsheet: summary, frames, catchments, gauges, acquisition, provenance. */
export function spreadsheet(input: SpreadsheetInput): Buffer {
  const sheets = [
    summary(input),
    frames(input),
    catchments(input),
    gauges(input),
    acquisition(input),
    adjusted(input),
    origin(input),
  ].filter((sheet) => sheet !== null)
  return workbook(sheets)
}

const last = (values: number[]): number | null => values[values.length - 1] ?? null

function summary({ title, selection, zones, gauges, offsetMs }: SpreadsheetInput): Sheet {
  const { span, frames, time, product } = selection
  // A period that is no whole number of steps has one more or one less: those there, and what the gaps lack.
  const expected = frames.length + Math.round(time.missingSeconds / product.frameSeconds)
  const wet = frames.filter((frame) => (frame.zone.nonzerosmean ?? 0) > 0)
  const largest = frames.reduce<(typeof frames)[number] | null>(
    (best, frame) => ((frame.maxMmH ?? -1) > (best?.maxMmH ?? -1) ? frame : best),
    null,
  )
  const mean = wet.length ? wet.reduce((sum, f) => sum + (f.zone.nonzerosmean ?? 0), 0) / wet.length : null
  return {
    name: 'Synthèse',
    sticky: false,
    widths: [38, 24, 14],
    rows: [
      head('Grandeur', 'Valeur', 'Unité'),
      [text('Sélection'), text(title), null],
      [text('Produit radar'), text(product.shortName), null],
      [text('Début (UTC)'), date(span.startMs), null],
      [text('Fin exclue (UTC)'), date(span.endMs), null],
      [text('Début (heure locale)'), localDate(span.startMs, offsetMs), null],
      [text('Fin exclue (heure locale)'), localDate(span.endMs, offsetMs), null],
      [text('Images'), number(frames.length, '0'), null],
      [text('Images attendues'), number(expected, '0'), null],
      [text('Durée sans image'), number(Math.round(time.missingSeconds), '0'), text('s')],
      [text('Rmoyen, moyenne des images pluvieuses'), number(mean), text('mm/h')],
      [text('Intensité maximale'), number(largest?.maxMmH ?? null, '0.00'), text('mm/h')],
      [text('Instant du maximum (UTC)'), largest ? date(largest.timeMs) : null, null],
      [text('Cumul moyen de la zone'), number(last(runningMm(selection, 'zone'))), text('mm')],
      ...qualityRows('Qualité du cumul (0 à 1)', selection, 'zone'),
      ...zones.flatMap(({ zone, selection: own }): Cell[][] => [
        [text(`Cumul moyen, ${zone.name}`), number(last(runningMm(own, 'catchment'))), text('mm')],
        ...qualityRows(`Qualité du cumul, ${zone.name} (0 à 1)`, own, 'catchment'),
      ]),
      ...gauges.map((gauge, i): Cell[] => [
        text(`Cumul, pluviomètre ${i + 1}`),
        number(gauge.totalMm),
        text('mm'),
      ]),
    ],
  }
}

/** A row with the quality of a total; none where no frame says anything of it. */
function qualityRows(label: string, selection: Selection, of: 'zone' | 'catchment'): Cell[][] {
  const found = qualityOf(selection, of)
  return found ? [[text(label), number(found.mean, '0.00'), null]] : []
}

function frames({ selection, offsetMs }: SpreadsheetInput): Sheet {
  const running = runningMm(selection, 'zone')
  const withQuality = hasQuality(selection)
  return {
    name: 'Images',
    sticky: true,
    widths: [20, 20, 14, 16, 14, 14, 14, 14, 14],
    rows: [
      head(
        'Heure UTC',
        'Heure locale',
        'Moyenne (mm/h)',
        'Rmoyen zone pluvieuse (mm/h)',
        'Couverture (%)',
        'Maximum (mm/h)',
        'Part valide (%)',
        'Cumul moyen (mm)',
        ...(withQuality ? ['Qualité (0 à 1)'] : []),
      ),
      ...selection.frames.map((frame, i): Cell[] => [
        date(frame.timeMs),
        localDate(frame.timeMs, offsetMs),
        number(frame.zone.mean),
        number(frame.zone.nonzerosmean),
        number(frame.zone.nonzerospc, '0.00'),
        number(frame.maxMmH, '0.00'),
        number(frame.validPct, '0.00'),
        number(running[i]),
        ...(withQuality ? [number(frame.quality?.zone ?? null, '0.00')] : []),
      ]),
    ],
  }
}

function catchments({ zones, selection, offsetMs }: SpreadsheetInput): Sheet | null {
  if (zones.length === 0) return null
  const series = zones.map(({ selection: own }) => runningMm(own, 'catchment'))
  const withQuality = hasQuality(selection)
  return {
    name: 'Bassins',
    sticky: true,
    widths: [20, 20, ...zones.flatMap(() => [16, 16, 16, 16])],
    rows: [
      head(
        'Heure UTC',
        'Heure locale',
        ...zones.flatMap(({ zone }) => [
          `${zone.name} : moyenne (mm/h)`,
          `${zone.name} : couverture (%)`,
          `${zone.name} : cumul (mm)`,
          ...(withQuality ? [`${zone.name} : qualité (0 à 1)`] : []),
        ]),
      ),
      ...selection.frames.map((frame, i): Cell[] => [
        date(frame.timeMs),
        localDate(frame.timeMs, offsetMs),
        ...zones.flatMap(({ selection: own }, k) => [
          number(own.frames[i].catchment?.mean ?? null),
          number(own.frames[i].catchment?.nonzerospc ?? null, '0.00'),
          number(series[k][i]),
          ...(withQuality ? [number(own.frames[i].quality?.catchment ?? null, '0.00')] : []),
        ]),
      ]),
    ],
  }
}

function gauges({ gauges: list, selection, offsetMs }: SpreadsheetInput): Sheet | null {
  if (list.length === 0) return null
  return {
    name: 'Pluviomètres',
    sticky: true,
    widths: [20, 20, ...list.map(() => 22)],
    rows: [
      head(
        'Heure UTC',
        'Heure locale',
        ...list.map((g, i) => `Pluviomètre ${i + 1} (${degrees(g.lat)} N, ${degrees(g.lng)} E) (mm/h)`),
      ),
      ...selection.frames.map((frame, i): Cell[] => [
        date(frame.timeMs),
        localDate(frame.timeMs, offsetMs),
        ...list.map((gauge) => number(gauge.values[i] ?? null, '0.00')),
      ]),
    ],
  }
}

function acquisition({ params }: SpreadsheetInput): Sheet | null {
  if (!params) return null
  const { name, wavelen, beamwidth, alt } = params.data.sensorinfo
  return {
    name: 'Acquisition',
    sticky: false,
    widths: [28, 28, 12],
    rows: [
      head('Paramètre', 'Valeur', 'Unité'),
      [text('Produit'), text(params.product.name), null],
      [text('Version'), text(params.product.version), null],
      [text('Date de référence (UTC)'), date(Date.parse(params.product.datetime)), null],
      [text('Radar'), text(name), null],
      [text("Longueur d'onde"), number(wavelen, '0.0000'), text('m')],
      [text('Ouverture du faisceau'), number(beamwidth, '0.00'), text('°')],
      [text('Altitude'), number(alt, '0'), text('m')],
    ],
  }
}

function adjusted({ adjusted: rows, offsetMs }: SpreadsheetInput): Sheet | null {
  if (rows === null) return null
  return {
    name: 'Produit ajusté',
    sticky: true,
    widths: [20, 20, 16, 16, 12, 22],
    rows: [
      head(
        'Date (UTC)',
        'Date locale',
        'Original (mm/h)',
        'Ajusté (mm/h)',
        'Facteur',
        'Déjà ajusté (how/bias)',
      ),
      ...rows.map(({ time, originalMmH, adjustedMmH, factor, already }): Cell[] => {
        const ms = Date.parse(time)
        return [
          date(ms),
          localDate(ms, offsetMs),
          number(originalMmH),
          number(adjustedMmH),
          number(factor),
          number(already),
        ]
      }),
    ],
  }
}

function origin({ provenance }: SpreadsheetInput): Sheet {
  return {
    name: 'Provenance',
    sticky: false,
    widths: [28, 90],
    rows: [
      head('Élément', 'Valeur'),
      ...provenance.map(([name, value]): Cell[] => [
        text(name),
        typeof value === 'number' ? number(value, '0') : text(value),
      ]),
    ],
  }
}
