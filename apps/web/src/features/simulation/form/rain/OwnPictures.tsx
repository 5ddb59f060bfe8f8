import { Radio } from '@mantine/core'
import type { OwnRain, OwnRainDetail } from '@radx/contracts/own-rains'
import { formatDateTimeFr, formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { ApiError, genericErrorText, serverErrorText } from '../../../../app/api/errors.ts'
import { useSite } from '../../../../app/site.ts'
import { ownRainTexts } from '../../../../texts/own-rains.ts'
import { sendingTexts } from '../../../../texts/sending.ts'
import { AskedRemoval } from '../../../../ui/AskedRemoval.tsx'
import { FileDrop } from '../../../../ui/FileDrop.tsx'
import { Message } from '../../../../ui/Message.tsx'
import { type Sent, useSending } from '../../../../ui/useSending.ts'
import { RainCurve } from '../../parts/RainCurve.tsx'
import { applyPictures, chooseFurther } from '../state.ts'
import { changeForm, useForm } from '../store.ts'
import { ownRainQuery, ownRainsQuery, removeRain, uploadRain } from './measured-api.ts'
import classes from './OwnPictures.module.css'

const texts = ownRainTexts.pictures

/** Radar pictures of one's own on the catchment: sent as a zip, kept, chosen, deleted. */
export default function OwnPictures({ catchmentId }: { catchmentId: string }) {
  const queries = useQueryClient()
  const rains = useQuery(ownRainsQuery(catchmentId))
  const chosen = useForm((state) => state.ownRain)
  const sending = useSending<OwnRainDetail>()
  const send = (files: readonly File[]) =>
    sending.send(
      files,
      (file, way) => uploadRain(catchmentId, file, way),
      async (told) => {
        const last = told.findLast((sent) => sent.state === 'done')
        if (last?.state === 'done') changeForm((state) => applyPictures(state, last.made))
        await queries.invalidateQueries({ queryKey: ['own-rains', catchmentId] })
      },
    )
  const isGone =
    chosen !== null && rains.data !== undefined && !rains.isFetching && !has(rains.data, chosen.id)
  return (
    <section className={classes.root} aria-label={texts.title}>
      <FileDrop accept=".zip" texts={texts} onFiles={send} sending={sending} testId="rain-drop" isSmall />
      {sending.told.map((sent, k) => (
        <Told key={`${sent.file} ${k}`} sent={sent} />
      ))}
      {rains.error && <Message kind="error">{genericErrorText(rains.error)}</Message>}
      {rains.isPending && <p role="status">{texts.loading}</p>}
      {isGone && <Message kind="warning">{texts.gone(chosen.name)}</Message>}
      {rains.data && rains.data.length > 0 && (
        <Radio.Group
          label={texts.kept}
          value={chosen?.id ?? null}
          onChange={(id) => {
            const rain = rains.data.find((one) => one.id === id)
            if (rain) changeForm((state) => applyPictures(state, rain))
          }}
        >
          <ul className={classes.list}>
            {rains.data.map((rain) => (
              <Kept key={rain.id} rain={rain} isChosen={rain.id === chosen?.id} />
            ))}
          </ul>
        </Radio.Group>
      )}
      {rains.data?.length === 0 && sending.told.length === 0 && <p className={classes.note}>{texts.none}</p>}
      {chosen && rains.data && has(rains.data, chosen.id) && <Preview key={chosen.id} id={chosen.id} />}
    </section>
  )
}

const has = (rains: readonly OwnRain[], id: string) => rains.some((rain) => rain.id === id)

function Kept({ rain, isChosen }: { rain: OwnRain; isChosen: boolean }) {
  const { timeZone } = useSite()
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: () => removeRain(rain.id),
    onSuccess: () => {
      if (isChosen) changeForm((state) => chooseFurther(state, 'pictures'))
      return queries.invalidateQueries({ queryKey: ['own-rains', rain.catchmentId] })
    },
  })
  return (
    <li>
      <Radio
        value={rain.id}
        label={rain.name}
        description={texts.about(
          rain.pictures,
          formatDateTimeFr(rain.start, timeZone),
          formatDateTimeFr(rain.end, timeZone),
          formatQuantityFr(rain.totalMm, 'mm', 1),
        )}
      />
      <AskedRemoval
        label={texts.remove}
        name={texts.removeOf(rain.name)}
        ask={texts.removeAsk(rain.name)}
        onYes={() => remove.mutate()}
      />
      {remove.isError && <Message kind="error">{genericErrorText(remove.error)}</Message>}
    </li>
  )
}

/** What was read of the pictures, with what falls on the catchment on average. */
function Preview({ id }: { id: string }) {
  const { timeZone } = useSite()
  const { data: rain, error } = useQuery(ownRainQuery(id))
  if (error) return <Message kind="error">{genericErrorText(error)}</Message>
  if (!rain) return <p role="status">{texts.loading}</p>
  const facts: [string, string][] = [
    [texts.facts.pictures, texts.step(rain.pictures, formatQuantityFr(rain.stepS / 60, 'min', 1, true))],
    [
      texts.facts.period,
      texts.period(formatDateTimeFr(rain.start, timeZone), formatDateTimeFr(rain.end, timeZone)),
    ],
    [texts.facts.total, formatQuantityFr(rain.totalMm, 'mm', 1)],
    [texts.facts.meanMax, formatQuantityFr(rain.meanMaxMmH, 'mm/h', 1)],
    [texts.facts.cellMax, formatQuantityFr(rain.cellMaxMmH, 'mm/h', 1)],
    ...(rain.cellM === null
      ? []
      : [[texts.facts.cell, formatQuantityFr(rain.cellM, 'm', 0)] as [string, string]]),
    [texts.facts.covered, percent(rain.coveredShare)],
    [texts.facts.missing, percent(rain.missingShare)],
  ]
  return (
    <div className={classes.preview}>
      <h3>{texts.mean}</h3>
      <RainCurve rateMmH={rain.minutesMmH} height={240} />
      <dl>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {rain.missingShare > 0 && <Message kind="warning">{texts.missingDry}</Message>}
      {rain.remarksFr.map((remark) => (
        <Message key={remark} kind="warning">
          {remark}
        </Message>
      ))}
    </div>
  )
}

const percent = (share: number) => formatQuantityFr(100 * share, '%', share > 0 && share < 0.01 ? 2 : 0)

function Told({ sent }: { sent: Sent<OwnRainDetail> }) {
  const { file } = sent
  if (sent.state === 'cancelled') return <Message kind="nfo">{sendingTexts.cancelled(file)}</Message>
  if (sent.state === 'done') return <Message kind="nfo">{texts.added(sent.made.name)}</Message>
  const problems = sent.error instanceof ApiError ? sent.error.problems : []
  return (
    <Message kind="error">
      {problems.length === 0 ? (
        texts.failed(file, serverErrorText(sent.error))
      ) : (
        <>
          {texts.refused(file, formatNumberFr(problems.length))}
          <ul className={classes.points}>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </>
      )}
    </Message>
  )
}
