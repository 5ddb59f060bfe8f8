import { basename } from 'node:path'
import type { Bounds } from '@radx/contracts'
import { countFr } from '@radx/locale/format-fr'
import { findAccount } from '../accounts/service.ts'
import { byProgram, record } from '../audit/api.ts'
import { deleteShapefile, giveShapefile, listShapefiles } from '../shapefiles/queries.ts'
import { importShapefile } from '../shapefiles/service.ts'
import { commandGroup, defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { table } from './table.ts'
import { readFileOrRefuse } from './user-options.ts'
import { withDatabase } from './with-database.ts'

const DEFAULT_COLOR = '#0b7285'

const add = defineCommand({
  name: 'shapefile add',
  summary: 'ajoute une couche (shapefile en zip ou GeoJSON)',
  description:
    'La couche est ramenée en WGS84 : son système de coordonnées vient du fichier .prj, ou de --epsg.',
  options: {
    name: {
      type: 'string',
      value: 'NOM',
      help: "nom court, tel qu'il figure dans l'adresse (nom du fichier)",
    },
    color: { type: 'string', value: '#RRGGBB', help: `couleur sur la carte (${DEFAULT_COLOR})` },
    title: { type: 'string', value: 'TITRE', help: 'nom long (nom court)' },
    desc: { type: 'string', value: 'TEXTE', help: 'description' },
    epsg: { type: 'string', value: 'CODE', help: 'système de coordonnées, 2154 pour Lambert-93' },
    user: { type: 'string', value: 'COMPTES', help: 'comptes à qui la donner, séparés par des virgules' },
  },
  positionals: { label: 'FICHIER', help: 'archive .zip (.shp, .dbf, .prj) ou .geojson', min: 1, max: 1 },
  run: ({ values, positionals: [path] }) =>
    withDatabase(async ({ db, site }) => {
      const bytes = await readFileOrRefuse(path)
      const name =
        values.name ??
        basename(path)
          .replace(/\.\w+$/, '')
          .toLowerCase()
      if (values.epsg !== undefined && !/^\d{4,5}$/.test(values.epsg))
        throw new UsageError(`--epsg « ${values.epsg} » n'est pas un code EPSG, tel que 2154.`)
      const users = (values.user ?? '').split(',').filter((user) => user.trim() !== '')
      const accounts = await Promise.all(users.map((user) => findAccount(db, user)))
      const layer = await importShapefile(db, bytes, {
        name,
        longName: values.title ?? name,
        description: values.desc ?? '',
        color: (values.color ?? DEFAULT_COLOR).toLowerCase(),
        epsg: values.epsg === undefined ? undefined : Number(values.epsg),
      })
      for (const { id } of accounts) await giveShapefile(db, id, name)
      const details = { layer: 'added', accounts: accounts.map((account) => account.name).join(', ') }
      await record(db, byProgram('command'), { action: 'setting.change', subject: name, details })
      console.log(`Couche « ${name} » ajoutée (${countFr(layer.features.length, 'élément')}).`)
      if (layer.skipped > 0)
        console.error(
          `${countFr(layer.skipped, 'élément sans géométrie a été laissé', 'éléments sans géométrie ont été laissés')} de côté.`,
        )
      if (!site.products.some((product) => overlaps(product.bounds, layer.bounds)))
        console.error(
          'Attention : la couche est hors de la couverture du radar. Vérifier son système de coordonnées.',
        )
      return EXIT.ok
    }),
})

const list = defineCommand({
  name: 'shapefile list',
  summary: 'donne les couches et leurs comptes',
  run: () =>
    withDatabase(async ({ db }) => {
      const rows = (await listShapefiles(db)).map((layer) => [
        layer.name,
        layer.longName,
        layer.color,
        String(layer.features),
        layer.accounts.join(', ') || '–',
      ])
      console.log(table(['NOM', 'TITRE', 'COULEUR', 'ÉLÉMENTS', 'COMPTES'], rows))
      return EXIT.ok
    }),
})

const remove = defineCommand({
  name: 'shapefile remove',
  summary: 'retire une couche, aussi de ses comptes',
  positionals: { label: 'NOM', help: 'nom court de la couche', min: 1, max: 1 },
  run: ({ positionals: [name] }) =>
    withDatabase(async ({ db }) => {
      if (!(await deleteShapefile(db, name)))
        throw new UsageError(`la couche « ${name} » n'existe pas. radx shapefile list donne les couches.`)
      const details = { layer: 'removed' }
      await record(db, byProgram('command'), { action: 'setting.change', subject: name, details })
      console.log(`Couche « ${name} » retirée.`)
      return EXIT.ok
    }),
})

export const command = commandGroup('shapefile', 'gère les couches géographiques des comptes', {
  add,
  list,
  remove,
})

function overlaps(a: Bounds, b: Bounds): boolean {
  return a.ul.lng <= b.lr.lng && b.ul.lng <= a.lr.lng && a.lr.lat <= b.ul.lat && b.lr.lat <= a.ul.lat
}
