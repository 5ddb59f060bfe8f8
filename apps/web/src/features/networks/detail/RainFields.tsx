import { Button, FileButton, NativeSelect, NumberInput } from '@mantine/core'
import type { NetworkRain } from '@radx/contracts/networks'
import { civilInstant, isoSeconds } from '@radx/locale/time'
import { designStorm, periodsOf } from '@radx/rainfall/storms/design-choice'
import { StormError } from '@radx/rainfall/storms/design-storms'
import { VIRTUAL_RAIN_LEAD_MIN, virtualRain } from '@radx/rainfall/virtual-rain'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { productsQuery } from '../../../app/products.ts'
import { useSite } from '../../../app/site.ts'
import { catchmentsQuery } from '../../../selection/api.ts'
import { montanaTablesQuery } from '../../../storms/api.ts'
import { TablePicker } from '../../../storms/TablePicker.tsx'
import { designTexts } from '../../../texts/design.ts'
import { networkTexts } from '../../../texts/networks.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { fileText } from '../../../ui/file-text.ts'
import { Message } from '../../../ui/Message.tsx'
import classes from '../Networks.module.css'

const texts = networkTexts.run

interface Props {
  /** Null while the fields make no rain. */
  onChange: (rain: NetworkRain | null) => void
}

/** Tells the form what the fields make, whenever that changes. */
function useMade(rain: NetworkRain | null, onChange: Props['onChange']): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the form's own function may be another each time
  useEffect(() => onChange(rain), [rain])
}

export function CsvRain({ onChange }: Props) {
  const [file, setFile] = useState<{ name: string; text: string } | null>(null)
  const rain = useMemo(() => file && ({ kind: 'csv', ...file } as const), [file])
  useMade(rain, onChange)
  return (
    <div className={classes.actions}>
      <FileButton
        accept=".csv,.txt,text/csv"
        onChange={(chosen) =>
          chosen && void fileText(chosen).then((text) => setFile({ name: chosen.name, text }))
        }
      >
        {(props) => (
          <Button {...props} variant="default">
            {texts.chooseCsv}
          </Button>
        )}
      </FileButton>
      {file && <span>{texts.chosen(file.name)}</span>}
    </div>
  )
}

/** A virtual rain has some calm behind it, and its lead before it; here it falls from the start. */
const CALM_MIN = 1
const fallen = (mmH: readonly number[]) => mmH.slice(VIRTUAL_RAIN_LEAD_MIN)

const depthOf = (mmH: readonly number[]) => mmH.reduce((sum, rate) => sum + rate / 60, 0)

/** A rain a minute as the call takes it; null where there is none. */
const seriesOf = (name: string, mmH: readonly number[]): NetworkRain | null =>
  mmH.length > 0 ? { kind: 'series', name, stepS: 60, mmH: [...mmH] } : null

export function TriangleRain({ onChange }: Props) {
  const [duration, setDuration] = useState<number | string>(60)
  const [peak, setPeak] = useState<number | string>(20)
  const [intensity, setIntensity] = useState<number | string>(60)
  const rates = useMemo(() => {
    const [d, t, iMax] = [Number(duration), Number(peak), Number(intensity)]
    return fallen(virtualRain('simple', { d, t, iMax, calmAfter: CALM_MIN }))
  }, [duration, peak, intensity])
  const rain = useMemo(
    () => seriesOf(`triangle ${duration} min, ${intensity} mm/h`, rates),
    [rates, duration, intensity],
  )
  useMade(rain, onChange)
  return (
    <>
      <div className={classes.fields}>
        <NumberInput
          label={texts.duration}
          suffix={'\u00a0min'}
          min={1}
          max={10_080}
          value={duration}
          onChange={setDuration}
        />
        <NumberInput
          label={texts.peak}
          suffix={'\u00a0min'}
          min={1}
          max={10_080}
          value={peak}
          onChange={setPeak}
        />
        <NumberInput
          label={texts.intensity}
          suffix={'\u00a0mm/h'}
          decimalSeparator=","
          min={0.1}
          max={1_000}
          value={intensity}
          onChange={setIntensity}
        />
      </div>
      <p className={classes.dim}>{texts.depth(depthOf(rates))}</p>
    </>
  )
}

