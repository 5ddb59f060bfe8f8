import type { RadarVolumeAnswer } from '@radx/contracts/radar-volumes'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { useAddressParams } from '../../app/address-params.ts'
import { sweepTexts as texts } from '../../texts/sweep.ts'
import { sweepTitle } from '../../texts/sweep-title.ts'
import { Message } from '../../ui/Message.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { readAddress, type SweepAddress, writeAddress } from './address.ts'
import { stagesQuery, volumeQuery, volumesQuery } from './api.ts'
import { ElevationChoice, FieldChoice, VolumeChoice } from './Controls.tsx'
import { byElevation, fieldShown, fieldsOf } from './choice.ts'
import classes from './SweepScreen.module.css'
import { Views } from './Views.tsx'
import { VolumeFacts } from './VolumeFacts.tsx'

/** A kept polar volume, sweep by sweep: as measured and after each stage of the corrections. */
export default function SweepScreen() {
  const [params, setParams] = useAddressParams()
  const address = readAddress(params)
  const change = (next: Partial<SweepAddress>, replace = false) =>
    setParams((before) => writeAddress(before, next), { replace })
  const volumes = useInfiniteQuery(volumesQuery)
  const entries = volumes.data?.pages.flatMap((page) => page.volumes) ?? []
  const id = address.volume ?? entries[0]?.id ?? null
  const isEmpty = volumes.isSuccess && entries.length === 0 && id === null
  return (
    <div className={classes.root}>
      <header className={classes.head}>
        <h1>{sweepTitle}</h1>
        <p>{texts.lead}</p>
      </header>
      <QueryState query={volumes} there={volumes.data !== undefined} waits={texts.loadingVolumes} />
      {isEmpty && (
        <Message kind="hint" action={<Link to="/">{texts.toLive}</Link>}>
          {texts.none}
        </Message>
      )}
      {id !== null && (
        <Volume
          key={id}
          id={id}
          address={address}
          change={change}
          choice={
            <VolumeChoice
              entries={entries}
              id={id}
              onVolume={(next) => change({ volume: next })}
              onMore={volumes.hasNextPage ? () => void volumes.fetchNextPage() : null}
              isComing={volumes.isFetchingNextPage}
            />
          }
        />
      )}
    </div>
  )
}

interface VolumeProps {
  id: string
  address: SweepAddress
  change: (next: Partial<SweepAddress>, replace?: boolean) => void
  /** Chooses another one. */
  choice: ReactNode
}

function Volume({ id, choice, ...props }: VolumeProps) {
  const volume = useQuery(volumeQuery(id))
  if (volume.data && volume.data.sweeps.length > 0)
    return <Sweeps volume={volume.data} choice={choice} {...props} />
  return (
    <>
      <div className={classes.controls}>{choice}</div>
      <QueryState query={volume} there={false} waits={texts.loadingVolume} />
    </>
  )
}

interface SweepsProps extends Omit<VolumeProps, 'id'> {
  volume: RadarVolumeAnswer
}

function Sweeps({ volume, address, change, choice }: SweepsProps) {
  const stages = useQuery(stagesQuery(volume.id))
  const sweep = Math.min(address.sweep, volume.sweeps.length) - 1
  const fields = fieldsOf(volume, stages.data, sweep)
  const field = fieldShown(fields, address, stages.isPending)
  const order = byElevation(volume)
  const onElevation = (by: 1 | -1) => {
    const next = order[order.indexOf(sweep) + by]
    if (next !== undefined) change({ sweep: next + 1 })
  }
  return (
    <>
      <div className={classes.controls}>
        {choice}
        <FieldChoice fields={fields} field={field} onField={({ stage, name }) => change({ stage, name })} />
        <ElevationChoice
          elevations={order.map((n) => ({ sweep: n, elevationDeg: volume.sweeps[n].elevationDeg }))}
          sweep={sweep}
          onSweep={(next) => change({ sweep: next + 1 })}
          onStep={onElevation}
        />
      </div>
      <Views
        volume={volume}
        stages={stages}
        sweep={sweep}
        field={field}
        point={address.azimuth === null ? null : { azimuth: address.azimuth, rangeM: address.rangeKm * 1000 }}
        onPoint={({ azimuth, rangeM }) => change({ azimuth, rangeKm: rangeM / 1000 }, true)}
        onElevation={onElevation}
      />
      <VolumeFacts volume={volume} sweep={sweep} notes={stages.data?.notes ?? volume.notes} />
    </>
  )
}
