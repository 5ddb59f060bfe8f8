import type { SewerOrifice, SewerOutlet, SewerPump, SewerWeir } from '@radx/contracts'
import type { InpContext } from './context.ts'
import type { InpLine } from './lines.ts'
import { curveAt, type InpTables, scaleTable } from './nodes.ts'
import { NO_SECTION } from './sections.ts'

/** Name and ends of a link; its course is read later. */
export function ends(context: InpContext, line: InpLine) {
  return { name: line.words[0], from: context.node(line, 1), to: context.node(line, 2), vertices: [] }
}

export function readPump(context: InpContext, tables: InpTables, line: InpLine): SewerPump {
  const { length, volume, flowFactor } = context.units
  const named = line.words[3] !== undefined && line.words[3] !== '*'
  const curve = named
    ? curveAt(context, tables, line, 3, ['PUMP1', 'PUMP2', 'PUMP3', 'PUMP4', 'PUMP5'])
    : null
  const type = (curve ? Number(curve.kind.slice(4)) : 0) as SewerPump['type']
  const startDepthM = context.within(line, 5, 'la hauteur de démarrage', 0, 1e5, 0) * length
  const stopDepthM = context.within(line, 6, "la hauteur d'arrêt", 0, 1e5, 0) * length
  if (startDepthM > 0 && startDepthM <= stopDepthM)
    throw context.fail(
      line,
      'pump',
      `la pompe « ${line.words[0]} » s'arrête plus haut qu'elle ne démarre. Inversez ses deux hauteurs.`,
    )
  return {
    kind: 'pump',
    ...ends(context, line),
    type,
    curve: curve ? scaleTable(curve, type === 1 ? volume : length, flowFactor) : null,
    initiallyOn: context.keyword(line, 4, "l'état initial", ['ON', 'OFF'] as const, 'ON') === 'ON',
    startDepthM,
    stopDepthM,
  }
}

export function readOrifice(context: InpContext, line: InpLine): SewerOrifice {
  return {
    kind: 'orifice',
    ...ends(context, line),
    orientation:
      context.keyword(line, 3, "l'orientation", ['SIDE', 'BOTTOM'] as const) === 'SIDE' ? 'side' : 'bottom',
    offsetM: 0,
    dischargeCoefficient: context.within(line, 5, 'le coefficient', 0, 1e3),
    flapGate: context.yesNo(line, 6, 'le clapet', false),
    openCloseS: context.within(line, 7, 'le temps de manœuvre', 0, 1e4, 0) * 3600,
    section: NO_SECTION,
  }
}

const WEIRS = ['TRANSVERSE', 'SIDEFLOW', 'V-NOTCH', 'TRAPEZOIDAL', 'ROADWAY'] as const
const WEIR_FORMS = {
  TRANSVERSE: 'transverse',
  SIDEFLOW: 'sideflow',
  'V-NOTCH': 'vnotch',
  TRAPEZOIDAL: 'trapezoidal',
  ROADWAY: 'roadway',
} as const

export function readWeir(context: InpContext, tables: InpTables, line: InpLine): SewerWeir {
  const { length } = context.units
  // ft^0.5/s to m^0.5/s; metric files give metric coefficients.
  const toSi = Math.sqrt(length)
  const form = WEIR_FORMS[context.keyword(line, 3, 'le type de déversoir', WEIRS)]
  const hasCurve = line.words[12] !== undefined && line.words[12] !== '*'
  const surface = line.words[11]?.toUpperCase()
  return {
    kind: 'weir',
    ...ends(context, line),
    form,
    offsetM: 0,
    coefficient: context.within(line, 5, 'le coefficient', 0, 1e3) * toSi,
    flapGate: context.yesNo(line, 6, 'le clapet', false),
    endContractions: context.within(line, 7, 'les contractions', 0, 1e3, 0),
    endCoefficient: context.within(line, 8, 'le coefficient des bords', 0, 1e3, 0) * toSi,
    canSurcharge: context.yesNo(line, 9, 'la mise en charge', true),
    roadWidthM: context.within(line, 10, 'la largeur de chaussée', 0, 1e4, 0) * length,
    roadSurface: surface === 'PAVED' ? 'paved' : surface === 'GRAVEL' ? 'gravel' : null,
    coefficientCurve: hasCurve
      ? scaleTable(curveAt(context, tables, line, 12, ['WEIR']), length, toSi)
      : null,
    section: NO_SECTION,
  }
}

export function readOutlet(context: InpContext, tables: InpTables, line: InpLine): SewerOutlet {
  const { length, flowFactor } = context.units
  const kind = context.keyword(line, 4, "la loi de l'ouvrage", ['TABULAR', 'FUNCTIONAL'] as const)
  const basis = line.words[4].toUpperCase().endsWith('/HEAD') ? 'head' : 'depth'
  if (kind === 'TABULAR')
    return {
      kind: 'outlet',
      ...ends(context, line),
      offsetM: 0,
      rating: {
        type: 'tabular',
        table: scaleTable(curveAt(context, tables, line, 5, ['RATING']), length, flowFactor),
      },
      basis,
      flapGate: context.yesNo(line, 6, 'le clapet', false),
    }
  const exponent = context.within(line, 6, "l'exposant", 0, 100)
  return {
    kind: 'outlet',
    ...ends(context, line),
    offsetM: 0,
    // q = a h^b in the file's units.
    rating: {
      type: 'functional',
      coefficient: (context.within(line, 5, 'le coefficient', 0, 1e12) * flowFactor) / length ** exponent,
      exponent,
    },
    basis,
    flapGate: context.yesNo(line, 7, 'le clapet', false),
  }
}
