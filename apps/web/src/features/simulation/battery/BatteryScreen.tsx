import { Progress } from '@mantine/core'
import type { Battery } from '@radx/contracts/batteries'
import { formatDateTimeFr, formatQuantityFr } from '@radx/locale/format-fr'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from 'react-router'
import { genericErrorText } from '../../../app/api/errors.ts'
import { ScreenTitle } from '../../../app/ScreenTitle.tsx'
import { useSite } from '../../../app/site.ts'
import { batteryTexts as texts } from '../../../texts/battery.ts'
import { simulationTexts } from '../../../texts/simulation.ts'
import { AskedRemoval } from '../../../ui/AskedRemoval.tsx'
import { Message } from '../../../ui/Message.tsx'
import page from '../../../ui/Page.module.css'
import { simulationsQuery } from '../api.ts'
import { MOST_RUNS } from '../compare/address.ts'
import { DownloadButton } from '../parts/DownloadButton.tsx'
import { batteriesQuery, batteryQuery, cancelBattery, csvPath, removeBattery, zipPath } from './api.ts'
import classes from './Battery.module.css'
import { Results } from './Results.tsx'

/** An order as it goes on: one progress, one cancel, then its figures. */
export default function BatteryScreen() {
  const { id = '' } = useParams()
  const { data, error } = useQuery(batteryQuery(id))
  return (
    <div className={page.root}>
      <p className={classes.back}>
        <Link to="/multihydro/batterie">{texts.back}</Link>
      </p>
      {data ? (
        <>
          <Head battery={data} />
          <Results battery={data} />
        </>
      ) : (
        <>
          <ScreenTitle />
          {error ? (
            <Message kind="error">{genericErrorText(error)}</Message>
          ) : (
            <p role="status">{simulationTexts.loading}</p>
          )}
        </>
      )}
    </div>
  )
}

function Head({ battery }: { battery: Battery }) {
  const { timeZone } = useSite()
  const { id, title, date, username, rains, landUses, open, done, progress } = battery
  const percent = formatQuantityFr(Math.floor(100 * progress), '%', 0)
  return (
    <header className={classes.head}>
      <h1>{title}</h1>
      <p className={classes.note}>
        {formatDateTimeFr(date, timeZone)} · {username} · {texts.count(rains.length, landUses.length)}
      </p>
      <div className={classes.progress}>
        <Progress.Root size={16} radius="xl">
          <Progress.Section value={100 * progress} aria-label={texts.progress} aria-valuetext={percent} />
        </Progress.Root>
        <p role="status">
          {open > 0 && `${percent} · `}
          {texts.state(battery)}
        </p>
      </div>
      <div className={classes.actions}>
        {done > 0 && (
          <>
            <DownloadButton path={csvPath(id)} filename={texts.csvFile} label={texts.csv} />
            <DownloadButton path={zipPath(id)} filename={texts.zipFile} label={texts.zip} />
            <Compare battery={battery} />
          </>
        )}
        <Ends battery={battery} />
      </div>
    </header>
  )
}

/** To the comparison with as many of the finished runs as it takes. */
function Compare({ battery: { runs } }: { battery: Battery }) {
  const shown = runs.filter(({ status, withheld }) => status === 'done' && withheld === null)
  if (shown.length === 0) return null
  const ids = shown.slice(0, MOST_RUNS).map(({ jobId }) => jobId)
  return (
    <Link to={`/multihydro/comparer?r=${ids.join(',')}`}>
      {shown.length > MOST_RUNS ? texts.compareFirst(MOST_RUNS) : texts.compare}
    </Link>
  )
}

/** What ends an order: cancelled while it goes on, deleted afterwards; either asks once. */
function Ends({ battery: { id, title, open } }: { battery: Battery }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const cancel = useMutation({
    mutationFn: () => cancelBattery(id),
    onSuccess: (battery) => {
      queries.setQueryData(batteryQuery(id).queryKey, battery)
      return queries.invalidateQueries({ queryKey: batteriesQuery.queryKey })
    },
  })
  const remove = useMutation({
    mutationFn: () => removeBattery(id),
    onSuccess: async () => {
      await navigate('/multihydro/batterie', { replace: true })
      queries.removeQueries({ queryKey: batteryQuery(id).queryKey })
      await queries.invalidateQueries({ queryKey: batteriesQuery.queryKey })
      await queries.invalidateQueries({ queryKey: simulationsQuery.queryKey })
    },
  })
  const failed = cancel.error ?? remove.error
  return (
    <>
      {open > 0 ? (
        cancel.isPending || cancel.isSuccess ? (
          <span role="status">{texts.cancelling}</span>
        ) : (
          <AskedRemoval label={texts.cancel} ask={texts.cancelAsk} onYes={() => cancel.mutate()} />
        )
      ) : (
        <AskedRemoval label={texts.remove} ask={texts.removeAsk(title)} onYes={() => remove.mutate()} />
      )}
      {failed && <Message kind="error">{genericErrorText(failed)}</Message>}
    </>
  )
}
