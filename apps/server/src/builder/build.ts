import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Recipe } from '@radx/contracts/recipe'
import type { SewerNetwork } from '@radx/contracts/sewer'
import { projectionOf, readCatchmentPackage } from '../simulation/api.ts'
import type { Context } from './context.ts'
import { Findings } from './findings.ts'
import { landUseOf, trimLandUse, waterOf } from './ground/land-use.ts'
import { gulliesOf, gulliesText, tellReach } from './gullies.ts'
import { readOutline } from './outline.ts'
import { checkPlace, gridFiles, putInPlace, writeAside } from './package-files.ts'
import { type Files, passOn } from './passed.ts'
import { type Report, reportJson, reportText } from './report.ts'
import { feetAgainstMetres, tellNetwork } from './sewer/checks.ts'
import { networkFromLayers } from './sewer/from-layers.ts'
import { notOnGrid, placedInp, readNetwork } from './sewer/placed-inp.ts'
import { crsOf } from './sources/crs.ts'
import { RecipeFolder } from './sources/files.ts'
import { openTerrain, terrainOf, treatPits } from './terrain/terrain.ts'

export interface BuildOptions {
  /** Where the recipe's paths begin. */
  folder: string
  /** Folder that the recipe's paths may not leave; without one they may lie anywhere. */
  root?: string
  /** Folder of the package; null to say only what is wrong. */
  out: string | null
  replace?: boolean
  /** French, of the step under way. */
  progress?: (text: string) => void
  /** Waited for between two steps; what it throws ends the build. */
  between?: () => Promise<void>
  /** Told of the folder that a package is written into before it has its name, and null once it has. */
  aside?: (dir: string | null) => void
  /** ms, for the durations of the report. */
  now?: () => number
}

/**
 * Makes a catchment package from a recipe. It is written whole or not at all: into a folder of its own first, which is checked
 * as every import is and then gets its name.
 * @throws BuildRefused, CatchmentPackageError with all that is wrong; RadxError `builder.out` where it cannot be written
 */
export async function buildCatchment(recipe: Recipe, options: BuildOptions): Promise<Report> {
  const { out, progress = () => undefined, now = () => performance.now() } = options
  if (out !== null) await checkPlace(out, options.replace === true)
  const findings = new Findings(progress)
  const clock = new Steps(now)
  const folder = new RecipeFolder(options.folder, options)
  const outline = await findings.attempt(() => {
    // A catchment's system is one of those that its maps can be placed in.
    projectionOf(recipe.crs)
    return readOutline({ recipe, folder, findings, crs: crsOf(recipe.crs) })
  })
  if (outline === null) findings.assertSound()
  const { context, polygons } = outline!
  clock.end('outline')
  await options.between?.()
  const files: Files = new Map()
  const made = await groundAndSewer(context, files, clock, options.between)
  await options.between?.()
  await passOn(context, files)
  findings.assertSound()
  const { z, codes } = made!
  for (const [name, text] of gridFiles(context, z, codes, polygons)) files.set(name, text)
  clock.end('passed')
  progress('vérification du bassin versant')
  const dir = await writeAside(out ?? join(tmpdir(), `radx-${recipe.id}`), files)
  options.aside?.(dir)
  try {
    const { warnings } = await readCatchmentPackage(dir, out ?? recipe.id)
    clock.end('check')
    const report: Report = {
      id: recipe.id,
      display: recipe.display,
      findings: findings.told,
      warnings,
      seconds: clock.seconds,
    }
    if (out === null) return report
    await writeFile(join(dir, 'report.json'), reportJson(report, recipe))
    await writeFile(join(dir, 'report.md'), reportText(report))
    await putInPlace(dir, out)
    return report
  } finally {
    await rm(dir, { recursive: true, force: true })
    options.aside?.(null)
  }
}

class Steps {
  readonly seconds: Record<string, number> = {}
  private readonly now: () => number
  private last: number

  constructor(now: () => number) {
    this.now = now
    this.last = now()
  }

  end(step: string): void {
    const at = this.now()
    this.seconds[step] = Math.round(at - this.last) / 1000
    this.last = at
  }
}

/** Terrain, land use, sewer and gullies; null where something that others need is wrong. */
async function groundAndSewer(
  context: Context,
  files: Files,
  clock: Steps,
  between: () => Promise<void> = async () => undefined,
): Promise<{ z: Float64Array; codes: Int16Array } | null> {
  const { findings } = context
  findings.say('terrain')
  const sheets = await openTerrain(context)
  const complete = findings.problems.length === 0
  const z = await findings
    .attempt(() => (complete ? terrainOf(context, sheets) : null))
    .finally(() => Promise.all(sheets.map(({ raster }) => raster.close())))
  clock.end('terrain')
  await between()
  const landUse = await landUseOf(context)
  const { codes } = landUse
  clock.end('landUse')
  await between()
  if (z === null) {
    // What can be told of the network without ground is told all the same.
    await findings.attempt(() => networkOf(context, new Float64Array(codes.length).fill(Number.NaN), null))
    return null
  }
  trimLandUse(context, landUse, z)
  findings.say('cuvettes')
  treatPits(context, z, waterOf(context, codes))
  clock.end('pits')
  await between()
  findings.say('réseau')
  const network = await findings.attempt(() => networkOf(context, z, files))
  clock.end('sewer')
  findings.say('avaloirs')
  await findings.attempt(async () => {
    if (context.recipe.gullies === undefined || !network) return
    const gullies = await gulliesOf(context, context.recipe.gullies, network, z, codes)
    tellReach(context, gullies, network)
    files.set('gullies.csv', gulliesText(context, gullies))
  })
  clock.end('gullies')
  return { z, codes }
}

/** @returns the network, null without one; its text is put among the files */
export async function networkOf(
  context: Context,
  z: Float64Array,
  files: Files | null,
): Promise<SewerNetwork | null> {
  const { recipe, findings } = context
  const { sewer } = recipe
  if (sewer === undefined) return null
  if ((sewer.inp === undefined) === (sewer.pipes === undefined)) {
    findings.problem('sewer : donnez "inp", ou "pipes" (et "manholes"), l’un des deux.')
    return null
  }
  if (sewer.inp === undefined && files === null) return null
  const name = sewer.inp ?? 'network.inp'
  const text =
    sewer.inp === undefined
      ? await networkFromLayers(context, sewer, z)
      : await placedInp(context, sewer.inp, sewer.crs, sewer.shift)
  const network = readNetwork(text, name)
  const off = notOnGrid(network, context, name, sewer.inp !== undefined && sewer.crs === undefined)
  if (off !== null) findings.problem(off)
  if (off !== null || files === null) return null
  const told = recipe.terrain.unit !== undefined
  const feet = told ? null : feetAgainstMetres(network, context, z)
  if (feet !== null) findings.problem(feet)
  tellNetwork(network, context, z)
  files.set('network.inp', text)
  return network
}
