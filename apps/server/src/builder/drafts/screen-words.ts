import { RadxError } from '@radx/contracts/errors'
import { BuildRefused } from '../findings.ts'

/** Sentences that speak of the recipe's file, as who builds on the screen meets the same. */
const SENTENCES: readonly [RegExp, string][] = [
  [
    /ou ajoutez "repair": true pour prendre ces polygones[^.]*\./g,
    'ou cochez « Prendre les polygones qui se croisent ».',
  ],
  [
    /ou ajoutez "southUp": true [^.]*\./g,
    'ou cochez « La première ligne du raster est au sud » s’il est bien rangé ainsi.',
  ],
  [
    /Ajoutez "unit": "ft" au terrain/g,
    'Choisissez « pieds » comme unité des altitudes à l’étape « Terrain »',
  ],
  [/convertissez-les \("unit": "ft"\)/g, 'choisissez « pieds » comme unité des altitudes'],
  [/Ajoutez-les à "map"[^.]*\./g, 'Donnez-leur un code dans la table de la couche.'],
  [
    /Ajoutez "crs" à cette couche de la recette, par exemple "EPSG:2154"/g,
    'Donnez son « Système de coordonnées », par exemple EPSG:2154',
  ],
  [/Dites par "shapes" ce qu’elles sont[^.]*\./g, 'Dites ce qu’elles sont sous « Formes ».'],
  [/"fillHoles" comble ceux d’au plus tant de mailles/g, '« Combler les trous d’au plus » les comble'],
  [
    /Vérifiez "crs" du terrain, celui de la recette/g,
    'Vérifiez le système de coordonnées du terrain, celui du bassin',
  ],
  [
    /Ajoutez des routes à "landUse" de [^,]*, ou d’autres "codes"/g,
    'Ajoutez des routes à l’étape « Sols », ou cochez d’autres codes',
  ],
  [
    / ?Les chemins de la recette partent de son dossier\./g,
    ' Déposez ce fichier, ou choisissez-en un autre.',
  ],
]

/** What a word of the recipe is called on the screen. */
const FIELDS: Record<string, string> = {
  automatic: 'Placés par règle',
  bounds: 'Un rectangle',
  byHand: 'Cuvettes une à une',
  cellSize: 'Taille de maille',
  code: 'Un code pour tout',
  column: 'Colonne de l’occupation',
  crs: 'Système de coordonnées',
  diameter: 'Diamètre par défaut',
  features: 'Dessiner',
  file: 'Fichier ou couche',
  from: 'Regard amont',
  inp: 'Fichier .inp',
  junction: 'Colonne du regard',
  kind: 'Genre',
  layer: 'Fichier ou couche',
  manholes: 'Regards',
  map: 'Valeurs de la source et codes',
  nodata: 'Valeur sans donnée',
  outfallKinds: 'Genres qui sont des exutoires',
  pipes: 'Conduites',
  shift: 'Décalage',
  to: 'Regard aval',
  unit: 'Unité des altitudes',
}

/** Parts of the recipe at the beginning of a message. */
const PARTS: Record<string, string> = {
  boundaries: 'conditions aux limites',
  bridges: 'ponts',
  caseStudies: 'secteurs',
  crs: 'système du bassin',
  footprints: 'bâtiments',
  gullies: 'avaloirs',
  landUse: 'sols',
  outline: 'contour',
  parameters: 'paramètres',
  points: 'points',
  sewer: 'réseau',
  streets: 'rues',
  terrain: 'terrain',
}

/** A message about a recipe in the words of the screen that writes it. */
export function inScreenWords(text: string): string {
  const told = SENTENCES.reduce((all, [sentence, own]) => all.replace(sentence, own), text)
  return partInWords(told)
    .replace(/"(\w+)"/g, (whole, word: string) =>
      Object.hasOwn(FIELDS, word) ? `« ${FIELDS[word]} »` : whole,
    )
    .replace(/ de la recette(?=[\s,.;])/g, ' du bassin')
}

const COLON = ' : '
const RECIPE = 'recette, '

/** The part of the recipe that a message begins with, such as `landUse.layers[0] : `. */
function partInWords(text: string): string {
  const end = text.indexOf(COLON)
  const begin = text.startsWith(RECIPE) ? RECIPE.length : 0
  const [part, inside = ''] = text.slice(begin, Math.max(begin, end)).split('.', 2)
  // A file may be called like a part: what is inside of one is known.
  const isPart = begin > 0 || inside === '' || /^(layers|pipes|manholes)\b/.test(inside)
  return isPart && Object.hasOwn(PARTS, part) ? `${PARTS[part]}${text.slice(end)}` : text
}

/** What a build was refused for, in the words of the screen. */
export function refusedInScreenWords(error: unknown): unknown {
  if (error instanceof BuildRefused) return new BuildRefused(error.problems.map(inScreenWords))
  if (error instanceof RadxError && error.code.startsWith('builder.'))
    return new RadxError(error.code, error.status, inScreenWords(error.message), { cause: error })
  return error
}
