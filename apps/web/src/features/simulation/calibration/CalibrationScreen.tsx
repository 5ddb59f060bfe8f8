import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useAddressParams } from '../../../app/address-params.ts'
import { fitTexts as texts } from '../../../texts/calibration.ts'
import page from '../../../ui/Page.module.css'
import { QueryState } from '../../../ui/QueryState.tsx'
import { catchmentsQuery } from '../api.ts'
import { fitsQuery, seriesQuery } from './api.ts'
import { BringSeries } from './BringSeries.tsx'
import classes from './Calibration.module.css'
import { FitDetail } from './FitDetail.tsx'
import { FitForm } from './FitForm.tsx'
import { FitList } from './FitList.tsx'
import { OwnSeries } from './OwnSeries.tsx'

const KEYS = { catchment: 'bassin', event: 'episode', fit: 'calage' } as const

/** A catchment's measurements, what is fitted to them, and the sets that came of it; what is shown has its address. */
export default function CalibrationScreen() {
  const [params, setParams] = useAddressParams()
  const catchments = useQuery(catchmentsQuery)
  const catchmentId = params.get(KEYS.catchment) ?? ''
  return (
    <div className={page.root}>
      <header>
        <h1>{texts.heading}</h1>
        <p className={classes.note}>{texts.lead}</p>
      </header>
      <QueryState query={catchments} there={catchments.data !== undefined} />
      {catchments.data && (
        <NativeSelect
          className={classes.catchment}
          label={texts.catchment}
          value={catchmentId}
          data={[
            ...(catchmentId === '' ? [{ value: '', label: texts.noCatchment }] : []),
            ...catchments.data.map(({ id, display }) => ({ value: id, label: display })),
          ]}
          onChange={({ currentTarget }) =>
            setParams(() => new URLSearchParams({ [KEYS.catchment]: currentTarget.value }), {
              replace: false,
            })
          }
        />
      )}
      {catchmentId !== '' && <OfCatchment key={catchmentId} catchmentId={catchmentId} />}
    </div>
  )
}

function OfCatchment({ catchmentId }: { catchmentId: string }) {
  const [params, setParams] = useAddressParams()
  const series = useQuery(seriesQuery(catchmentId))
  const fits = useQuery(fitsQuery(catchmentId))
  const event = params.get(KEYS.event)
  const shown = fits.data?.find(({ id }) => id === params.get(KEYS.fit))
  const show = (id: string | null) =>
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        if (id === null) next.delete(KEYS.fit)
        else next.set(KEYS.fit, id)
        return next
      },
      { replace: false },
    )
  return (
    <>
      <div>
        <h2>{texts.fits}</h2>
        {fits.data ? (
          <FitList fits={fits.data} shown={shown?.id ?? null} onShow={show} />
        ) : (
          <QueryState query={fits} there={false} />
        )}
      </div>
      {shown && <FitDetail key={shown.id} fit={shown} />}
      <section aria-labelledby="series-title">
        <h2 id="series-title">{texts.series}</h2>
        <div className={classes.parts}>
          <OwnSeries series={series} />
          <BringSeries catchmentId={catchmentId} jobId={event} />
        </div>
      </section>
      <div>
        <h2>{texts.newFit}</h2>
        <FitForm catchmentId={catchmentId} series={series.data ?? []} event={event} onStarted={show} />
      </div>
    </>
  )
}
