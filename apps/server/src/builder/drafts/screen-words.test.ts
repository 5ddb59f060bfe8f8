import { expect, test } from 'vitest'
import { BuildRefused } from '../findings.ts'
import { inScreenWords, refusedInScreenWords } from './screen-words.ts'

test.each([
  [
    'sols.geojson : 2 polygones se croisent : n° 1. Réparez la couche (QGIS : Réparer les géométries), ou ajoutez "repair": true pour prendre ces polygones par la règle pair-impair.',
    'sols.geojson : 2 polygones se croisent : n° 1. Réparez la couche (QGIS : Réparer les géométries), ou cochez « Prendre les polygones qui se croisent ».',
  ],
  [
    'terrain : ses altitudes sont 3,28 fois les cotes des tampons : il est en pieds. Ajoutez "unit": "ft" au terrain.',
    'terrain : ses altitudes sont 3,28 fois les cotes des tampons : il est en pieds. Choisissez « pieds » comme unité des altitudes à l’étape « Terrain ».',
  ],
  [
    'r.inp : le réseau est hors de la grille : il couvre (0 ; 1). Vérifiez le système de coordonnées du réseau ("crs") et le contour.',
    'r.inp : le réseau est hors de la grille : il couvre (0 ; 1). Vérifiez le système de coordonnées du réseau (« Système de coordonnées ») et le contour.',
  ],
  [
    'landUse : 3 mailles de code 5 sans avaloir, la première en (1 ; 2). Donnez à leur valeur un autre code ("map"), par exemple 2.',
    'sols : 3 mailles de code 5 sans avaloir, la première en (1 ; 2). Donnez à leur valeur un autre code (« Valeurs de la source et codes »), par exemple 2.',
  ],
  ['recette, terrain.files[0] : un texte est attendu.', 'terrain : un texte est attendu.'],
  [
    'mnt.tif n’existe pas. Les chemins de la recette partent de son dossier.',
    'mnt.tif n’existe pas. Déposez ce fichier, ou choisissez-en un autre.',
  ],
  ['terrain.tif : ce GeoTIFF est tronqué.', 'terrain.tif : ce GeoTIFF est tronqué.'],
  ['sewer.pipes : donnez « x ».', 'réseau : donnez « x ».'],
  ['Terrain de 4 fichiers : moyenne de surface.', 'Terrain de 4 fichiers : moyenne de surface.'],
])('%s', (text, told) => {
  expect(inScreenWords(text)).toBe(told)
})

test('a refusal keeps its code, and what is no refusal stays', () => {
  const refused = refusedInScreenWords(new BuildRefused(['outline : donnez "bounds".'])) as BuildRefused
  expect(refused.problems).toEqual(['contour : donnez « Un rectangle ».'])
  const other = new Error('x')
  expect(refusedInScreenWords(other)).toBe(other)
})