export function DesignRain({ onChange }: Props) {
  const tables = useQuery(montanaTablesQuery)
  const [wanted, setWanted] = useState('')
  const [years, setYears] = useState<number | null>(null)
  const [duration, setDuration] = useState<number | string>(120)
  const table = tables.data?.find(({ id }) => id === wanted) ?? tables.data?.[0]
  const periods = useMemo(() => periodsOf(table?.laws ?? []), [table])
  const periodYears = years !== null && periods.includes(years) ? years : (periods[0] ?? 0)
  const made = useMemo(() => {
    if (!table) return { rates: [] as number[], error: null }
    try {
      const storm = designStorm(table, {
        kind: 'chicago',
        periodYears,
        intenseYears: periodYears,
        durationMin: Number(duration),
        stepMin: 5,
        peak: 0.4,
        intenseMin: 15,
        calmAfter: CALM_MIN,
      })
      return { rates: fallen(virtualRain(storm.shape, storm.param as never)), error: null }
    } catch (error) {
      if (!(error instanceof StormError)) throw error
      return { rates: [], error: error.message }
    }
  }, [table, periodYears, duration])
  const rain = useMemo(
    () => seriesOf(`Chicago ${designTexts.years(periodYears)}, ${duration} min`, made.rates),
    [made, periodYears, duration],
  )
  useMade(rain, onChange)
  if (tables.data && !table) return <Message kind="hint">{texts.noTable}</Message>
  if (!tables.data || !table) return <p role="status">{designTexts.loading}</p>
  return (
    <>
      <div className={classes.fields}>
        <TablePicker tables={tables.data} value={table.id} onChange={setWanted} />
        <NativeSelect
          label={texts.period}
          value={String(periodYears)}
          onChange={({ currentTarget }) => setYears(Number(currentTarget.value))}
          data={periods.map((one) => ({ value: String(one), label: designTexts.years(one) }))}
        />
        <NumberInput
          label={texts.duration}
          suffix={'\u00a0min'}
          min={6}
          max={10_080}
          value={duration}
          onChange={setDuration}
          error={made.error}
        />
      </div>
      <p className={classes.dim}>{texts.depth(depthOf(made.rates))}</p>
    </>
  )
}

/** `2021-06-19T14:30` of the site's clock as an instant; null for what is none. */
function instantOf(local: string, timeZone: string): string | null {
  const parts = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)/.exec(local)
  if (!parts) return null
  const [year, month, day, hour, minute] = parts.slice(1).map(Number)
  return isoSeconds(civilInstant(timeZone, year, month, day, hour, minute))
}

/** In place of a catchment of the site: each subcatchment of the network where it lies. No key of a catchment has a space. */
const EACH = 'each subcatchment'

/** @param placed whether the network's positions are on the map: then rain falls on each subcatchment where it lies */
export function RadarRain({ onChange, placed }: Props & { placed: boolean }) {
  const { timeZone } = useSite()
  const products = useQuery(productsQuery)
  const catchments = useQuery(catchmentsQuery)
  const [product, setProduct] = useState('')
  const [catchment, setCatchment] = useState('')
  const [start, setStart] = useState<string | null>('')
  const [end, setEnd] = useState<string | null>('')
  const zones = [
    ...(placed ? [{ value: EACH, label: texts.each }] : []),
    ...(catchments.data?.features.map(({ properties: { key, name } }) => ({
      value: key,
      label: texts.mean(name),
    })) ?? []),
  ]
  const named = product || (products.data?.[0]?.shortName ?? '')
  const zone = zones.some(({ value }) => value === catchment) ? catchment : (zones[0]?.value ?? '')
  const rain = useMemo((): NetworkRain | null => {
    const [from, to] = [start, end].map((typed) => instantOf(typed ?? '', timeZone))
    if (from === null || to === null || !(from < to) || named === '' || zone === '') return null
    const where = zone === EACH ? {} : { catchment: zone }
    return { kind: 'radar', product: named, ...where, start: from, end: to }
  }, [start, end, named, zone, timeZone])
  useMade(rain, onChange)
  return (
    <>
      <div className={classes.fields}>
        <NativeSelect
          label={texts.product}
          value={named}
          onChange={({ currentTarget }) => setProduct(currentTarget.value)}
          data={(products.data ?? []).map(({ shortName, longName }) => ({
            value: shortName,
            label: longName,
          }))}
        />
        <NativeSelect
          label={texts.where}
          value={zone}
          onChange={({ currentTarget }) => setCatchment(currentTarget.value)}
          data={zones}
        />
        <DateField withTime label={texts.start} value={start} onChange={setStart} />
        <DateField withTime label={texts.end} value={end} onChange={setEnd} />
      </div>
      {!placed && <p className={classes.dim}>{texts.unplaced}</p>}
    </>
  )
}
