import { differencePalette } from '@radx/charts/palettes'
import type { GridPlace } from '@radx/contracts/flood'
import { formatDuration } from '@radx/locale/duration'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useColorScheme } from '../../../app/color-scheme.ts'
import { townTexts } from '../../../texts/town.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import { boundsOfCells } from '../../../town/bounds.ts'
import type { GridPicture } from '../../../town/paint-ground.ts'
import { useWaterFrom } from '../../../town/useWaterFrom.ts'
import { depthCodes, waterPicture } from '../../../town/water-classes.ts'
import { waterLabel } from '../../../town/water-label.ts'
import { runSeconds, type SimulationJob } from '../api.ts'
import { differencePicture } from '../result/depth/paint.ts'
import { runMapQuery } from './api.ts'
import { bandPicture } from './bands.ts'
import { MAP_LAYERS } from './layers.ts'
import { useWorkspace } from './useWorkspace.ts'

/** A change that a map is taken to, cm: less is spread over the town. */
const SEEN_CM = 1

/** What the chosen layer draws and says. */
export function useShown(job: SimulationJob, place: GridPlace | undefined, referenceId: string) {
  const { layer } = useWorkspace()
  const scheme = useColorScheme()
  const { classes: water } = useWaterFrom()
  const seconds = runSeconds(job)
  const of = MAP_LAYERS[layer]
  const depthWanted = layer === 'maximum' || layer === 'ecart'
  const depth = useQuery({ ...runMapQuery(job.id, 'hauteur'), enabled: depthWanted })
  const other = useQuery({
    ...runMapQuery(referenceId, 'hauteur'),
    enabled: layer === 'ecart' && referenceId !== '',
  })
  const map = useQuery({ ...runMapQuery(job.id, of?.map ?? 'hauteur'), enabled: of !== undefined })
  const difference = useMemo(() => {
    if (layer !== 'ecart' || !depth.data || !other.data || depth.data.length !== other.data.length)
      return null
    const before = other.data
    const cm = new Float64Array(before.length)
    for (let k = 0; k < cm.length; k++) cm[k] = 100 * (depth.data[k] - before[k])
    return cm
  }, [layer, depth.data, other.data])
  const spanCm = useMemo(() => (difference ? spanOf(difference) : 1), [difference])
  const waterBands = useMemo(
    () => water.map((one) => ({ color: one.color, label: waterLabel(one) })),
    [water],
  )
  const mapBands = useMemo(() => of?.bands(scheme, seconds) ?? [], [of, scheme, seconds])
  const picture = useMemo((): GridPicture | null => {
    if (!place) return null
    const cells = place.nrows * place.ncols
    if (layer === 'maximum' && depth.data?.length === cells)
      return waterPicture(
        place,
        depth.data.map((m) => 100 * m),
        water,
      )
    if (difference?.length === cells) return differencePicture(place, difference, spanCm)
    if (of && map.data?.length === cells) return bandPicture(place, map.data, mapBands)
    return null
  }, [place, layer, depth.data, water, difference, spanCm, of, map.data, mapBands])
  const change = useMemo(() => {
    if (layer !== 'ecart' || !place) return undefined
    return difference ? boundsOfCells(place, (k) => Math.abs(difference[k]) >= SEEN_CM) : null
  }, [layer, place, difference])
  const bands =
    layer === 'maximum' || layer === 'instant'
      ? waterBands
      : layer === 'ecart'
        ? differenceBands(spanCm)
        : mapBands
  const title =
    layer === 'maximum'
      ? townTexts.maximum(formatDuration(1000 * seconds))
      : texts.legends[layer](formatDuration(1000 * seconds))
  const named = layer === 'maximum' ? 'hauteur' : of?.map
  const codes = useMemo(() => depthCodes(water), [water])
  /** What the layer draws by itself is on its way. */
  const pending = [depth, other, map].some(({ isFetching }) => isFetching) || place === undefined
  return {
    picture,
    bands,
    waterBands,
    title,
    pending,
    water: codes,
    change,
    map: named,
    error: depth.error ?? other.error ?? map.error,
  }
}

const SPAN_CELLS = 200_000

/** Reaches the 99.5th percentile, so that a single cell does not pale the rest, cm. */
function spanOf(cm: Float64Array): number {
  // Of a large grid a part that is spread over it says the same.
  const every = Math.ceil(cm.length / SPAN_CELLS)
  const some = new Float64Array(Math.ceil(cm.length / every))
  for (let k = 0; k < some.length; k++) some[k] = Math.abs(cm[k * every])
  const sizes = some.filter((size) => size >= 0.1).sort()
  return Math.max(1, Math.ceil(sizes[Math.floor(0.995 * (sizes.length - 1))] ?? 1))
}

const differenceBands = (spanCm: number) =>
  [-1, -0.5, 0, 0.5, 1].map((share) => ({
    color: differencePalette(0.5 + share / 2),
    label: texts.differenceBand(share * spanCm),
  }))
