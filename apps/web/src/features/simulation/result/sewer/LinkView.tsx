import type { NetworkLink } from '@radx/contracts/simulation'
import { OUTPUT_FLOW } from '@radx/contracts/simulation-constants'
import { formatQuantityFr } from '@radx/rainfall/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { sewerTexts } from '../../../../texts/sewer.ts'
import { Message } from '../../../../ui/Message.tsx'
import { outputQuery, type Reference } from '../state.ts'
import classes from './Curves.module.css'
import { Curves } from './Curves.tsx'
import { deltaOf, differenceClass, differencePercent, volumeM3 } from './difference.ts'
import type { SewerLink, SewerNetwork } from './network.ts'

const texts = sewerTexts.flows

interface Props {
  network: SewerNetwork
  timesS: readonly number[]
  intervalMinutes: number
  names: readonly string[]
  reference: Reference
}

/** Flow of the chosen links; beside a reference that of one, their delta and their volumes. */
export function LinkView({ network, timesS, intervalMinutes, names, reference }: Props) {
  const compared = reference.id !== '' && names.length === 1
  const other = useQuery({ ...outputQuery(reference.id, OUTPUT_FLOW), enabled: compared })
  const link = compared ? other.data?.links.find(({ Name }) => Name === names[0]) : undefined
  const chosen = names.flatMap((name) => network.link.get(name) ?? [])
  const empty = chosen.filter(({ flowM3S }) => flowM3S.length === 0)
  if (names.length === 0) return null
  return (
    <>
      {compared && other.isError && <Message kind="error">{genericErrorText(other.error)}</Message>}
      {compared && other.data && (link === undefined || link.data.length === 0) && (
        <Message kind="warning">{sewerTexts.noSeries(names[0])}</Message>
      )}
      {empty.length > 0 && (
        <Message kind="warning">{sewerTexts.noSeries(empty.map(({ name }) => name).join(', '))}</Message>
      )}
      {chosen.length > empty.length && (
        <Flows
          links={chosen}
          timesS={timesS}
          intervalMinutes={intervalMinutes}
          reference={link && link.data.length > 0 ? link : null}
          title={reference.title}
        />
      )}
    </>
  )
}

interface FlowsProps {
  links: readonly SewerLink[]
  timesS: readonly number[]
  intervalMinutes: number
  reference: NetworkLink | null
  /** Of the reference. */
  title: string
}

function Flows({ links, timesS, intervalMinutes, reference, title }: FlowsProps) {
  const key = links.map(({ name }) => name).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the links are those of the key
  const data = useMemo(
    () => ({
      timesS,
      curves: [
        ...links.map(({ name, flowM3S }, color) => ({ name, values: flowM3S, color })),
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
      ...(reference && { delta: { name: texts.delta, values: deltaOf(links[0].flowM3S, reference.data) } }),
    }),
    [key, timesS, reference, title],
  )
  return (
    <Curves
      title={texts.title}
      data={data}
      height={reference ? 480 : 360}
      filename="debits_conduites.csv"
      aside={
        links.length === 1 && (
          <Volumes
            volume={volumeM3(links[0].flowM3S, intervalMinutes)}
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
