import type { NetworkLink } from '@radx/contracts/simulation'
import { OUTPUT_FLOW } from '@radx/contracts/simulation-constants'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import classes from '../../../../sewer/Curves.module.css'
import { Curves } from '../../../../sewer/Curves.tsx'
import type { SewerNetwork } from '../../../../sewer/network.ts'
import { sewerTexts } from '../../../../texts/sewer.ts'
import { Message } from '../../../../ui/Message.tsx'
import { QueryState } from '../../../../ui/QueryState.tsx'
import type { Reference } from '../state.ts'
import { seriesQuery } from './api.ts'
import { deltaOf, differenceClass, differencePercent, volumeM3 } from './difference.ts'

const texts = sewerTexts.flows

interface Props {
  jobId: string
  network: SewerNetwork
  names: readonly string[]
  reference: Reference
}

/** Flow of the chosen links; beside a reference that of one, their delta and their volumes. */
export function LinkView({ jobId, network, names, reference }: Props) {
  const compared = reference.id !== '' && names.length === 1
  const empty = names.filter((name) => network.link.get(name)?.peakM3S === null)
  const dry = names.filter((name) => network.link.get(name)?.peakM3S === 0)
  const own = useQuery({
    ...seriesQuery(
      jobId,
      OUTPUT_FLOW,
      names.filter((name) => !empty.includes(name)),
    ),
    placeholderData: keepPreviousData,
  })
  const other = useQuery(seriesQuery(compared ? reference.id : '', OUTPUT_FLOW, names))
  const chosen = useMemo(() => {
    const found = new Map(own.data?.links.map((link) => [link.Name, link]))
    return names.flatMap((name) => found.get(name) ?? [])
  }, [own.data, names])
  const link = compared ? other.data?.links[0] : undefined
  if (names.length === 0) return null
  return (
    <>
      <QueryState query={own} there={chosen.length > 0} />
      {compared && <QueryState query={other} there={chosen.length > 0} />}
      {compared && other.data && (link === undefined || link.data.length === 0) && (
        <Message kind="warning">{sewerTexts.noSeries(names[0])}</Message>
      )}
      {empty.length > 0 && <Message kind="warning">{sewerTexts.noSeries(empty.join(', '))}</Message>}
      {dry.length > 0 && <Message kind="nfo">{sewerTexts.dry(dry.join(', '))}</Message>}
      {own.data && chosen.length > 0 && (
        <Flows
          names={names}
          links={chosen}
          timesS={own.data.timesS}
          intervalMinutes={own.data.intervalMinutes}
          reference={link && link.data.length > 0 ? link : null}
          title={reference.title}
          pending={own.isPlaceholderData || (compared && other.isLoading)}
        />
      )}
    </>
  )
}

interface FlowsProps {
  /** Of the selection: their order gives the colours. */
  names: readonly string[]
  links: readonly NetworkLink[]
  timesS: readonly number[]
  intervalMinutes: number
  reference: NetworkLink | null
  /** Of the reference. */
  title: string
  pending: boolean
}

function Flows({ names, links, timesS, intervalMinutes, reference, title, pending }: FlowsProps) {
  const data = useMemo(
    () => ({
      timesS,
      curves: [
        ...links.map(({ Name, data }) => ({ name: Name, values: data, color: names.indexOf(Name) })),
        ...(reference
          ? [
              {
                name: title || sewerTexts.csvColumns.reference,
                values: reference.data,
                color: 1,
                dashed: true,
              },
            ]
          : []),
      ].filter(({ values }) => values.length > 0),
      unit: texts.unit,
      decimals: 4,
      ...(reference && { delta: { name: texts.delta, values: deltaOf(links[0].data, reference.data) } }),
    }),
    [names, links, timesS, reference, title],
  )
  return (
    <Curves
      title={texts.title}
      data={data}
      height={reference ? 480 : 360}
      filename="debits_conduites.csv"
      pending={pending}
      aside={
        links.length === 1 && (
          <Volumes
            volume={volumeM3(links[0].data, intervalMinutes)}
            reference={reference && volumeM3(reference.data, intervalMinutes)}
            title={title}
          />
        )
      }
    />
  )
}

/** Volume that passed and, beside a reference, its difference in its class. */
function Volumes({ volume, reference, title }: { volume: number; reference: number | null; title: string }) {
  const percent = reference === null ? null : differencePercent(volume, reference)
  const place = percent === null ? null : differenceClass(percent)
  return (
    <dl className={classes.volumes}>
      <div>
        <dt>{reference === null ? texts.volume : `${texts.volume}, ${texts.own.toLowerCase()}`}</dt>
        <dd>{formatQuantityFr(volume, 'm³', 1)}</dd>
      </div>
      {reference !== null && (
        <>
          <div>
            <dt>{`${texts.volume}, ${title}`}</dt>
            <dd>{formatQuantityFr(reference, 'm³', 1)}</dd>
          </div>
          <div>
            <dt>{texts.difference}</dt>
            <dd>
              {place === null ? (
                texts.noPercentage
              ) : (
                <span
                  className={classes.badge}
                  data-testid="volume-badge"
                  data-class={place}
                  title={texts.ranges[place]}
                >
                  {`${percent !== null && percent > 0 ? '+' : ''}${formatQuantityFr(percent, '%')}`}
                  <small>{texts.classes[place]}</small>
                </span>
              )}
            </dd>
          </div>
        </>
      )}
    </dl>
  )
}
