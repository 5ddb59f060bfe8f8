import { RADX_VERSION, RadxError, type RunMap } from '@radx/contracts'
import type { CfFloodMap } from '@radx/formats/cf-flood'
import type { EsriGrid } from '@radx/formats/esri-ascii'
import { DURATION_DEPTHS_M } from '@radx/hydrology/surface/hazard'
import { projectionOf } from '../catchment/projection.ts'
import { OutputMissing } from '../errors.ts'
import { readFrameIndex, readFrames } from './depth-frames.ts'
import { MAP_FILES, readRunMap } from './run-maps.ts'

/** Depths of cells at moments that a file is still made of in a reader's time: three hundred moments of 2.6 million cells. */
const MOST_DEPTHS = 800_000_000

const over = (k: number, name: string) => ({
  name,
  thresholdM: DURATION_DEPTHS_M[k],
  attributes: { standard_name: 'flood_water_duration_above_threshold', units: 's' },
})
const largest = (name: string, units: string, standard?: string) => ({
  name,
  attributes: { ...(standard && { standard_name: standard }), units, cell_methods: 'time: maximum' },
})

/** What each map of a run is called, CF's names where it has one. */
const VARIABLES: Partial<Record<RunMap, Omit<CfFloodMap, 'values'>>> = {
  hauteur: largest('max_depth', 'm', 'flood_water_thickness'),
  vitesse: largest('max_speed', 'm s-1', 'flood_water_speed'),
  debit: largest('max_unit_discharge', 'm2 s-1'),
  infiltration: { name: 'infiltration', attributes: { units: 'm' } },
  arrivee: {
    name: 'arrival',
    thresholdM: DURATION_DEPTHS_M[0],
    attributes: { units: 's', comment: 'seconds since the beginning of the run' },
  },
  'duree-5': over(0, 'duration_5cm'),
  'duree-20': over(1, 'duration_20cm'),
  'duree-50': over(2, 'duration_50cm'),
  defra: {
    name: 'hazard_defra',
    classes: ['low', 'danger_for_some', 'danger_for_most', 'danger_for_all'],
    attributes: {},
  },
  ppri: { name: 'hazard_ppri', classes: ['low', 'middling', 'high', 'very_high'], attributes: {} },
}

/** Files of a run that its netCDF holds, beside the depths over time. */
export const NETCDF_MAPS = (Object.keys(VARIABLES) as RunMap[]).map((map) => MAP_FILES[map].file)

class TooManyDepths extends RadxError {
  constructor(frames: number, cells: number) {
    super(
      'simulation.tooManyCells',
      422,
      `${frames} instants de ${cells} mailles dépassent ce qu’un fichier netCDF prend ici (${MOST_DEPTHS} valeurs). Prenez les cartes en GeoTIFF, ou refaites le calcul avec un pas des résultats plus long.`,
    )
  }
}

/** Of whose grid a result is, and what is told of it. */
export interface NetcdfRun {
  elevation: EsriGrid
  crs: string
  /** Beginning of the rain, ms since 1970 UTC; null where nobody knows. */
  startMs: number | null
  attributes: Record<string, string>
}

/**
 * A result folder as one CF-netCDF4. Maps that a run of before never had are left out.
 * @throws OutputMissing, TooManyDepths
 */
export async function runNetcdf(dir: string, run: NetcdfRun): Promise<Uint8Array> {
  const { elevation, crs } = run
  const { nrows, ncols, xll, yll, cellSize } = elevation
  const index = await readFrameIndex(dir)
  const { frames } = index
  if (frames.length * nrows * ncols > MOST_DEPTHS) throw new TooManyDepths(frames.length, nrows * ncols)
  const maps: CfFloodMap[] = []
  for (const [map, about] of Object.entries(VARIABLES) as [RunMap, Omit<CfFloodMap, 'values'>][]) {
    const values = await readRunMap(dir, map).catch((error: unknown) => {
      if (error instanceof OutputMissing && map !== 'hauteur') return null
      throw error
    })
    const attributes = { long_name: MAP_FILES[map].description, ...about.attributes }
    if (values) maps.push({ ...about, attributes, values })
  }
  // The library of HDF5 takes a tenth of a second to load.
  const { writeCfFlood } = await import('@radx/formats/cf-flood')
  return writeCfFlood(
    {
      geometry: {
        proj4: projectionOf(crs),
        left: xll,
        top: yll + nrows * cellSize,
        right: xll + ncols * cellSize,
        bottom: yll,
        ncols,
        nrows,
      },
      crsCode: crs,
      startMs: run.startMs,
      maps,
      timesS: frames.map(({ timeS }) => timeS),
      attributes: { ...run.attributes, source: `RadX ${RADX_VERSION}` },
    },
    (async function* () {
      for (let k = 0; k < frames.length; k++) yield await readFrames(dir, index, k, k + 1)
    })(),
  )
}
