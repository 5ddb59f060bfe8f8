import type { RunoffControl, RunoffControlType, RunoffMeasure, RunoffSubcatchment } from '@radx/contracts'
import { type InpContext, Named } from '../context.ts'
import type { InpLine } from '../lines.ts'
import { curveAt, type InpTables } from '../nodes.ts'
import { depthUnit } from './climate.ts'
import { placeOf } from './subcatchments.ts'

const TYPES: Record<string, RunoffControlType> = {
  BC: 'bio-cell',
  RG: 'rain-garden',
  GR: 'green-roof',
  IT: 'trench',
  PP: 'pavement',
  RB: 'barrel',
  VS: 'swale',
  RD: 'roof',
}

/** Longer words first where one begins like another. */
const LAYERS = ['SURFACE', 'SOIL', 'STORAGE', 'PAVEMENT', 'DRAINMAT', 'DRAIN', 'REMOVALS'] as const

/** [LID_CONTROLS]: designs, layer by layer. */
export function readControls(context: InpContext, tables: InpTables) {
  const controls: RunoffControl[] = []
  const index = new Named<number>()
  const begins: InpLine[] = []
  const typed = new Set<number>()
  for (const line of context.lines('LID_CONTROLS')) {
    const name = line.words[0]
    let at = index.get(name)
    if (at === undefined) {
      at = controls.length
      index.set(name, at)
      begins.push(line)
      controls.push(emptyControl(name))
    }
    const word = context.word(line, 1, 'un type ou une couche').toUpperCase()
    const type = TYPES[word]
    if (type) {
      controls[at].type = type
      typed.add(at)
    } else readLayer(context, tables, line, controls[at])
  }
  controls.forEach((control, k) => {
    checkControl(context, begins[k], control, typed.has(k))
  })
  return { controls, index }
}

const emptyControl = (name: string): RunoffControl => ({
  name,
  type: 'bio-cell',
  surface: { depthM: 0, voidShare: 1, n: 0, slope: 0, sideSlope: 0 },
  pavement: {
    depthM: 0,
    voidShare: 0,
    imperviousShare: 0,
    conductivity: 0,
    clogging: 0,
    regenerationDays: 0,
    regenerationShare: 0,
  },
  soil: {
    depthM: 0,
    porosity: 0,
    fieldCapacity: 0,
    wiltingPoint: 0,
    conductivity: 0,
    conductivitySlope: 0,
    suctionM: 0,
  },
  storage: { depthM: 0, voidShare: 1, seepage: 0, clogging: 0 },
  drain: { coefficient: 0, exponent: 0, offsetM: 0, delayS: 0, openM: 0, closeM: 0, curve: null },
  mat: { depthM: 0, voidShare: 1, n: 0 },
})

/** A void ratio as a share of the volume. */
const voids = (ratio: number) => ratio / (1 + ratio)

function readLayer(context: InpContext, tables: InpTables, line: InpLine, control: RunoffControl) {
  const depth = depthUnit(context)
  const { rate } = context.units
  const value = (at: number, what: string, fallback?: number) =>
    context.within(line, at, what, 0, 1e9, fallback)
  switch (context.keyword(line, 1, 'la couche', LAYERS)) {
    case 'SURFACE':
      control.surface = {
        depthM: value(2, 'la hauteur') * depth,
        voidShare: 1 - context.within(line, 3, 'la part de végétation', 0, 0.999, 0),
        n: value(4, 'la rugosité', 0),
        slope: value(5, 'la pente', 0) / 100,
        sideSlope: value(6, 'le talus', 0),
      }
      break
    case 'SOIL':
      control.soil = {
        depthM: value(2, "l'épaisseur") * depth,
        porosity: value(3, 'la porosité'),
        fieldCapacity: value(4, 'la capacité au champ'),
        wiltingPoint: value(5, 'le point de flétrissement'),
        conductivity: value(6, 'la conductivité') * rate,
        conductivitySlope: value(7, 'la pente de conductivité'),
        suctionM: value(8, 'la succion', 0) * depth,
      }
      break
    case 'STORAGE':
      control.storage = {
        depthM: value(2, "l'épaisseur") * depth,
        voidShare: voids(value(3, "l'indice des vides", 0)),
        seepage: value(4, "l'infiltration", 0) * rate,
        clogging: value(5, 'le colmatage', 0),
      }
      break
    case 'PAVEMENT':
      control.pavement = {
        depthM: value(2, "l'épaisseur") * depth,
        voidShare: voids(value(3, "l'indice des vides")),
        imperviousShare: context.within(line, 4, 'la part imperméable', 0, 0.999, 0),
        conductivity: value(5, 'la perméabilité') * rate,
        clogging: value(6, 'le colmatage', 0),
        regenerationDays: value(7, 'les jours entre nettoyages', 0),
        regenerationShare: context.within(line, 8, 'la part regagnée', 0, 1, 0),
      }
      break
    case 'DRAIN':
      readDrain(context, tables, line, control)
      break
    case 'DRAINMAT':
      control.mat = {
        depthM: value(2, "l'épaisseur") * depth,
        voidShare: value(3, 'la part de vides'),
        n: value(4, 'la rugosité', 0),
      }
      break
    default:
  }
}

