import { writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { RadxError } from '@radx/contracts/errors'
import { csvText } from '@radx/locale/csv'
import { analyseEvent, type EventScaling, type ScalingOf } from '@radx/scaling/event-analysis'
import { type AnalysisWindow, chooseWindow, longestEven, usualStep } from '@radx/scaling/window'
import { isFlat, notesFr, scalingNotes } from '../scaling/api.ts'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { csvOut } from './csv-out.ts'
import { makeOutFolder } from './given-paths.ts'
import { type RainSeries, readRainSeries } from './rain-files.ts'

export const command = defineCommand({
  name: 'multifractal',
  summary: 'analyse la pluie d’un évènement à travers les échelles (alpha, C1, K(q))',
  description: [
    'Lit des images de pluie d’un même produit, choisit la plus grande fenêtre carrée connue (côté en puissance de 2)',
    'et écrit analysis.json, moments.csv, kq.csv, spectrum.csv et frames.csv : moments de trace (TM) et doubles moments de trace (DTM),',
    'dans l’espace, dans le temps, image par image, et sur les carrés mouillés, avec la part de zéros et de manques.',
    'Ni base de données ni serveur ne sont nécessaires.',
  ].join('\n'),
  options: {
    out: { type: 'string', short: 'o', value: 'DOSSIER', help: 'dossier de sortie, créé au besoin' },
    window: {
      type: 'string',
      value: 'LIGNE,COLONNE,CÔTÉ',
      help: 'fenêtre à analyser, en mailles depuis le nord-ouest ; le côté est une puissance de 2',
    },
    scales: {
      type: 'string',
      value: 'DE-À,...',
      help: 'gammes de tailles, en mailles, à ajuster en plus de toutes : 1-16,16-128',
    },
  },
  positionals: {
    label: 'FICHIER',
    help: 'images ODIM HDF5, Rainbow 5, netCDF-4, ou grilles ESRI ASCII en mm/h',
    min: 1,
    max: Number.POSITIVE_INFINITY,
  },
  async run({ values, positionals }) {
    if (!values.out)
      throw new UsageError('il manque --out DOSSIER. radx multifractal --help donne le détail.')
    const series = await readRainSeries(positionals, (done) => progress('lecture', done / positionals.length))
    const notes: string[] = []
    const window = values.window ? parseWindow(values.window, series) : pickWindow(series, notes)
    const ranges = values.scales ? parseScales(values.scales, window.side) : []
    const frames = { ...series, rateMmH: series.frames.map(({ rateMmH }) => rateMmH) }
    const times = series.frames.flatMap(({ timeMs }) => timeMs ?? [])
    if (times.length === 0 && series.frames.length > 1)
      notes.push('Ces fichiers n’ont pas d’heure : ils sont pris dans l’ordre des noms, à pas égaux.')
    const found = analyseEvent(frames, window, {
      ranges,
      ...(times.length > 0 && { even: longestEven(times, usualStep(times)) }),
      onProgress: (share) => progress('analyse', share),
    })
    if (isFlat(found)) throw nothingFound(found)
    notes.push(...notesFr(found))
    const out = resolve(values.out)
    await makeOutFolder(out)
    await writeFile(join(out, 'analysis.json'), `${JSON.stringify(report(series, found, notes), null, 1)}\n`)
    await writeFile(join(out, 'moments.csv'), csvOut(momentsCsv(found, series)))
    await writeFile(join(out, 'kq.csv'), csvOut(kqCsv(found)))
    await writeFile(join(out, 'spectrum.csv'), csvOut(spectrumCsv(found, series)))
    await writeFile(join(out, 'frames.csv'), csvOut(framesCsv(found, series)))
    console.log(summary(found, notes))
    return EXIT.ok
  },
})

function nothingFound({ space: { zeroShare, missingShare } }: EventScaling): RadxError {
  return zeroShare + missingShare === 1
    ? new RadxError(
        'scaling.dry',
        422,
        'il n’a pas plu dans la fenêtre, ou rien n’y est connu : aucun paramètre. Choisissez un autre évènement ou une autre fenêtre (--window).',
      )
    : new RadxError('scaling.flat', 422, scalingNotes.flat)
}

function progress(what: string, share: number): void {
  if (process.stderr.isTTY)
    process.stderr.write(`\r${what} : ${Math.floor(share * 100)} %${share >= 1 ? '\n' : ''}`)
}

function parseWindow(text: string, { nrows, ncols }: RainSeries): AnalysisWindow {
  const [row, col, side, ...rest] = text.split(',').map(Number)
  if (rest.length > 0 || ![row, col, side].every(Number.isInteger))
    throw new UsageError(`--window vaut « ${text} » : donnez LIGNE,COLONNE,CÔTÉ en mailles.`)
  if (side < 4 || Math.log2(side) % 1 !== 0)
    throw new UsageError(`le côté de la fenêtre vaut ${side} : il faut une puissance de 2, 4 au moins.`)
  if (row < 0 || col < 0 || row + side > nrows || col + side > ncols)
    throw new UsageError(`la fenêtre ${text} sort de la grille de ${nrows} lignes et ${ncols} colonnes.`)
  return { row, col, side }
}

function pickWindow(series: RainSeries, notes: string[]): AnalysisWindow {
  const window = chooseWindow({ ...series, rateMmH: series.frames.map(({ rateMmH }) => rateMmH) })
  if (!window)
    throw new RadxError(
      'scaling.noWindow',
      422,
      `aucun carré de 16 mailles ou plus n’est connu et mouillé dans ces images (${series.nrows} x ${series.ncols}) : il n’a pas plu, trop de mailles manquent, ou la grille est trop petite.`,
    )
  if (window.side !== series.nrows || window.side !== series.ncols)
    notes.push(
      `Fenêtre choisie : ${window.side} mailles de côté, depuis la ligne ${window.row} et la colonne ${window.col}, dans une grille de ${series.nrows} x ${series.ncols}.`,
    )
  return window
}

function parseScales(text: string, side: number): [number, number][] {
  return text.split(',').map((part) => {
    const [from, to, ...rest] = part.split('-').map(Number)
    const powers = [from, to].every((n) => n >= 1 && n <= side && Math.log2(n) % 1 === 0)
    if (rest.length > 0 || !powers || to <= from)
      throw new UsageError(
        `--scales contient « ${part} » : donnez deux puissances de 2 croissantes entre 1 et ${side}, comme 1-16.`,
      )
    return [from, to]
  })
}

function report({ frames, cellM }: RainSeries, found: EventScaling, notes: string[]) {
  const iso = (i: number): string | null =>
    frames[i].timeMs === null ? null : new Date(frames[i].timeMs).toISOString()
  return {
    files: frames.map(({ path }) => basename(path)),
    from: iso(0),
    to: iso(frames.length - 1),
    cellM,
    window: found.window,
    space: found.space,
    wet: found.wet,
    time: found.time,
    spectrum: found.spectrum && {
      beta: found.spectrum.beta,
      r2: found.spectrum.r2,
      h: found.spectrum.h,
      wavenumber: found.spectrum.wavenumber,
      power: found.spectrum.power,
    },
    frames: found.frames.map(({ index, ...frame }) => ({
      file: basename(frames[index].path),
      time: iso(index),
      ...frame,
    })),
    notes,
  }
}

type Row = (string | number | null)[]

const csv = (head: string[], rows: Row[]): string => csvText([head, ...rows])

function each(found: EventScaling): [string, ScalingOf][] {
  return (['space', 'wet', 'time'] as const).flatMap((name) => {
    const part = found[name]
    return part ? [[name, part] as [string, ScalingOf]] : []
  })
}

function momentsCsv(found: EventScaling, { cellM }: RainSeries): string {
  const rows = each(found).flatMap(([name, { points }]) =>
    (points?.cells ?? []).flatMap((cells, i) =>
      points!.q.map(
        (q, j): Row => [
          name,
          cells,
          name === 'time' || cellM === null ? null : cells * cellM,
          q,
          points!.moments[i][j],
        ],
      ),
    ),
  )
  return csv(['part', 'cells', 'scale_m', 'q', 'moment'], rows)
}

function kqCsv(found: EventScaling): string {
  const rows = each(found).flatMap(([name, { fits }]) =>
    fits.flatMap(({ fromCells, toCells, tm, dtm }) => [
      ...(tm?.k ?? []).map(({ q, k, r2 }): Row => [name, fromCells, toCells, 'tm', q, 1, k, r2]),
      ...(dtm?.k ?? []).map(({ eta, k, r2 }): Row => [name, fromCells, toCells, 'dtm', dtm!.q, eta, k, r2]),
    ]),
  )
  return csv(['part', 'from_cells', 'to_cells', 'method', 'q', 'eta', 'k', 'r2'], rows)
}

function spectrumCsv({ spectrum }: EventScaling, { cellM }: RainSeries): string {
  const rows = (spectrum?.wavenumber ?? []).map(
    (k, i): Row => [k, cellM === null ? null : (spectrum!.side * cellM) / k, spectrum!.power[i]],
  )
  return csv(['wavenumber', 'wavelength_m', 'power'], rows)
}

function framesCsv({ frames }: EventScaling, series: RainSeries): string {
  return csv(
    ['file', 'time', 'zero_share', 'missing_share', 'mean_mm_h', 'tm_alpha', 'tm_c1', 'dtm_alpha', 'dtm_c1'],
    frames.map(({ index, zeroShare, missingShare, meanMmH, tm, dtm }) => {
      const { path, timeMs } = series.frames[index]
      return [
        basename(path),
        timeMs === null ? null : new Date(timeMs).toISOString(),
        zeroShare,
        missingShare,
        Number.isFinite(meanMmH) ? meanMmH : null,
        tm?.alpha ?? null,
        tm?.c1 ?? null,
        dtm?.alpha ?? null,
        dtm?.c1 ?? null,
      ]
    }),
  )
}

const NAMES: Record<string, string> = { space: 'espace', wet: 'carrés mouillés', time: 'temps' }

function summary(found: EventScaling, notes: string[]): string {
  const number = (value: number | undefined): string =>
    value === undefined
      ? '–'
      : value.toLocaleString('fr-FR', { minimumFractionDigits: 3, maximumFractionDigits: 3 })
  const lines = each(found).flatMap(([name, { fits, samples }]) =>
    fits.map(
      ({ fromCells, toCells, tm, dtm }) =>
        `${NAMES[name]}, ${samples} échantillon${samples > 1 ? 's' : ''}, échelles ${fromCells} à ${toCells} : ` +
        `TM alpha ${number(tm?.alpha)}, C1 ${number(tm?.c1)}, r² ${number(tm?.r2)} ; ` +
        `DTM alpha ${number(dtm?.alpha)}, C1 ${number(dtm?.c1)}`,
    ),
  )
  const { spectrum } = found
  if (spectrum)
    lines.push(
      `spectre : bêta ${number(spectrum.beta)}, r² ${number(spectrum.r2)}, H ${number(spectrum.h ?? undefined)}`,
    )
  return [...lines, ...notes].join('\n')
}
