import {
  type BuilderFinding,
  type BuilderPreview,
  type BuilderStep,
  type DraftRecipe,
  draftRecipeSchema,
  LAND_USE_NODATA,
} from '@radx/contracts'
import type { Recipe } from '@radx/contracts/recipe'
import type { SewerNetwork } from '@radx/contracts/sewer'
import proj4 from 'proj4'
import { defaultConfigs, placeOf, projectionOf, townGrid, townOf } from '../../simulation/api.ts'
import { networkOf } from '../build.ts'
import type { Context } from '../context.ts'
import { type Finding, Findings } from '../findings.ts'
import { type Frame, middleOf, type Place } from '../grid.ts'
import { landUseOf, trimLandUse, waterOf } from '../ground/land-use.ts'
import { gulliesOf, type PlacedGully, tellReach } from '../gullies.ts'
import { type Outline, readOutline } from '../outline.ts'
import { crsOf } from '../sources/crs.ts'
import { RecipeFolder } from '../sources/files.ts'
import { openTerrain, terrainOf, treatPits } from '../terrain/terrain.ts'
import { inScreenWords } from './screen-words.ts'

/** Cells that a preview shows; of more it shows every second, third and so on. */
const SHOWN_CELLS = 500_000

/** Steps of the report that belong to a step of the builder. */
const TOLD: Record<BuilderStep, readonly string[]> = {
  outline: ['outline', 'sources'],
  terrain: ['terrain', 'pits', 'sources'],
  landUse: ['landUse', 'sources'],
  sewer: ['sewer', 'sources'],
  gullies: ['gullies', 'sources'],
}

interface Made {
  z: Float64Array | null
  codes: Int16Array | null
  network: SewerNetwork | null
  gullies: readonly PlacedGully[]
}

/** A step of a draft and what it stands on, as far as it can be made. Nothing is written. */
export async function previewStep(
  draft: DraftRecipe,
  dir: string,
  step: BuilderStep,
): Promise<BuilderPreview> {
  const begun = performance.now()
  const findings = new Findings(() => undefined)
  const recipe = completed(draft, step, findings)
  const outline =
    recipe &&
    (await findings.attempt(() => {
      projectionOf(recipe.crs)
      return readOutline({
        recipe,
        folder: new RecipeFolder(dir, { root: dir }),
        findings,
        crs: crsOf(recipe.crs),
      })
    }))
  const made =
    outline && step !== 'outline'
      ? await makeStep(outline.context, step, draft)
      : { z: null, codes: null, network: null, gullies: [] }
  return {
    problems: findings.problems.map(inScreenWords),
    ...(outline ? shown(outline, made, findings.told, step) : NOTHING),
    seconds: Math.round(performance.now() - begun) / 1000,
  }
}

const NOTHING = {
  findings: [],
  grid: null,
  outline: [],
  town: null,
  cells: null,
  network: null,
  gullies: [],
}

/** A draft with what it lacks filled in, as far as the step does not need it; null where it does, which is told. */
function completed(draft: DraftRecipe, step: BuilderStep, findings: Findings): Recipe | null {
  const {
    id = 'apercu',
    display = 'Aperçu',
    crs,
    cellSize,
    outline,
    ...rest
  } = draftRecipeSchema.parse(draft)
  if (crs === undefined || cellSize === undefined || outline === undefined) {
    findings.problem('Le contour manque : tracez-le ou choisissez une couche à l’étape « Contour ».')
    return null
  }
  if (rest.terrain === undefined && step !== 'outline' && step !== 'landUse') {
    findings.problem('Le terrain manque : choisissez ses fichiers à l’étape « Terrain ».')
    return null
  }
  // Without a terrain none of its steps is made.
  return { ...rest, id, display, crs, cellSize, outline } as Recipe
}

async function makeStep(context: Context, step: BuilderStep, draft: DraftRecipe): Promise<Made> {
  const { recipe, findings, outside } = context
  const landIsAsked = step === 'landUse' || step === 'gullies'
  // What land use has to say belongs to its own step; open water matters to the terrain all the same.
  const land = await landUseOf(landIsAsked ? context : aside(context))
  const none = { codes: land.codes, network: null, gullies: [] }
  const flat = () => {
    const z = Float64Array.from(outside, (out) => (out === 1 ? Number.NaN : 0))
    trimLandUse(context, land, z)
    return { ...none, z }
  }
  if (draft.terrain === undefined) return flat()
  const ground = step === 'landUse' ? aside(context) : context
  const sheets = await openTerrain(ground)
  const complete = sheets.length === recipe.terrain.files.length
  const z = await ground.findings
    .attempt(() => (complete ? terrainOf(ground, sheets) : null))
    .finally(() => Promise.all(sheets.map(({ raster }) => raster.close())))
  if (z === null) return step === 'landUse' ? flat() : { ...none, z: null }
  trimLandUse(context, land, z)
  treatPits(context, z, waterOf(context, land.codes))
  if (step === 'terrain' || step === 'landUse') return { ...none, z }
  const network = await findings.attempt(() => networkOf(context, z, new Map()))
  const gullies =
    step === 'gullies' && recipe.gullies !== undefined && network
      ? await findings.attempt(async () => {
          const placed = await gulliesOf(context, recipe.gullies!, network, z, land.codes)
          tellReach(context, placed, network)
          return placed
        })
      : []
  return { z, codes: land.codes, network, gullies: gullies ?? [] }
}

