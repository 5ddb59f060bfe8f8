import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { joinVolumes } from '@radx/formats/volume/join'
import { readRadarVolumeInWorker } from '@radx/formats/volume/worker'
import { countFr } from '@radx/locale/format-fr'
import { odimComposites, odimName } from '../exports/api.ts'
import type { StoredProduct } from '../store/catalog.ts'
import { soundOriginal } from '../store/file-store.ts'
import type { Span } from '../store/frame-index.ts'
import { openStore, type Store } from '../store/open-store.ts'
import { volumeOriginals } from '../store/volume-parts.ts'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { givenInstant } from './given-instant.ts'
import { makeOutFolder } from './given-paths.ts'
import { withDatabase } from './with-database.ts'

export const command = defineCommand({
  name: 'export',
  summary: 'écrit les images d’une période en fichiers ODIM HDF5',
  description: [
    'Une image par fichier : composite ODIM_H5/V2_4 de RATE en mm/h, avec la qualité de la pluie (groupe quality1, QIND)',
    'pour les images qui en ont une. Avec --volumes, les volumes polaires dont viennent les images sont relus de',
    'l’archive, joints et écrits en PVOL, avec leurs moments.',
  ].join('\n'),
  options: {
    odim: { type: 'boolean', help: 'format des fichiers (obligatoire : c’est le seul)' },
    product: { type: 'string', short: 'p', value: 'NOM', help: 'produit ; par défaut celui du site' },
    from: { type: 'string', value: 'INSTANT', help: 'début, par exemple 2024-06-01T00:00:00Z' },
    to: { type: 'string', value: 'INSTANT', help: 'fin exclue' },
    volumes: { type: 'boolean', help: 'écrit aussi les volumes polaires' },
    out: { type: 'string', short: 'o', value: 'DOSSIER', help: 'dossier de sortie, créé au besoin' },
  },
  async run({ values }) {
    if (!values.odim) throw new UsageError('il manque --odim, le format des fichiers.')
    if (!values.out) throw new UsageError('il manque --out DOSSIER. radx export --help donne le détail.')
    const span = { startMs: givenInstant('from', values.from), endMs: givenInstant('to', values.to) }
    if (span.startMs >= span.endMs) throw new UsageError('--to doit être après --from.')
    const out = resolve(values.out)
    return withDatabase(async ({ config, site, catchments, db }) => {
      const store = await openStore({ db, config, site, catchments })
      try {
        const name = values.product ?? site.defaultProduct
        const product = store.catalog.products.get(name)
        if (!product)
          throw new UsageError(
            `le produit « ${name} » n’existe pas. Produits du site : ${site.products.map((p) => p.shortName).join(', ')}.`,
          )
        await makeOutFolder(out)
        const count = await writeFrames(store, product, span, site.radar, out)
        const volumes = values.volumes ? await writeVolumes(store, product, span, out) : null
        console.log(
          `${countFr(count, 'image')}${volumes === null ? '' : `, ${countFr(volumes, 'volume')}`} : ${out}`,
        )
        if (count > 0) return EXIT.ok
        console.error('l’archive n’a aucune image pour cette période.')
        return EXIT.failed
      } finally {
        await store.threads.close()
      }
    })
  },
})

async function writeFrames(
  { index }: Store,
  product: StoredProduct,
  span: Span,
  radar: { name: string },
  out: string,
): Promise<number> {
  const places = await index.places(product, span)
  const known = await index.qualityPlaces(product, span)
  const dry = new Uint16Array(product.steps ** 2)
  const codes = async function* () {
    for await (const frame of index.codes(product, places)) yield frame ?? dry
  }
  const qualities = async function* () {
    for (const { timeMs } of places) {
      const place = known.get(timeMs)
      yield place ? await index.quality(product, place) : null
    }
  }
  const timesMs = places.map(({ timeMs }) => timeMs)
  const frames = { product, radar, timesMs, codes: codes(), qualities: qualities(), factors: null }
  for await (const { name, bytes } of odimComposites(frames)) await writeFile(join(out, name), bytes)
  return places.length
}

/** Volumes of the frames that came of one, from the archived files. */
async function writeVolumes(
  { context, files }: Store,
  product: StoredProduct,
  span: Span,
  out: string,
): Promise<number> {
  const { writeOdimVolume } = await import('@radx/formats/odim/volume-writer')
  let count = 0
  for (const { timeMs, originals } of await volumeOriginals(context.db, product, span)) {
    const paths = await Promise.all(
      originals.map(({ hash, archivePath }) => soundOriginal(files, archivePath, hash)),
    )
    if (paths.includes(null))
      console.error(`volume du ${new Date(timeMs).toISOString()} : un original manque`)
    const found = paths.filter((path) => path !== null)
    if (found.length === 0) continue
    const volumes = await Promise.all(
      found.map(async (path) => readRadarVolumeInWorker(await readFile(path))),
    )
    const name = odimName(`${product.shortName}-pvol`, new Date(timeMs).toISOString())
    await writeFile(join(out, name), await writeOdimVolume(joinVolumes(volumes)))
    count++
  }
  return count
}
