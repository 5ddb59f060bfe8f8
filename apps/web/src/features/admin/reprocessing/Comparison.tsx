import { Button } from '@mantine/core'
import type { Compared, MadeProduct, ProductComparison } from '@radx/contracts/reprocessing'
import { countFr, formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSite } from '../../../app/site.ts'
import { reprocessingTexts as texts } from '../../../texts/reprocessing.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { instantOf, localText } from '../../../ui/moments.ts'
import { Quantity } from '../../../ui/Quantity.tsx'
import { QueryState } from '../../../ui/QueryState.tsx'
import classes from '../AdminScreen.module.css'
import { AdminTable } from '../AdminTable.tsx'
import { comparisonQuery } from './api.ts'

/** Hours that the table begins with, and as many more each time. */
const HOURS_SHOWN = 48
const DECIMALS = 3

/** A made product against the one whose volumes it is of: the period as a whole, then each hour. */
export function Comparison({ product, onClose }: { product: MadeProduct; onClose: () => void }) {
  const { timeZone } = useSite()
  const { shortName, source } = product
  const [from, setFrom] = useState<string | null>(() => localText(Date.parse(product.start), timeZone))
  const [to, setTo] = useState<string | null>(() => localText(Date.parse(product.end), timeZone))
  const [startMs, endMs] = [instantOf(from, timeZone), instantOf(to, timeZone)]
  const isPeriod = startMs !== null && endMs !== null && startMs < endMs
  const iso = (ms: number | null) => new Date(ms ?? 0).toISOString()
  const query = useQuery({ ...comparisonQuery(shortName, iso(startMs), iso(endMs)), enabled: isPeriod })
  return (
    <section className={classes.section} aria-labelledby="comparison-title">
      <h2 id="comparison-title">{texts.comparisonTitle(shortName, source)}</h2>
      <p>{texts.comparisonHelp}</p>
      <div className={classes.bar}>
        <DateField withTime label={texts.from} value={from} onChange={setFrom} />
        <DateField withTime label={texts.to} value={to} onChange={setTo} />
        <Button variant="default" onClick={onClose}>
          {texts.close}
        </Button>
      </div>
      <QueryState query={query} there={query.data !== undefined} waits={texts.comparing} />
      {query.data && <Tables compared={query.data} />}
    </section>
  )
}

function Tables({ compared: { whole, hours, onlyOld } }: { compared: ProductComparison }) {
  const { timeZone } = useSite()
  const [shown, setShown] = useState(HOURS_SHOWN)
  const without = onlyOld > 0 && <p>{texts.onlyOld(countFr(onlyOld, 'image'))}</p>
  if (whole.frames === 0)
    return (
      <>
        <p role="status">{texts.noPairs}</p>
        {without}
      </>
    )
  return (
    <>
      <AdminTable
        caption={texts.whole}
        heads={[texts.period, ...HEADS]}
        rows={[{ key: 'whole', cells: [texts.whole, ...cellsOf(whole, 'mm/h')] }]}
      />
      {without}
      <h3>{texts.hours}</h3>
      <AdminTable
        caption={texts.hours}
        heads={[texts.hour, ...HEADS]}
        rows={hours.slice(0, shown).map((hour) => ({
          key: hour.hour,
          cells: [formatDateTimeFr(hour.hour, timeZone), ...cellsOf(hour, 'mm')],
        }))}
      />
      {shown < hours.length && (
        <Button variant="default" mt={16} onClick={() => setShown(shown + HOURS_SHOWN)}>
          {texts.more}
        </Button>
      )}
    </>
  )
}

const HEADS = [
  texts.images,
  texts.cells,
  texts.oldMean,
  texts.newMean,
  texts.bias,
  texts.correlation,
  texts.rmse,
]

const count = (n: number) => formatNumberFr(n, 0)

/** @param unit of the means: over one hour a mean rate in mm/h is a depth in mm */
const cellsOf = (of: Compared, unit: 'mm' | 'mm/h') => [
  count(of.frames),
  <>
    {count(of.cells)}
    <small>{texts.dry(count(of.dryCells))}</small>
    <small>{texts.missing(count(of.missingInOld), count(of.missingInNew))}</small>
  </>,
  <Quantity key="old" value={of.oldMeanMmH} unit={unit} decimals={DECIMALS} />,
  <Quantity key="new" value={of.newMeanMmH} unit={unit} decimals={DECIMALS} />,
  <Quantity key="bias" value={of.biasMmH} unit={unit} decimals={DECIMALS} />,
  formatNumberFr(of.correlation, DECIMALS),
  <Quantity key="rmse" value={of.rmseMmH} unit="mm/h" decimals={DECIMALS} />,
]
