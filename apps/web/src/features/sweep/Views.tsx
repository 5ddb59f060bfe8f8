import type { RadarVolumeAnswer, RadarVolumeStages, SweepFieldName } from '@radx/contracts/radar-volumes'
import { groundDistance, slantRange } from '@radx/rainfall/polar'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { sweepTexts as texts } from '../../texts/sweep.ts'
import { Message } from '../../ui/Message.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { AScope } from './AScope.tsx'
import { rayQuery, sectionQuery, sweepQuery } from './api.ts'
import { type PolarPoint, reachOf } from './gates.ts'
import { Ppi } from './Ppi.tsx'
import { Section } from './Section.tsx'
import classes from './SweepScreen.module.css'
import { scaleOf } from './scales.ts'

interface Props {
  volume: RadarVolumeAnswer
  /** What its corrections made of it. */
  stages: UseQueryResult<RadarVolumeStages>
  /** From 0 on. */
  sweep: number
  /** Null while it is being made. */
  field: SweepFieldName | null
  point: PolarPoint | null
  onPoint: (point: PolarPoint) => void
  onElevation: (by: 1 | -1) => void
}

/** Width of a beam whose file does not say it, degrees. */
const USUAL_BEAM_DEG = 1

/** The sweep from above, and beside it the chosen ray and the section along it. */
export function Views(props: Props) {
  const { volume, sweep, field, point, onPoint, onElevation } = props
  const asked = field && { id: volume.id, sweep: sweep + 1, stage: field.stage, name: field.name }
  const bundle = useQuery(sweepQuery(asked))
  const shown = bundle.data ?? null
  const scale = useMemo(() => scaleOf(shown?.header ?? field ?? NOTHING, shown), [shown, field])
  const reachM = useMemo(() => Math.max(...volume.sweeps.map(reachOf)), [volume])
  const { lat, lng, altitudeM } = volume.site
  return (
    <div className={classes.views}>
      <section className={classes.ppi} aria-label={texts.ppi.title} aria-busy={bundle.isPlaceholderData}>
        <QueryState query={bundle} there={shown !== null} waits={texts.loading} />
        <Ppi
          sweep={shown}
          scale={scale}
          radar={{ lat, lng, altitudeM }}
          reachM={reachM}
          point={point}
          onPoint={onPoint}
          onElevation={onElevation}
        />
      </section>
      <div className={classes.side}>
        <section>
          <h2>{texts.scope.title}</h2>
          <Ray {...props} />
        </section>
        {point && field && (
          <section>
            <h2>{texts.section.title}</h2>
            <Along {...props} field={field} scale={scale} point={point} />
          </section>
        )}
      </div>
    </div>
  )
}

const NOTHING = { name: '', unit: 'dBZ' }

function Ray({ volume, stages, sweep, field, point, onPoint }: Props) {
  const corrected = stages.isSuccess
  const ray = useQuery(
    rayQuery(corrected && point ? { id: volume.id, sweep: sweep + 1, azimuth: point.azimuth } : null),
  )
  return (
    <>
      {!point && <Message kind="hint">{texts.scope.pick}</Message>}
      <QueryState query={stages} there={corrected} waits={texts.correcting} />
      <QueryState query={ray} there={ray.data !== undefined} />
      {point && ray.data && !ray.isError && (
        <AScope
          ray={ray.data}
          field={field ?? NOTHING}
          rangeM={point.rangeM}
          onRange={(rangeM) => onPoint({ ...point, rangeM })}
        />
      )}
    </>
  )
}

interface AlongProps extends Props {
  field: SweepFieldName
  point: PolarPoint
  scale: ReturnType<typeof scaleOf>
}

function Along({ volume, sweep, field, scale, point, onPoint }: AlongProps) {
  const { stage, name } = field
  const section = useQuery(sectionQuery({ id: volume.id, stage, name, azimuth: point.azimuth }))
  const { elevationDeg } = volume.sweeps[sweep]
  return (
    <>
      <QueryState query={section} there={section.data !== undefined} />
      {section.data && !section.isError && (
        <Section
          section={section.data}
          field={field}
          scale={scale}
          beamWidthDeg={volume.beamWidthDeg ?? USUAL_BEAM_DEG}
          altitudeM={volume.site.altitudeM}
          azimuth={point.azimuth}
          groundM={groundDistance(point.rangeM, elevationDeg)}
          onGround={(groundM) => onPoint({ ...point, rangeM: slantRange(groundM, elevationDeg, 0) })}
        />
      )}
    </>
  )
}
