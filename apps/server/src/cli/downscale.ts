import { writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { DOWNSCALE_STEPS, ENSEMBLE_LIMITS } from '@radx/contracts'
import { RadxError } from '@radx/contracts/errors'
import type { GridGeometry } from '@radx/contracts/grid-geometry'
import { writeCfRain } from '@radx/formats/cf-rain'
import { csvText } from '@radx/locale/csv'
import { countFr } from '@radx/locale/format-fr'
import { readNumber } from '@radx/rainfall/storms/delimited'
import type { MultifractalParameters } from '@radx/scaling/cascade'
import { downscale } from '@radx/scaling/downscale'
import { analyseEvent } from '@radx/scaling/event-analysis'
import { resample } from '@radx/scaling/resample'
import { chooseWindow, usualStep } from '@radx/scaling/window'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { csvOut } from './csv-out.ts'
import { makeOutFolder } from './given-paths.ts'
import { type RainSeries, readRainSeries } from './rain-files.ts'

/** Fine cells and times of one member, at most: half a gigabyte. */
const MOST_VALUES = 120_000_000
/** Pictures further apart than this many usual steps have a gap between them. */
const GAP_STEPS = 1.5
const { alpha: ALPHA, alphaFromOne, c1: C1, seed: SEED } = ENSEMBLE_LIMITS

export const command = defineCommand({
  name: 'downscale',
  summary: 'désagrège des images de pluie en membres par une cascade multifractale',
  description: [
    'Chaque maille est partagée en 8 x 8 (de 250 m à 31 m) et chaque image en 4 temps par une cascade universelle continue (« blunt »).',
    'La somme de chaque maille et de chaque image est gardée. Écrit member-01.nc… (netCDF CF, mm/h) et members.csv, avec la graine de chacun.',
    'Sans --alpha ni --c1, ils sont estimés sur les images, aux plus petites échelles (DTM), et dits.',
  ].join('\n'),
  options: {
    out: {
      type: 'string',
      short: 'o',
      value: 'DOSSIER',
      help: 'dossier de sortie, créé au besoin (obligatoire)',
    },
    members: { type: 'string', value: 'N', help: 'nombre de membres (10 par défaut)' },
    seed: {
      type: 'string',
      value: 'N',
      help: 'graine du premier membre (1 par défaut) ; les suivants ajoutent 1',
    },
    alpha: { type: 'string', value: 'A', help: 'indice de multifractalité, de 0,5 à 2, sauf 1' },
    c1: { type: 'string', value: 'C', help: 'codimension de la moyenne, de 0,001 à 0,5' },
    space: { type: 'string', value: 'N', help: 'divisions par 2 des mailles (3 par défaut)' },
    time: {
      type: 'string',
      value: 'N',
      help: 'divisions par 2 du temps, pas plus que de l’espace (2 par défaut)',
    },
    window: {
      type: 'string',
      value: 'LIGNE,COLONNE,LIGNES,COLONNES',
      help: 'partie à désagréger, en mailles depuis le nord-ouest',
    },
    interval: {
      type: 'string',
      value: 'S',
      help: 'secondes entre deux images, si les fichiers n’ont pas d’heure',
    },
    cell: {
      type: 'string',
      value: 'M',
      help: 'côté voulu des mailles écrites, m (moyennes qui gardent les sommes)',
    },
    step: { type: 'string', value: 'S', help: 'pas de temps voulu, s' },
  },
  positionals: {
    label: 'FICHIER',
    help: 'images ODIM HDF5, Rainbow 5, netCDF-4, ou grilles ESRI ASCII en mm/h',
    min: 1,
    max: Number.POSITIVE_INFINITY,
  },
  async run({ values, positionals }) {
    if (!values.out) throw new UsageError('il manque --out DOSSIER. radx downscale --help donne le détail.')
    const members = whole('members', values.members ?? '10', 1, 1000)
    const seed = whole('seed', values.seed ?? '1', SEED.min, SEED.max)
    const spaceSteps = whole('space', values.space ?? String(DOWNSCALE_STEPS.space), 1, 6)
    const timeSteps = whole('time', values.time ?? String(DOWNSCALE_STEPS.time), 0, spaceSteps)
    const series = await readRainSeries(positionals)
    const coarse = cut(series, values.window)
    checkRain(coarse, spaceSteps, timeSteps)
    const times = timesOf(series, values.interval)
    for (const note of times.notes) console.error(`attention : ${note}`)
    const parameters = parametersOf(values, series)
    const target = targetOf(values, coarse, times.stepS, { spaceSteps, timeSteps })
    const out = resolve(values.out)
    await makeOutFolder(out)
    const rows: (string | number)[][] = []
    for (let k = 0; k < members; k++) {
      const fine = downscale(coarse, { ...parameters, spaceSteps, timeSteps, seed: seed + k })
      const name = `member-${String(k + 1).padStart(2, '0')}.nc`
      rows.push([
        name,
        seed + k,
        ...(await writeMember(join(out, name), fine, { coarse, times, target, parameters, seed: seed + k })),
      ])
    }
    const head = ['file', 'seed', 'mean_mm', 'max_mm_h']
    await writeFile(join(out, 'members.csv'), csvOut(csvText([head, ...rows])))
    console.log(
      `${countFr(members, 'membre')} de ${target.nrows} x ${target.ncols} mailles et ${target.times} temps : alpha ${fr(parameters.alpha)}, C1 ${fr(parameters.c1)}, graines ${seed} à ${seed + members - 1}`,
    )
    return EXIT.ok
  },
})

const fr = (value: number): string => value.toLocaleString('fr-FR', { maximumFractionDigits: 4 })

function whole(option: string, text: string, min: number, max: number): number {
  const value = readNumber(text)
  if (!Number.isInteger(value) || value < min || value > max)
    throw new UsageError(`--${option} vaut « ${text} » : donner un nombre entier de ${min} à ${max}.`)
  return value
}

function positive(option: string, text: string): number {
  const value = readNumber(text)
  if (!(value > 0)) throw new UsageError(`--${option} vaut « ${text} » : donner un nombre positif.`)
  return value
}

/** The part that is taken apart. */
interface Coarse {
  nrows: number
  ncols: number
  rateMmH: Float32Array[]
  geometry: GridGeometry | null
  cellM: number | null
}

function cut({ frames, nrows, ncols, geometry, cellM }: RainSeries, text: string | undefined): Coarse {
  if (text === undefined)
    return { nrows, ncols, geometry, cellM, rateMmH: frames.map(({ rateMmH }) => rateMmH) }
  const [row, col, height, width, ...rest] = text.split(',').map(Number)
  if (rest.length > 0 || ![row, col, height, width].every(Number.isInteger) || height < 1 || width < 1)
    throw new UsageError(`--window vaut « ${text} » : donnez LIGNE,COLONNE,LIGNES,COLONNES en mailles.`)
  if (row < 0 || col < 0 || row + height > nrows || col + width > ncols)
    throw new UsageError(`la fenêtre ${text} sort de la grille de ${nrows} lignes et ${ncols} colonnes.`)
  const rateMmH = frames.map(({ rateMmH: rates }) => {
    const part = new Float32Array(height * width)
    for (let r = 0; r < height; r++)
      part.set(rates.subarray((row + r) * ncols + col, (row + r) * ncols + col + width), r * width)
    return part
  })
  return {
    nrows: height,
    ncols: width,
    cellM,
    rateMmH,
    geometry: geometry && partOf(geometry, { row, col, height, width }),
  }
}

function partOf(
  { proj4, left, top, right, bottom, nrows, ncols }: GridGeometry,
  { row, col, height, width }: { row: number; col: number; height: number; width: number },
): GridGeometry {
  const [dx, dy] = [(right - left) / ncols, (top - bottom) / nrows]
  return {
    proj4,
    left: left + col * dx,
    right: left + (col + width) * dx,
    top: top - row * dy,
    bottom: top - (row + height) * dy,
    nrows: height,
    ncols: width,
  }
}

function checkRain({ nrows, ncols, rateMmH }: Coarse, spaceSteps: number, timeSteps: number): void {
  if (!rateMmH.some((rates) => rates.some((rate) => rate > 0)))
    throw new RadxError(
      'scaling.dry',
      422,
      'il n’a pas plu dans ces images, ou rien n’y est connu : il n’y a rien à désagréger.',
    )
  const values = nrows * ncols * 4 ** spaceSteps * rateMmH.length * 2 ** timeSteps
  if (values > MOST_VALUES)
    throw new UsageError(
      `un membre aurait ${Math.round(values / 1e6)} millions de valeurs (${MOST_VALUES / 1e6} au plus) : choisir une partie (--window), moins d’images ou moins de divisions.`,
    )
}

/** When each picture begins to hold, and how long: from its time to the next, the usual step. */
interface Times {
  startMs: number
  dated: boolean
  stepS: number
  notes: string[]
}

function timesOf({ frames }: RainSeries, interval: string | undefined): Times {
  const times = frames.map(({ timeMs }) => timeMs)
  const [first] = times
  if (interval !== undefined || first === null || times.length === 1) {
    if (interval === undefined)
      throw new UsageError(
        `le pas de temps n’est pas connu (${first === null ? 'ces fichiers n’ont pas d’heure' : 'une seule image'}) : donner --interval SECONDES.`,
      )
    return { startMs: first ?? 0, dated: first !== null, stepS: positive('interval', interval), notes: [] }
  }
  const steps = (times as number[]).slice(1).map((ms, k) => (ms - (times as number[])[k]) / 1000)
  const stepS = usualStep(times as number[])
  const gap = steps.findIndex((step) => Math.abs(step - stepS) > (GAP_STEPS - 1) * stepS)
  if (gap >= 0)
    throw new UsageError(
      `${basename(frames[gap].path)} et ${basename(frames[gap + 1].path)} sont à ${fr(steps[gap])} s l’une de l’autre, le pas usuel étant ${fr(stepS)} s : désagréger séparément ce qui précède et ce qui suit la lacune.`,
    )
  return { startMs: first, dated: true, stepS, notes: [] }
}

/** As given, else what the pictures themselves show at their smallest scales. */
function parametersOf(
  { alpha, c1 }: { alpha?: string; c1?: string },
  series: RainSeries,
): MultifractalParameters {
  const given = {
    alpha: alpha === undefined ? null : readNumber(alpha),
    c1: c1 === undefined ? null : readNumber(c1),
  }
  if (given.alpha !== null && !goodAlpha(given.alpha))
    throw new UsageError(
      `--alpha vaut « ${alpha} » : de ${fr(ALPHA.min)} à ${ALPHA.max}, à ${fr(alphaFromOne)} au moins de 1.`,
    )
  if (given.c1 !== null && !goodC1(given.c1))
    throw new UsageError(`--c1 vaut « ${c1} » : de ${fr(C1.min)} à ${fr(C1.max)}.`)
  if (given.alpha !== null && given.c1 !== null) return { alpha: given.alpha, c1: given.c1 }
  const found = estimate(series)
  const parameters = {
    alpha: given.alpha ?? found?.alpha ?? Number.NaN,
    c1: given.c1 ?? found?.c1 ?? Number.NaN,
  }
  if (!goodAlpha(parameters.alpha) || !goodC1(parameters.c1))
    throw new RadxError(
      'scaling.estimate',
      422,
      'ces images ne donnent pas de paramètres utilisables (pluie trop lisse, trop rare, ou fenêtre de moins de 16 mailles) : donner --alpha et --c1.',
    )
  console.error(`estimés de 1 à 8 mailles (DTM) : alpha ${fr(parameters.alpha)}, C1 ${fr(parameters.c1)}`)
  return parameters
}

const goodAlpha = (value: number) =>
  value >= ALPHA.min && value <= ALPHA.max && Math.abs(value - 1) >= alphaFromOne
const goodC1 = (value: number) => value >= C1.min && value <= C1.max

function estimate(series: RainSeries): MultifractalParameters | null {
  const frames = { ...series, rateMmH: series.frames.map(({ rateMmH }) => rateMmH) }
  const window = chooseWindow(frames)
  if (!window) return null
  const { space } = analyseEvent(frames, window, { ranges: [[1, 8]] })
  const fit = space.fits.find(({ fromCells, toCells }) => fromCells === 1 && toCells === 8)
  return fit?.dtm ?? null
}

/** Grid that is written: the fine one, or the nearest to what was asked that covers the same ground and time. */
function targetOf(
  { cell, step }: { cell?: string; step?: string },
  { nrows, ncols, cellM, rateMmH }: Coarse,
  stepS: number,
  { spaceSteps, timeSteps }: { spaceSteps: number; timeSteps: number },
) {
  const ratio = 2 ** spaceSteps
  const times = rateMmH.length * 2 ** timeSteps
  const target = { nrows: nrows * ratio, ncols: ncols * ratio, times }
  if (cell !== undefined) {
    if (cellM === null)
      throw new UsageError('--cell : la taille des mailles de ces fichiers n’est pas connue en mètres.')
    const side = positive('cell', cell)
    target.nrows = Math.max(1, Math.round((nrows * cellM) / side))
    target.ncols = Math.max(1, Math.round((ncols * cellM) / side))
  }
  if (step !== undefined)
    target.times = Math.max(1, Math.round((rateMmH.length * stepS) / positive('step', step)))
  return target
}

interface Member {
  coarse: Coarse
  times: Times
  target: { nrows: number; ncols: number; times: number }
  parameters: MultifractalParameters
  seed: number
}

/** @returns mean depth in mm over what is known, and the largest rate in mm/h */
async function writeMember(
  path: string,
  fine: Float32Array[],
  { coarse, times, target, parameters, seed }: Member,
): Promise<[number, number]> {
  const cells = fine[0].length
  const fineRows = Math.round(Math.sqrt((cells * coarse.nrows) / coarse.ncols))
  const written = resample({ nrows: fineRows, ncols: cells / fineRows, rateMmH: fine }, target)
  const stepS = (coarse.rateMmH.length * times.stepS) / target.times
  let [sum, known, most] = [0, 0, 0]
  for (const grid of written.rateMmH)
    for (const rate of grid) {
      if (Number.isNaN(rate)) continue
      sum += rate
      known++
      if (rate > most) most = rate
    }
  const bytes = await writeCfRain({
    geometry: coarse.geometry && { ...coarse.geometry, nrows: target.nrows, ncols: target.ncols },
    nrows: target.nrows,
    ncols: target.ncols,
    cellM: coarse.cellM === null ? null : (coarse.cellM * coarse.nrows) / target.nrows,
    timesMs: written.rateMmH.map((_, k) => times.startMs + 1000 * k * stepS),
    dated: times.dated,
    stepS,
    rates: written.rateMmH,
    attributes: {
      title: 'Rain downscaled by a universal multifractal cascade',
      source: 'RadX downscale',
      alpha: String(parameters.alpha),
      c1: String(parameters.c1),
      seed: String(seed),
    },
  })
  await writeFile(path, bytes)
  const hours = (coarse.rateMmH.length * times.stepS) / 3600
  return [Number(((sum / known) * hours).toPrecision(7)), Number(most.toPrecision(7))]
}