/** The same, with what is found left untold. */
const aside = (context: Context): Context => ({ ...context, findings: new Findings(() => undefined) })

function shown(
  { context, polygons }: Outline,
  { z, codes, network, gullies }: Made,
  told: readonly Finding[],
  step: BuilderStep,
): Omit<BuilderPreview, 'problems' | 'seconds'> {
  const { recipe, frame, outside } = context
  const { forward } = proj4(projectionOf(recipe.crs), 'WGS84')
  const degrees = ([x, y]: Place): [number, number] => {
    const [lng, lat] = forward([x, y])
    return [Number(lng.toFixed(7)), Number(lat.toFixed(7))]
  }
  const place = placeOf(frame, recipe.crs)
  const { sw, se, ne, nw } = place.corners
  return {
    findings: told.filter((one) => TOLD[step].includes(one.step)).map((one) => placed(one, degrees)),
    grid: {
      place,
      cells: frame.ncols * frame.nrows,
      inside: outside.reduce((count, value) => count + 1 - value, 0),
    },
    outline:
      polygons === null
        ? [[sw, se, ne, nw, sw]]
        : polygons.flatMap((rings) => rings.map((ring) => ring.map(degrees))),
    ...(z === null || codes === null ? { town: null, cells: null } : pictureOf(context, z, codes)),
    network: network && drawn(network, degrees),
    gullies: gullies.map(({ name, junction, cell }) => ({
      name,
      junction,
      at: degrees(middleOf(frame, cell)),
    })),
  }
}

function placed(
  { step, kind, text, places = [] }: Finding,
  degrees: (at: Place) => [number, number],
): BuilderFinding {
  return {
    step,
    kind,
    text: inScreenWords(text),
    places: places.map(({ x, y, text: what }) => {
      const [lng, lat] = degrees([x, y])
      return { x, y, lng, lat, text: what }
    }),
  }
}

function pictureOf({ frame, recipe }: Context, z: Float64Array, codes: Int16Array) {
  const step = Math.max(1, Math.ceil(Math.sqrt((frame.ncols * frame.nrows) / SHOWN_CELLS)))
  const coarse: Frame = {
    ...frame,
    ncols: Math.max(1, Math.floor(frame.ncols / step)),
    nrows: Math.max(1, Math.floor(frame.nrows / step)),
    cellSize: frame.cellSize * step,
  }
  const cells = coarse.ncols * coarse.nrows
  const data = new Float64Array(cells)
  const land = new Int16Array(cells)
  const middle = Math.floor(step / 2)
  for (let row = 0; row < coarse.nrows; row++)
    for (let col = 0; col < coarse.ncols; col++) {
      // Both grids have their corner in the south-west.
      const fine = frame.nrows - 1 - ((coarse.nrows - 1 - row) * step + middle)
      const from = Math.min(frame.nrows - 1, Math.max(0, fine)) * frame.ncols + col * step + middle
      data[row * coarse.ncols + col] = z[from]
      land[row * coarse.ncols + col] = Number.isNaN(z[from]) ? LAND_USE_NODATA : codes[from]
    }
  const source = {
    catchment: {
      crs: recipe.crs,
      permanentWaterCode: recipe.landUse.permanentWaterCode,
      attribution: recipe.attribution,
    },
    elevation: { ...coarse, noData: LAND_USE_NODATA, data },
  }
  const painted = { codes: land, configs: defaultConfigs(recipe.landUse.permanentWaterCode) }
  return {
    town: townOf(source, painted.configs),
    cells: Buffer.from(townGrid(source, painted)).toString('base64'),
  }
}

function drawn(
  { nodes, links }: SewerNetwork,
  degrees: (at: Place) => [number, number],
): BuilderPreview['network'] {
  const at = ({ x, y }: SewerNetwork['nodes'][number]): [number, number] | null =>
    x === undefined || y === undefined ? null : degrees([x, y])
  return {
    nodes: nodes.flatMap((node) => {
      const place = at(node)
      return place ? [{ name: node.name, outfall: node.kind === 'outfall', at: place }] : []
    }),
    links: links.flatMap((link) => {
      const [from, to] = [at(nodes[link.from]), at(nodes[link.to])]
      return from && to
        ? [{ name: link.name, places: [from, ...link.vertices.map(([x, y]) => degrees([x, y])), to] }]
        : []
    }),
  }
}
