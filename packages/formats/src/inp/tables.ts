import type { SewerPattern, SewerSeries, SewerTable, SewerTransect } from '@radx/contracts'
import { type InpContext, Named, parseDate, parseTime } from './context.ts'
import type { InpLine } from './lines.ts'

/** A curve in the file's units, with its kind in capitals. */
export interface InpCurve extends SewerTable {
  kind: string
  line: number
  /** Curves of other kinds that bear the same name. */
  others: InpCurve[]
}

const CURVE_KINDS = [
  'STORAGE',
  'SHAPE',
  'DIVERSION',
  'TIDAL',
  'RATING',
  'CONTROL',
  'PUMP1',
  'PUMP2',
  'PUMP3',
  'PUMP4',
  'PUMP5',
  'WEIR',
] as const

/** Curves by name; where one name stands for curves of several kinds, the first one knows the others. */
export function readCurves(context: InpContext): Map<string, InpCurve> {
  const curves = new Named<InpCurve>()
  const latest = new Named<InpCurve>()
  for (const line of context.lines('CURVES')) {
    const name = line.words[0]
    let at = 1
    let curve = latest.get(name)
    if (/^[A-Za-z]/.test(line.words[1] ?? '')) {
      const kind = context.keyword(line, 1, 'le type de courbe', CURVE_KINDS)
      at = 2
      const first = curves.get(name)
      curve = [first, ...(first?.others ?? [])].find((known) => known?.kind === kind)
      if (!curve) {
        curve = { name, kind, line: line.number, others: [], x: [], y: [] }
        if (first) {
          first.others.push(curve)
          context.warn(
            line.number,
            `la courbe « ${name} » existe aussi comme ${first.kind} : chaque ouvrage prend celle de son type.`,
          )
        } else curves.set(name, curve)
      }
      latest.set(curves.get(name)?.name ?? name, curve)
    }
    if (!curve)
      throw context.fail(
        line,
        'curve',
        `la courbe « ${name} » commence sans type. Écrivez STORAGE, PUMP1, etc. après son nom.`,
      )
    addToCurve(context, curve, line, at)
  }
  return curves
}

function addToCurve(context: InpContext, curve: InpCurve, line: InpLine, from: number) {
  const { name } = curve
  if ((line.words.length - from) % 2 !== 0)
    throw context.fail(
      line,
      'curve',
      `la courbe « ${name} » a un nombre impair de valeurs. Écrivez des couples x y.`,
    )
  for (let at = from; at < line.words.length; at += 2) {
    const x = context.number(line, at, 'x')
    if (curve.x.length > 0 && x <= curve.x[curve.x.length - 1])
      throw context.fail(line, 'curve', `les x de la courbe « ${name} » ne croissent pas. Rangez-les.`)
    curve.x.push(x)
    curve.y.push(context.number(line, at + 1, 'y'))
  }
}

/** Reads a file that a time series names; null when it cannot be read. */
export type ReadSide = (name: string) => string | null

/** Series in the file's units; times in seconds after the start of the simulation. */
export function readSeries(context: InpContext, readFile: ReadSide | undefined): Map<string, SewerSeries> {
  const all = new Named<SewerSeries>()
  const dates = new Map<string, number>()
  for (const line of context.lines('TIMESERIES')) {
    const name = line.words[0]
    const series = all.get(name) ?? { name, timesS: [], values: [] }
    all.set(name, series)
    if (line.words[1]?.toUpperCase() === 'FILE') {
      const file = context.word(line, 2, 'un nom de fichier')
      const text = readFile?.(file) ?? null
      if (text === null)
        throw context.fail(
          line,
          'seriesFile',
          `la série « ${name} » est dans le fichier « ${file} », qui n'a pas pu être lu. Placez-le à côté du .inp ou recopiez ses valeurs dans [TIMESERIES].`,
        )
      text.split('\n').forEach((raw, i) => {
        const words = raw
          .split(';')[0]
          .trim()
          .split(/[\s,]+/)
        if (words[0] !== '')
          addPoints(
            context,
            series,
            dates,
            { number: line.number, words: [name, ...words] },
            `${file}, ligne ${i + 1}`,
          )
      })
    } else addPoints(context, series, dates, line, '')
  }
  return all
}

