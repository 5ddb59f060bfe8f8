import { INTENSITY_CLASSES } from '@radx/contracts/constants'
import type { GridPlace } from '@radx/contracts/flood'
import { DEPTH_FRAME_NO_DATA } from '@radx/contracts/flood-constants'
import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import { useClock, watchMoment } from '../../../player/run/clock.ts'
import { formatElapsed } from '../../../player/run/elapsed.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import type { TownGrid } from '../../../town/api.ts'
import { type CodeClass, PALETTE_SIZE } from '../../../town/WaterFrames.ts'
import type { SimulationJob } from '../api.ts'
import { rainFramesQuery } from '../result/depth/api.ts'
import { heldAt } from '../result/timeline/moments.ts'
import { BandLegend } from './Legend.tsx'
import { NowLayer, useFramesLayer } from './NowLayer.tsx'
import classes from './Workspace.module.css'

/** Codes of rain are tenths of mm/h. */
const PER_MM_H = 10
const CLASSES: readonly CodeClass[] = INTENSITY_CLASSES.map(({ lowMmH, color }) => ({
  from: PER_MM_H * lowMmH,
  color,
}))
/** Classes of rain, as legends name them. */
export const RAIN_BANDS = INTENSITY_CLASSES.map(({ color, labelFr }) => ({ color, label: labelFr }))
const MINUTE_S = 60
/** Rain lies over the town, whose streets stay to be seen. */
const OPACITY = 0.65

/** Virtual rain falls on all cells alike. */
export const isUniform = ({ input }: SimulationJob): boolean => input.rainfallSelection === 'virtual'

/** mm/h of virtual rain at a moment. */
const uniformRate = ({ input: { virtualData } }: SimulationJob, timeS: number): number =>
  virtualData[Math.min(virtualData.length - 1, Math.floor(timeS / MINUTE_S))] ?? 0

interface LayerProps {
  job: SimulationJob
  town: TownGrid | undefined
  place: GridPlace
  below: string
}

/** The rain of a run over its town at the moment of the clock, as the computation took it. */
export function RainLayer({ job, town, place, below }: LayerProps) {
  const { data } = useQuery({ ...rainFramesQuery(job.id), enabled: !isUniform(job) })
  if (isUniform(job))
    return town ? <UniformRain job={job} elevationM={town.elevationM} place={place} below={below} /> : null
  return (
    <NowLayer
      overTime={{ of: 'rain', jobId: job.id, timesS: data?.timesS }}
      place={place}
      classes={CLASSES}
      below={below}
      opacity={OPACITY}
    />
  )
}

/** One colour over the whole catchment; a moment costs one number. */
function UniformRain({
  job,
  elevationM,
  place,
  below,
}: Omit<LayerProps, 'town'> & { elevationM: Float32Array }) {
  const layer = useFramesLayer({ place, below, classes: CLASSES, opacity: OPACITY })
  const ends = useMemo(() => {
    const most = PALETTE_SIZE - 1
    const of = (code: number) =>
      Uint16Array.from(elevationM, (m) => (Number.isNaN(m) ? DEPTH_FRAME_NO_DATA : code))
    return { none: of(0), whole: of(most), most }
  }, [elevationM])
  useEffect(
    () =>
      watchMoment((timeS) => {
        // Half a code more, so that a rate on the edge of a class is not rounded below it.
        const code = PER_MM_H * uniformRate(job, timeS) + 0.5
        layer.show(ends.none, ends.whole, Math.min(1, code / ends.most))
      }),
    [job, layer, ends],
  )
  return null
}

/** Classes of the rain, and what is to be known of it at this moment. */
export function RainLegend({ job }: { job: SimulationJob }) {
  const elapsed = useClock(({ timeS }) => formatElapsed(timeS))
  return (
    <>
      <BandLegend title={texts.rainNow(elapsed)} bands={RAIN_BANDS} />
      {isUniform(job) ? <UniformNote job={job} /> : <CellsNote job={job} />}
    </>
  )
}

function UniformNote({ job }: { job: SimulationJob }) {
  const rate = useClock(({ timeS }) => uniformRate(job, timeS))
  return <p className={classes.note}>{texts.rainUniform(formatQuantityFr(rate, 'mm/h', 1))}</p>
}

function CellsNote({ job }: { job: SimulationJob }) {
  const { data, error } = useQuery(rainFramesQuery(job.id))
  const missing = useClock(({ timeS }) => (data ? data.missing[heldAt(data.timesS, timeS).before] : 0))
  if (error) return <p className={classes.note}>{texts.rainNotKept(genericErrorText(error))}</p>
  if (!data) return null
  return (
    <p className={classes.note}>
      {missing > 0 ? texts.rainMissing(formatNumberFr(Math.ceil(100 * missing), 0)) : texts.rainCells}
    </p>
  )
}
