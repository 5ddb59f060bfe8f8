import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import { Demo } from '@radx/demo'
import { countFr } from '@radx/locale/format-fr'
import { loadConfig } from '../config/config.ts'
import { loadSite } from '../config/site.ts'
import type { DemoItem, DemoWorkerData } from '../demo/demo.worker.ts'
import { WorkerPool } from '../threads/worker-pool.ts'
import { defineCommand } from './args.ts'
import { EXIT, UsageError } from './command.ts'
import { givenInstant } from './given-instant.ts'

export const command = defineCommand({
  name: 'demo',
  summary: "écrit les fichiers d'instruments de la démonstration d'une période dans un dossier",
  description: 'Les mêmes fichiers à chaque fois : à déposer dans un inbox, ou pour essayer radx ingest.',
  options: {
    from: { type: 'string', value: 'INSTANT', help: 'début de la période, ISO 8601 avec Z' },
    to: { type: 'string', value: 'INSTANT', help: 'fin de la période, exclue' },
    product: { type: 'string', value: 'NOM', help: 'ce seul produit, sans station' },
  },
  positionals: { label: 'DOSSIER', help: 'où écrire', min: 1, max: 1 },
  async run({ values, positionals }) {
    const config = loadConfig()
    const { site } = await loadSite(config.siteDir)
    const [fromMs, toMs] = [givenInstant('from', values.from), givenInstant('to', values.to)]
    if (!(fromMs < toMs)) throw new UsageError('--to doit venir après --from')
    const known = site.products.map(({ shortName }) => shortName)
    if (values.product !== undefined && !known.includes(values.product))
      throw new UsageError(
        `le produit « ${values.product} » n'existe pas. Produits du site : ${known.join(', ')}.`,
      )
    const folder = resolve(positionals[0])
    await mkdir(folder, { recursive: true })
    const items = itemsOf(
      new Demo(site),
      values.product === undefined ? known : [values.product],
      fromMs,
      toMs,
    )
    if (values.product !== undefined)
      items.splice(0, items.length, ...items.filter((i) => i.kind === 'radar'))
    const data: DemoWorkerData = { site, nice: 0 }
    const pool = new WorkerPool(
      new URL('../demo/demo.worker.ts', import.meta.url),
      data,
      Math.max(1, config.workers),
    )
    try {
      await Promise.all(items.map((item) => pool.run({ item, folder })))
    } finally {
      await pool.close()
    }
    console.log(`${countFr(items.length, 'fichier écrit', 'fichiers écrits')} dans ${folder}`)
    return EXIT.ok
  },
})

function itemsOf(demo: Demo, products: string[], fromMs: number, toMs: number): DemoItem[] {
  return [
    ...products.flatMap((product) =>
      demo
        .radarInstants(product, fromMs, toMs)
        .map((instantMs): DemoItem => ({ kind: 'radar', product, instantMs })),
    ),
    ...demo
      .stationStarts(fromMs, toMs)
      .map((startMs): DemoItem => ({ kind: 'station', startMs, lengthMs: 3_600_000 })),
    ...demo
      .gaugeSources()
      .flatMap(({ files }) =>
        demo
          .gaugeStarts(fromMs, toMs)
          .map((startMs): DemoItem => ({ kind: 'gauges', files, startMs, lengthMs: 3_600_000 })),
      ),
    ...demo.microRainRadarStarts(fromMs, toMs).map((startMs): DemoItem => ({ kind: 'mrr', startMs })),
  ]
}
