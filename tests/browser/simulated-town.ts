import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { LoginAnswer } from '@radx/contracts/accounts'
import type { LuseConfig, LuseData, LuseFile } from '@radx/contracts/simulation'
import {
  formDataOf,
  runFields,
  virtualRainFields,
} from '../../apps/server/src/simulation/testing/run-form.ts'
import {
  SMALL_CATCHMENT,
  writeSmallCatchment,
} from '../../apps/server/src/simulation/testing/small-catchment.ts'
import { type RadxServer, startRadx } from './radx-server.ts'

const SITE = resolve(import.meta.dirname, '../../site')

export interface RunWish {
  title: string
  drainage: boolean
  /** Peak of a rain of half an hour, mm/h. */
  iMax: number
  /** Painted cells, as swale. */
  swale?: { i: number; j: number }[]
}

export interface SimulatedTown {
  url: string
  session: LoginAnswer
  /** Ids of the runs, in the order of the wishes. */
  runs: string[]
  get: <T>(path: string) => Promise<T>
  /** An output file of a run, on the server's disk. */
  file: (run: string, name: string) => string
  stop: () => Promise<void>
}

/** A hollow of 12 x 8 cells beside the Seine at Melun, whose middle is the cell of row 5 and column 8. */
function hollow(): Record<string, string> {
  const grid = (text: string) =>
    text.replace('xllcorner 1000', 'xllcorner 674000').replace('yllcorner 2000', 'yllcorner 6827000')
  const header = SMALL_CATCHMENT['elevation.asc'].split('\n').slice(0, 6)
  const rows = Array.from({ length: 8 }, (_, row) =>
    Array.from({ length: 12 }, (_, col) =>
      row === 0 && col === 0 ? -9999 : (30 + 0.02 * ((row - 4) ** 2 + (col - 7) ** 2)).toFixed(2),
    ).join(' '),
  )
  return {
    'catchment.json': JSON.stringify({
      ...JSON.parse(SMALL_CATCHMENT['catchment.json']),
      id: 'melun',
      display: 'Melun',
      xll: 674_000,
      yll: 6_827_000,
      caseStudies: [{ id: 'eogn', display: 'EOGN', mask: 'mask-place.asc' }],
    }),
    'elevation.asc': grid([...header, ...rows, ''].join('\n')),
    'luse.asc': grid(SMALL_CATCHMENT['luse.asc']),
    // Along row 5, through the deepest cell.
    'streets.geojson': JSON.stringify({
      type: 'FeatureCollection',
      features: [
        {
          type: 'Feature',
          properties: { name: 'Rue du Creux' },
          geometry: {
            type: 'LineString',
            coordinates: [
              [674_005, 6_827_035],
              [674_115, 6_827_035],
            ],
          },
        },
      ],
    }),
    'mask-place.asc': grid(SMALL_CATCHMENT['mask-place.asc']),
    'network.inp': SMALL_CATCHMENT['network.inp'].replace(
      /^(J-1|J-2|OUT-1) (1\d{3}) 2035$/gm,
      (_, name, x) => `${name} ${Number(x) + 673_000} 6827035`,
    ),
  }
}

/** The product with a small town and finished runs on it; its maps have no background from afar. */
export async function startSimulatedTown(wishes: readonly RunWish[]): Promise<SimulatedTown> {
  const dataDir = mkdtempSync(join(tmpdir(), 'radx-town-'))
  const packageDir = join(dataDir, 'package')
  mkdirSync(packageDir)
  writeSmallCatchment(packageDir, hollow())
  const siteDir = join(dataDir, 'site')
  cpSync(SITE, siteDir, { recursive: true })
  const site = JSON.parse(readFileSync(join(siteDir, 'site.json'), 'utf8'))
  writeFileSync(join(siteDir, 'site.json'), JSON.stringify({ ...site, tiles: { kind: 'none' } }))
  const radx: RadxServer = await startRadx({ DATA_DIR: dataDir, SITE_DIR: siteDir })
  await radx.radx('catchment', 'import', packageDir)
  const session = await radx.signIn('anne', await radx.addAccount('anne'))
  const headers = { authorization: `Bearer ${session.token}` }
  const get = async <T>(path: string) => (await (await fetch(radx.url + path, { headers })).json()) as T
  const [{ _id: luseId }] = await get<LuseFile[]>('/api/multihydro/files?c=melun&n=luse.asc')
  const { codes = [] } = await get<LuseData>(`/api/multihydro/file/${luseId}/dataJson?allCodes=true`)
  const runs = await Promise.all(
    wishes.map(async (wish) => {
      const response = await fetch(`${radx.url}/api/job/multihydro`, {
        method: 'POST',
        headers,
        body: form(wish, luseId, codes),
      })
      if (!response.ok) throw new Error(await response.text())
      return ((await response.json()) as { jobId: string }).jobId
    }),
  )
  for (const run of runs) await finished(run, get)
  return {
    url: radx.url,
    session,
    runs,
    get,
    file: (run, name) => join(dataDir, 'jobs', run, 'out', name),
    stop: async () => {
      await radx.stop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}

const SWALE_CODE = 7

function form(
  { title, drainage, iMax, swale = [] }: RunWish,
  luseId: string,
  codes: readonly LuseConfig[],
): FormData {
  const used = codes.filter(({ isSelected }) => isSelected)
  const added = codes.filter(({ id }) => id === 'noue').map((code) => ({ ...code, code: SWALE_CODE }))
  return formDataOf({
    ...runFields({ catchmentId: 'melun', luseId, codes }),
    ...virtualRainFields({ d: 30, t: 10, iMax, calmAfter: 15 }),
    title,
    drainageModule: String(drainage),
    luseUpdates: JSON.stringify(swale.map((cell) => ({ ...cell, value: SWALE_CODE }))),
    luseConfigs: JSON.stringify(
      swale.length === 0 ? used : [...used, ...added.map((code) => ({ ...code, isSelected: true }))],
    ),
  })
}

async function finished(id: string, get: SimulatedTown['get']): Promise<void> {
  for (;;) {
    const { status, error } = await get<{ status: string; error: string | null }>(`/api/job/${id}`)
    if (status === 'done') return
    if (status === 'error') throw new Error(error ?? 'the run failed')
    await new Promise((go) => setTimeout(go, 100))
  }
}
