import type { SewerOptions, SewerSection, SewerTransect } from '@radx/contracts'
import type { InpContext } from './context.ts'
import type { InpLine } from './lines.ts'
import { curveAt, type InpTables } from './nodes.ts'

/** What a link has before its line of [XSECTIONS] is read. */
export const NO_SECTION: SewerSection = { shape: '', dims: [0, 0, 0, 0], barrels: 1, culvertCode: 0 }

const SHAPES = [
  'DUMMY',
  'CIRCULAR',
  'FILLED_CIRCULAR',
  'RECT_CLOSED',
  'RECT_OPEN',
  'TRAPEZOIDAL',
  'TRIANGULAR',
  'PARABOLIC',
  'POWER',
  'RECT_TRIANGULAR',
  'RECT_ROUND',
  'MODBASKETHANDLE',
  'HORIZ_ELLIPSE',
  'VERT_ELLIPSE',
  'ARCH',
  'EGG',
  'HORSESHOE',
  'GOTHIC',
  'CATENARY',
  'SEMIELLIPTICAL',
  'BASKETHANDLE',
  'SEMICIRCULAR',
  'IRREGULAR',
  'CUSTOM',
  'FORCE_MAIN',
  'STREET',
] as const

type Shape = (typeof SHAPES)[number]

/** Which of the four figures are lengths; the others are ratios, exponents and codes. */
const LENGTHS: Partial<Record<Shape, number[]>> = {
  FORCE_MAIN: [0],
  TRAPEZOIDAL: [0, 1],
  POWER: [0, 1],
  RECT_OPEN: [0, 1],
  ARCH: [0, 1],
  HORIZ_ELLIPSE: [0, 1],
  VERT_ELLIPSE: [0, 1],
}

/** Figures that must be above 0 besides the first. */
const POSITIVE: Partial<Record<Shape, number[]>> = {
  RECT_CLOSED: [1],
  RECT_OPEN: [1],
  TRIANGULAR: [1],
  PARABOLIC: [1],
  POWER: [1, 2],
  RECT_TRIANGULAR: [1, 2],
  RECT_ROUND: [1],
  MODBASKETHANDLE: [1],
  FORCE_MAIN: [1],
}

const CODED: Shape[] = ['HORIZ_ELLIPSE', 'VERT_ELLIPSE', 'ARCH']
const CODES: Partial<Record<Shape, number>> = { HORIZ_ELLIPSE: 23, VERT_ELLIPSE: 23, ARCH: 102 }

const OPEN: Shape[] = ['RECT_OPEN', 'TRAPEZOIDAL', 'TRIANGULAR', 'PARABOLIC', 'POWER', 'IRREGULAR', 'STREET']

/** Whether water stands under the sky in it. */
export const isOpen = (shape: string) => OPEN.includes(shape as Shape)

export function readSection(
  context: InpContext,
  tables: InpTables,
  line: InpLine,
  options: SewerOptions,
  transects: Map<string, SewerTransect>,
  streets: Map<string, SewerTransect>,
): SewerSection {
  const shape = context.keyword(line, 1, 'la forme', SHAPES)
  if (shape === 'IRREGULAR' || shape === 'STREET') {
    const name = context.word(line, 2, 'un profil')
    const where = shape === 'IRREGULAR' ? 'TRANSECTS' : 'STREETS'
    const transect = (shape === 'IRREGULAR' ? transects : streets).get(name)
    if (!transect)
      throw context.fail(
        line,
        'transect',
        `« ${line.words[0]} » renvoie au profil « ${name} », qui n'existe pas. Ajoutez-le à [${where}].`,
      )
    return { ...NO_SECTION, shape, transect }
  }
  const barrels = context.within(line, 6, 'le nombre de files', 1, 1000, 1)
  const culvert = context.within(line, 7, 'le code de ponceau', 0, 57, 0)
  const { length } = context.units
  if (shape === 'DUMMY') return { ...NO_SECTION, shape, barrels }
  if (shape === 'CUSTOM') {
    const depth = context.within(line, 2, 'la hauteur', 1e-9, 1e5) * length
    const curve = curveAt(context, tables, line, 3, ['SHAPE'])
    if (curve.x[0] < 0 || curve.x.length < 2 || curve.y.some((y) => y < 0))
      throw context.fail(
        curve.line,
        'curve',
        `la courbe « ${curve.name} » ne décrit pas une section. Donnez des hauteurs de 0 à 1 et des largeurs positives.`,
      )
    return {
      ...NO_SECTION,
      shape,
      dims: [depth, 0, 0, 0],
      barrels,
      culvertCode: culvert,
      curve: { name: curve.name, x: curve.x, y: curve.y },
    }
  }
  const dims = [0, 1, 2, 3].map((i) =>
    context.within(line, 2 + i, `la dimension ${i + 1}`, 0, 1e6, i === 0 ? undefined : 0),
  ) as SewerSection['dims']
  // Standard pipes: the size stands third, or alone.
  if (CODED.includes(shape)) {
    if (dims[1] === 0) dims[2] = dims[0]
    if (dims[2] > (CODES[shape] ?? 0))
      throw context.fail(
        line,
        'section',
        `« ${line.words[0]} » : il n'y a pas de taille normalisée ${dims[2]} en ${shape}. Donnez hauteur et largeur.`,
      )
  }
  if (!(dims[0] > 0) || (POSITIVE[shape] ?? []).some((i) => !(dims[i] > 0)))
    throw context.fail(
      line,
      'section',
      `la section de « ${line.words[0]} » a une dimension nulle. Donnez ses dimensions.`,
    )
  if (shape === 'TRAPEZOIDAL' && dims[1] === 0 && dims[2] + dims[3] === 0)
    throw context.fail(
      line,
      'section',
      `la section de « ${line.words[0]} » n'a pas de largeur. Donnez un fond ou des talus.`,
    )
  if (shape === 'FILLED_CIRCULAR' && dims[1] >= dims[0])
    throw context.fail(
      line,
      'section',
      `« ${line.words[0]} » est entièrement comblé. Donnez un dépôt moins haut que le tuyau.`,
    )
  if (shape === 'RECT_OPEN' && dims[2] > 2)
    throw context.fail(
      line,
      'section',
      `« ${line.words[0]} » : un canal a deux parois, ${dims[2]} ne peuvent pas être laissées de côté.`,
    )
  const lengths = LENGTHS[shape] ?? [0, 1, 2, 3]
  for (const i of lengths) dims[i] *= length
  // The height of Darcy-Weisbach roughness is given in inches or millimetres.
  if (shape === 'FORCE_MAIN' && options.forceMainEquation === 'D-W')
    dims[1] *= context.units.us ? 0.0254 : 0.001
  return { ...NO_SECTION, shape, dims, barrels, culvertCode: culvert }
}