function addPoints(
  context: InpContext,
  series: SewerSeries,
  dates: Map<string, number>,
  line: InpLine,
  where: string,
) {
  const { words } = line
  const what = where ? ` (${where})` : ''
  let at = 1
  while (at < words.length) {
    const date = parseDate(words[at])
    if (!Number.isNaN(date)) {
      dates.set(series.name, date)
      at++
    }
    const time = parseTime(words[at] ?? '')
    const value = Number(words[at + 1] ?? Number.NaN)
    if (Number.isNaN(time) || !Number.isFinite(value))
      throw context.fail(
        line,
        'series',
        `la série « ${series.name} » a un couple heure-valeur illisible${what} : « ${words.slice(at, at + 2).join(' ')} ». Écrivez une heure (décimale ou h:mm) puis un nombre.`,
      )
    const day = dates.get(series.name)
    const seconds = day === undefined ? time : day + time - context.startEpochS
    const last = series.timesS.length - 1
    if (last >= 0 && seconds <= series.timesS[last]) {
      // EPA SWMM stops at a step back; a repeated moment is a jump.
      if (seconds < series.timesS[last])
        throw context.fail(
          line,
          'series',
          `la série « ${series.name} » revient en arrière${what}. Rangez ses heures.`,
        )
      series.values[last] = value
    } else {
      series.timesS.push(seconds)
      series.values.push(value)
    }
    at += 2
  }
}

/** Factors that a whole pattern has. */
const PATTERN_LENGTH: Record<SewerPattern['type'], number> = {
  monthly: 12,
  daily: 7,
  hourly: 24,
  weekend: 24,
}

/** A pattern of another length keeps its factors, with a warning: as in EPA SWMM those that it lacks are 1. */
export function readPatterns(context: InpContext): Map<string, SewerPattern> {
  const patterns = new Named<SewerPattern>()
  const lines = new Named<number>()
  for (const line of context.lines('PATTERNS')) {
    const name = line.words[0]
    let at = 1
    let pattern = patterns.get(name)
    if (!pattern || /^[A-Za-z]/.test(line.words[1] ?? '')) {
      const type = context.keyword(line, 1, 'le type de profil', [
        'MONTHLY',
        'DAILY',
        'HOURLY',
        'WEEKEND',
      ] as const)
      pattern = { name, type: type.toLowerCase() as SewerPattern['type'], factors: pattern?.factors ?? [] }
      patterns.set(name, pattern)
      if (!lines.has(name)) lines.set(name, line.number)
      at = 2
    }
    for (; at < line.words.length; at++) pattern.factors.push(context.number(line, at, 'un facteur'))
  }
  for (const { name, type, factors } of patterns.values()) {
    const whole = PATTERN_LENGTH[type]
    if (factors.length === whole) continue
    const rest = factors.length < whole ? 'les autres valent 1' : 'ceux de trop ne servent pas'
    context.warn(
      lines.get(name) as number,
      `le profil « ${name} » a ${factors.length} facteur(s) au lieu de ${whole} : ${rest}.`,
    )
  }
  return patterns
}

