import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EngineTask } from '../run/assemble.ts'
import { StateError } from './errors.ts'
import type { RunIdentity } from './run-state.ts'

type Hashed = string | ArrayBufferView | null | undefined

function sha256(...values: Hashed[]): string {
  const hash = createHash('sha256')
  for (const value of values) {
    const bytes =
      value === null || value === undefined ? null : typeof value === 'string' ? Buffer.from(value) : value
    // Lengths part what stands side by side.
    hash.update(`${bytes === null ? 'none' : bytes.byteLength};`)
    if (bytes) hash.update(bytes as NodeJS.ArrayBufferView)
  }
  return hash.digest('hex')
}

/** What the run of a task computes with, but for its rain and its kernels. */
export function identityOf(task: EngineTask): RunIdentity {
  const { catchment, options, landUseCodes, classes, surfaceOptions } = task
  const { elevation, landUse, network, networkText, gullies, nodeCells, start } = catchment
  const { nrows, ncols, cellSize, xll, yll } = elevation
  const { edges, permanentWaterCode } = catchment.catchment
  return {
    catchment: catchment.catchment.id,
    terrain: sha256(JSON.stringify([nrows, ncols, cellSize, xll, yll]), elevation.data),
    landUse: sha256(Float64Array.from(landUseCodes ?? landUse.data)),
    parameters: sha256(
      JSON.stringify([classes ?? catchment.classes, permanentWaterCode ?? null, edges, surfaceOptions ?? {}]),
    ),
    network: sha256(networkText, JSON.stringify(network)),
    gullies: sha256(JSON.stringify(gullies), nodeCells),
    start: sha256(
      ...[start.depthM, start.eastMS, start.northMS].map((values) => values && Float64Array.from(values)),
      // A state of a package without walls is as it was before there were any.
      JSON.stringify(start.raised ? [start.boundaries, start.raised] : start.boundaries),
    ),
    soil: options.soil,
    drainage: options.drainage,
    soilState: options.soilState ?? 'mean',
  }
}

const SOIL_FR = { dry: 'sec', mean: 'moyen', wet: 'humide' } as const
const onOff = (on: boolean) => (on ? 'activé' : 'désactivé')

/** @throws StateError `state.run` with everything in which a run differs from that of a state */
export function checkIdentity(kept: RunIdentity, own: RunIdentity): void {
  const differs: string[] = []
  if (kept.catchment !== own.catchment)
    differs.push(`le bassin versant (« ${kept.catchment} », et non « ${own.catchment} »)`)
  const digests = [
    ['terrain', 'le relief ou la grille (elevation.asc)'],
    ['landUse', 'l’occupation des sols'],
    ['parameters', 'les paramètres des classes d’occupation des sols ou de la surface'],
    ['network', 'le réseau (network.inp)'],
    ['gullies', 'les avaloirs (gullies.csv)'],
    ['start', 'l’eau de départ ou les limites du modèle'],
  ] as const
  for (const [name, french] of digests) if (kept[name] !== own[name]) differs.push(french)
  for (const [name, french] of [
    ['soil', 'le module sol'],
    ['drainage', 'le module drainage'],
  ] as const)
    if (kept[name] !== own[name]) differs.push(`${french} (${onOff(kept[name])} dans l’état)`)
  if (kept.soilState !== own.soilState)
    differs.push(`l’humidité du sol avant la pluie (${SOIL_FR[kept.soilState]} dans l’état)`)
  if (differs.length > 0)
    throw new StateError(
      'state.run',
      `L’état est celui d’un autre calcul. Ce qui diffère : ${differs.join(' ; ')}. Reprendre ce calcul avec ses propres données, ou refaire l’état.`,
      { differs },
    )
}

/** Compiled kernels by their bytes: others may give other bits. One of them stands for its twin with threads. */
export function kernelsOf(folder: string): string {
  const files = ['surface.wasm', 'full.wasm', 'sewer.wasm'].map((name) => join(folder, name))
  return sha256(...files.map((path) => (existsSync(path) ? readFileSync(path) : null)))
}