/** The drain's law in the file's units: rate = coefficient head^exponent, in/h and in or mm/h and mm. */
function readDrain(context: InpContext, tables: InpTables, line: InpLine, control: RunoffControl) {
  const depth = depthUnit(context)
  const value = (at: number, what: string) => context.within(line, at, what, 0, 1e9, 0)
  const exponent = value(3, "l'exposant du drain")
  const head = control.type === 'roof' ? 1 : depth ** exponent
  const curve = line.words[8] && line.words[8] !== '*' ? curveAt(context, tables, line, 8, ['CONTROL']) : null
  control.drain = {
    coefficient: (value(2, 'le coefficient du drain') * context.units.rate) / head,
    exponent,
    offsetM: value(4, 'la hauteur du drain') * depth,
    delayS: value(5, 'le délai du drain') * 3600,
    openM: value(6, "la hauteur d'ouverture") * depth,
    closeM: value(7, 'la hauteur de fermeture') * depth,
    curve: curve && { x: curve.x.map((x) => x * depth), y: curve.y },
  }
}

function checkControl(context: InpContext, line: InpLine, control: RunoffControl, typed: boolean) {
  const { type, soil, pavement, storage, surface, mat, name } = control
  const wrong = (what: string) =>
    context.fail(line, 'lid', `l'ouvrage « ${name} » : ${what} Corrigez [LID_CONTROLS].`)
  if (!typed) throw wrong('son type manque. Écrivez BC, RG, GR, IT, PP, RB, VS ou RD après son nom.')
  if (['bio-cell', 'rain-garden', 'green-roof'].includes(type) && !(soil.depthM > 0))
    throw wrong('il lui faut une couche SOIL.')
  if (type === 'green-roof' && !(mat.depthM > 0)) throw wrong('il lui faut une couche DRAINMAT.')
  if (type === 'pavement' && !(pavement.depthM > 0 && pavement.conductivity > 0 && pavement.voidShare > 0))
    throw wrong('il lui faut une couche PAVEMENT avec épaisseur, vides et perméabilité.')
  if (['trench', 'barrel'].includes(type) && !(storage.depthM > 0))
    throw wrong('il lui faut une couche STORAGE.')
  if (
    soil.depthM > 0 &&
    !(
      soil.porosity > 0 &&
      soil.fieldCapacity < soil.porosity &&
      soil.wiltingPoint < soil.fieldCapacity &&
      soil.conductivity > 0
    )
  )
    throw wrong('flétrissement < capacité au champ < porosité, et une conductivité, sont requis.')
  if (storage.depthM > 0 && !(storage.voidShare > 0) && type !== 'barrel' && type !== 'green-roof')
    throw wrong("l'indice des vides de STORAGE est nul.")
  if (type === 'green-roof' && !(mat.voidShare > 0)) throw wrong('la part de vides de DRAINMAT est nulle.')
  if (type === 'swale' && !(surface.depthM > 0 && surface.n > 0 && surface.slope > 0))
    throw wrong('une noue veut hauteur, rugosité et pente dans SURFACE.')
}

/** [LID_USAGE]: units of measures in subcatchments. */
export function readUsage(
  context: InpContext,
  designs: ReturnType<typeof readControls>,
  subcatchments: RunoffSubcatchment[],
  index: Named<number>,
) {
  const { length } = context.units
  for (const line of context.lines('LID_USAGE')) {
    const one = subcatchments[index.get(line.words[0]) ?? -1]
    if (!one)
      throw context.fail(
        line,
        'subcatchment',
        `[LID_USAGE] place un ouvrage dans « ${line.words[0]} », qui n'est pas un bassin versant. Corrigez le nom.`,
      )
    const control = designs.index.get(context.word(line, 1, 'un ouvrage'))
    if (control === undefined)
      throw context.fail(
        line,
        'lid',
        `« ${line.words[0]} » renvoie à l'ouvrage « ${line.words[1]} », qui n'existe pas. Ajoutez-le à [LID_CONTROLS].`,
      )
    const count = Math.floor(context.within(line, 2, "le nombre d'ouvrages", 0, 1e9))
    if (count === 0) continue
    const share = (at: number, what: string, fallback: number) =>
      context.within(line, at, what, 0, 100, fallback) / 100
    const measure: RunoffMeasure = {
      control,
      count,
      areaM2: context.within(line, 3, 'la surface', 0, 1e12) * length * length,
      widthM: context.within(line, 4, 'la largeur', 0, 1e9, 0) * length,
      initialShare: share(5, 'le remplissage initial', 0),
      fromImpervious: share(6, 'la part imperméable reprise', 0),
      toPervious: context.number(line, 7, 'le retour', 0) > 0,
      drainTo: null,
      fromPervious: share(10, 'la part perméable reprise', 0),
    }
    const drain = line.words[9]
    if (drain && drain !== '*') {
      measure.drainTo = placeOf(context, drain, index)
      if (!measure.drainTo)
        throw context.fail(
          line,
          'outlet',
          `le drain de « ${line.words[1]} » mène à « ${drain} », qui n'est ni un nœud ni un bassin versant. Corrigez le nom.`,
        )
    }
    if (designs.controls[control].type === 'swale' && !(measure.widthM > 0))
      throw context.fail(line, 'lid', `la noue « ${line.words[1]} » n'a pas de largeur. Donnez-la.`)
    one.measures.push(measure)
    const areaM2 = one.measures.reduce((sum, { areaM2: unit, count: units }) => sum + unit * units, 0)
    if (areaM2 > 1.001 * one.areaM2)
      throw context.fail(
        line,
        'lidArea',
        `les ouvrages de « ${one.name} » couvrent ${Math.round((areaM2 / one.areaM2) * 100)} % de sa surface. Réduisez leur nombre ou leur surface.`,
      )
    const taken = (key: 'fromImpervious' | 'fromPervious') =>
      one.measures.reduce((sum, each) => sum + each[key], 0)
    if (taken('fromImpervious') > 1.001 || taken('fromPervious') > 1.001)
      throw context.fail(
        line,
        'lidCapture',
        `les ouvrages de « ${one.name} » reprennent plus que toute l'eau de sa surface. Leurs parts doivent faire au plus 100 %.`,
      )
  }
}