/** HEC-2 lines: NC roughness, X1 head of a transect, GR elevation and station pairs. Metres. */
export function readTransects(context: InpContext): Map<string, SewerTransect> {
  const { length } = context.units
  const transects = new Named<SewerTransect>()
  let n = { left: 0, right: 0, channel: 0 }
  let current: { transect: SewerTransect; stretch: number; lift: number } | null = null
  for (const line of context.lines('TRANSECTS')) {
    const kind = line.words[0].toUpperCase()
    if (kind === 'NC') {
      n = {
        left: context.within(line, 1, 'la rugosité', 0, 10) || n.left,
        right: context.within(line, 2, 'la rugosité', 0, 10) || n.right,
        channel: context.within(line, 3, 'la rugosité', 0, 10) || n.channel,
      }
      n.left ||= n.channel
      n.right ||= n.channel
    } else if (kind === 'X1') {
      const name = context.word(line, 1, 'un nom')
      const factor = context.number(line, 7, 'le rapport des longueurs', 0) || 1
      const stretch = context.number(line, 8, 'le facteur des distances', 0) || 1
      if (!(n.channel > 0))
        throw context.fail(
          line,
          'transect',
          `le profil « ${name} » n'a pas de rugosité. Ajoutez une ligne NC avant lui.`,
        )
      const transect: SewerTransect = {
        name,
        stationsM: [],
        elevationsM: [],
        leftBankM: context.number(line, 3, 'la rive gauche', 0) * stretch * length,
        rightBankM: context.number(line, 4, 'la rive droite', 0) * stretch * length,
        nLeft: n.left,
        nRight: n.right,
        nChannel: n.channel,
        lengthFactor: factor,
      }
      transects.set(name, transect)
      current = {
        transect,
        stretch: stretch * length,
        lift: context.number(line, 9, "l'altitude ajoutée", 0) * length,
      }
    } else if (kind === 'GR') {
      if (!current)
        throw context.fail(line, 'transect', 'une ligne GR sans X1. Nommez le profil par une ligne X1.')
      if (line.words.length % 2 === 0)
        throw context.fail(
          line,
          'transect',
          'un nombre impair de valeurs. Écrivez des couples altitude distance.',
        )
      const { transect, stretch, lift } = current
      for (let i = 1; i < line.words.length; i += 2) {
        const station = context.number(line, i + 1, 'une distance') * stretch
        const last = transect.stationsM[transect.stationsM.length - 1]
        if (last !== undefined && station < last)
          throw context.fail(
            line,
            'transect',
            `les distances du profil « ${transect.name} » décroissent. Rangez-les de gauche à droite.`,
          )
        transect.elevationsM.push(context.number(line, i, 'une altitude') * length + lift)
        transect.stationsM.push(station)
      }
    } else
      throw context.fail(
        line,
        'transect',
        `« ${line.words[0]} » n'est ni NC, ni X1, ni GR. Corrigez la ligne.`,
      )
  }
  for (const transect of transects.values()) {
    const low = Math.min(...transect.elevationsM)
    const high = Math.max(...transect.elevationsM)
    if (!(high > low) || transect.leftBankM > transect.rightBankM)
      throw context.fail(
        context.sections('TRANSECTS')[0].line,
        'transect',
        `le profil « ${transect.name} » n'a pas de profondeur ou ses rives se croisent. Donnez au moins deux points et des rives dans l'ordre.`,
      )
  }
  return transects
}

/**
 * Streets as profiles: backing, kerb, gutter (from its bottom at the kerb up by its depression), crown, and the
 * same mirrored when two-sided. Metres. The slope begins at the gutter's edge, as in EPA SWMM 5.2.
 */
export function readStreets(context: InpContext): Map<string, SewerTransect> {
  const { length } = context.units
  const streets = new Named<SewerTransect>()
  for (const line of context.lines('STREETS')) {
    const name = line.words[0]
    const positive = (at: number, what: string) => context.within(line, at, what, 1e-9, 1e6)
    const crown = positive(1, 'la demi-largeur') * length
    const kerb = positive(2, 'la hauteur de bordure') * length
    const slope = positive(3, 'la pente') / 100
    const n = positive(4, 'la rugosité')
    const depression = context.within(line, 5, 'le caniveau', 0, 1e3, 0) * length
    const gutter = context.within(line, 6, 'la largeur du caniveau', 0, 1e3, 0) * length
    const sides = context.within(line, 7, 'le nombre de côtés', 1, 2, 2)
    const back = context.within(line, 8, "la largeur d'accotement", 0, 1e4, 0) * length
    const backSlope = back > 0 ? positive(9, "la pente d'accotement") / 100 : 0
    const backN = back > 0 ? positive(10, "la rugosité d'accotement") : n
    // The kerb is told from where the street's slope would meet it; the gutter lies lower.
    const rim = kerb + depression
    const half: [number, number][] = [
      [0, rim + back * backSlope],
      [back, rim],
      [back, 0],
      ...(gutter > 0 ? [[back + gutter, depression] as [number, number]] : []),
      [back + crown, depression + (crown - gutter) * slope],
    ]
    const width = back + crown
    const mirrored = half
      .slice(0, -1)
      .reverse()
      .map(([x, z]) => [2 * width - x, z] as [number, number])
    const points = sides === 2 ? [...half, ...mirrored] : half
    const top = Math.max(...points.map((point) => point[1]))
    if (sides === 1 && points[points.length - 1][1] < top) points.push([width, top])
    streets.set(name, {
      name,
      stationsM: points.map((point) => point[0]),
      elevationsM: points.map((point) => point[1]),
      leftBankM: back,
      rightBankM: sides === 2 ? 2 * width - back : width,
      nLeft: backN,
      nRight: backN,
      nChannel: n,
      lengthFactor: 1,
    })
  }
  return streets
}
