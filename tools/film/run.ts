import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DEFAULT_LAND_USE } from '@radx/contracts/landuse'
import { demoCatchment } from '@radx/demo/catchment/package'
import { uniformRain } from '@radx/hydrology/rain/rain'
import { createSewer } from '@radx/hydrology/sewer/solver'
import { Simulation } from '@radx/hydrology/simulation'
import { createSurface } from '@radx/hydrology/surface/surface'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import {
  type CatchmentPackage,
  readCatchmentPackage,
} from '../../apps/server/src/simulation/catchment/catchment-package.ts'
import { surfaceParams } from '../../apps/server/src/simulation/land-use/land-use-params.ts'
import { chooseKernel } from '../../apps/server/src/simulation/run/kernel.ts'
import { sewerWasm } from '../../apps/server/src/store/sewer-kernel.ts'
import type { FilmRun } from './film-run.ts'

/** A storm of 45 mm in three quarters of an hour; what it does to the streets can be seen. */
const STORM = { d: 45, t: 20, iMax: 120, calmAfter: 35 }

/** Runs the storm on the demonstration catchment and keeps a picture of every minute. */
export async function filmRun(): Promise<FilmRun> {
  const catchment = await demonstration()
  const { elevation, landUse, network } = catchment
  const ratesMmH = virtualRain('simple', STORM)
  const surface = createSurface(
    {
      nrows: elevation.nrows,
      ncols: elevation.ncols,
      cellSizeM: elevation.cellSize,
      elevationM: elevation.data,
    },
    surfaceParams({
      codes: landUse.data,
      classes: DEFAULT_LAND_USE,
      permanentWaterCode: catchment.catchment.permanentWaterCode,
      soil: true,
    }),
    chooseKernel().choice,
  )
  const sewer = createSewer(network, { coupled: true, wasm: sewerWasm('implicit') })
  const simulation = new Simulation({
    surface,
    rain: uniformRain(ratesMmH, 60),
    sewer: { sewer, coupling: { gullies: catchment.gullies, nodeCells: catchment.nodeCells, takes: true } },
  })
  const cells = elevation.data.length
  const minutes = ratesMmH.length
  const depthMm = new Uint16Array((minutes + 1) * cells)
  const filling = new Uint8Array((minutes + 1) * network.links.length)
  const overflowing = new Uint8Array((minutes + 1) * network.nodes.length)
  const keep = (minute: number) => {
    surface.snapshot('depth').forEach((m, k) => {
      depthMm[minute * cells + k] = Number.isNaN(m) ? 0 : Math.min(65_535, Math.round(m * 1000))
    })
    network.links.forEach((_, k) => {
      const full = sewer.linkFullDepths[k]
      filling[minute * network.links.length + k] =
        full > 0 ? Math.min(255, Math.round((255 * sewer.linkDepths[k]) / full)) : 0
    })
    network.nodes.forEach((node, k) => {
      if (node.kind === 'outfall') return
      overflowing[minute * network.nodes.length + k] =
        sewer.heads[k] >= sewer.groundElevations[k] - 0.02 ? 1 : 0
    })
  }
  const started = performance.now()
  keep(0)
  for (let minute = 1; minute <= minutes; minute++) {
    simulation.advance(minute * 60)
    keep(minute)
  }
  const wallSeconds = (performance.now() - started) / 1000
  const toLocal = (k: number) => {
    const cell = catchment.nodeCells[k]
    return cell < 0 ? null : { row: Math.floor(cell / elevation.ncols), col: cell % elevation.ncols }
  }
  const nodes = network.nodes.map((node, k) => ({
    name: node.name,
    at: toLocal(k),
    invertM: sewer.invertElevations[k],
  }))
  const result: FilmRun = {
    nrows: elevation.nrows,
    ncols: elevation.ncols,
    cellSizeM: elevation.cellSize,
    elevationM: Float32Array.from(elevation.data),
    codes: Int16Array.from(landUse.data, (code) => (Number.isNaN(code) ? -1 : code)),
    minutes,
    ratesMmH,
    depthMm,
    maxDepthM: surface.snapshot('maxDepth'),
    nodes,
    links: network.links.map((link, k) => ({
      from: link.from,
      to: link.to,
      diameterM: sewer.linkFullDepths[k],
    })),
    filling,
    overflowing,
    balance: simulation.balance(),
    wallSeconds,
  }
  surface.dispose()
  return result
}

async function demonstration(): Promise<CatchmentPackage> {
  const dir = await mkdtemp(join(tmpdir(), 'radx-film-'))
  try {
    for (const [name, text] of demoCatchment()) await writeFile(join(dir, name), text)
    return await readCatchmentPackage(dir)
  } finally {
    await rm(dir, { recursive: true, force: true })
  }
}
