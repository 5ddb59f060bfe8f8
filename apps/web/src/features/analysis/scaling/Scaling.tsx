import { Button, NativeSelect, SegmentedControl } from '@mantine/core'
import type { EventScalingAnswer } from '@radx/contracts/scaling'
import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { genericErrorText } from '../../../app/api/errors.ts'
import { saveCsv } from '../../../app/csv.ts'
import { scalingQuery } from '../../../scaling/api.ts'
import { scalingTexts as texts } from '../../../texts/scaling.ts'
import { DataTable } from '../../../ui/DataTable.tsx'
import { MantineRoot } from '../../../ui/MantineRoot.tsx'
import { Message } from '../../../ui/Message.tsx'
import { Section } from '../../../ui/Section.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import { type ExportRequest, exportQuery } from '../exports/request.ts'
import { estimatesCsv, framesCsv, momentsCsv, slopeOf, spectrumCsv } from './csv.ts'
import { clipped, moveEnd, type ScaleRange, sameRange, scalesOf } from './ranges.ts'
import classes from './Scaling.module.css'
import { DtmChart, FramesChart, MomentsChart, SpectrumChart } from './ScalingCharts.tsx'

type PartName = 'space' | 'wet' | 'time'

/** How the period's rain scales, on demand: moments, spectrum and their parameters over a range that is chosen. */
export default function Scaling(request: ExportRequest) {
  const { p, s, e } = exportQuery(request)
  const [asked, setAsked] = useState<string | null>(null)
  const wanted = asked === `${p} ${s} ${e}`
  const found = useQuery({ ...scalingQuery({ p, s, e }), enabled: wanted })
  return (
    <MantineRoot>
      <Section title={texts.title}>
        <div className={classes.root}>
          <p className={classes.note}>{texts.lead}</p>
          {!wanted && (
            <div>
              <Button variant="default" onClick={() => setAsked(`${p} ${s} ${e}`)}>
                {texts.run}
              </Button>
            </div>
          )}
          {wanted && found.isFetching && <p role="status">{texts.working}</p>}
          {found.error && !found.isFetching && (
            <Message
              kind="error"
              action={<TextButton onClick={() => void found.refetch()}>{texts.retry}</TextButton>}
            >
              {genericErrorText(found.error)}
            </Message>
          )}
          {wanted && found.data && <Found found={found.data} />}
        </div>
      </Section>
    </MantineRoot>
  )
}

function Found({ found }: { found: EventScalingAnswer }) {
  const names = (['space', 'wet', 'time'] as const).filter((name) => found[name] !== null)
  const [name, setName] = useState<PartName>('space')
  const [chosen, setChosen] = useState<ScaleRange>({ fromCells: 1, toCells: found.space.side })
  const part = found[name] ?? found.space
  const range = clipped(chosen, part.side)
  const unit = name === 'time' ? found.frameSeconds / 60 : found.cellM / 1000
  const pick = (cells: number) => setChosen(moveEnd(range, cells, part.side))
  const at = found.space.fits.findIndex((fit) => sameRange(fit, clipped(chosen, found.space.side)))
  const percent = (share: number) => formatQuantityFr(100 * share, '%', 1)
  return (
    <>
      {found.notesFr.map((note) => (
        <Message key={note} kind="hint">
          {note}
        </Message>
      ))}
      <div className={classes.bar}>
        <SegmentedControl
          aria-label={texts.part}
          value={name}
          onChange={(value) => setName(value as PartName)}
          data={names.map((value) => ({ value, label: texts.parts[value] }))}
        />
        <p className={classes.note}>
          {texts.samples(part.samples)}
          {name !== 'time' && `, ${texts.window(part.side, formatQuantityFr(part.side * unit, 'km', 1))}`}.{' '}
          {texts.zeros(percent(part.zeroShare), percent(part.missingShare))}
        </p>
      </div>
      <RangePicker range={range} side={part.side} name={name} unit={unit} onChange={setChosen} />
      <Estimates found={found} name={name} range={range} />
      <div className={classes.charts}>
        <MomentsChart part={part} range={range} unit={unit} time={name === 'time'} onPick={pick} />
        <DtmChart part={part} range={range} />
        {name !== 'time' &&
          (found.spectrum ? (
            <SpectrumChart found={found} range={clipped(chosen, found.space.side)} />
          ) : (
            <p className={classes.note}>{texts.noSpectrum}</p>
          ))}
        {name === 'space' && found.single.length > 1 && <FramesChart found={found} at={at} />}
      </div>
      <Files found={found} at={at} />
    </>
  )
}

interface PickerProps {
  range: ScaleRange
  side: number
  name: PartName
  /** km or minutes of a cell or a frame. */
  unit: number
  onChange: (range: ScaleRange) => void
}

/** Both ends of the fitted range; the plot moves them too. */
function RangePicker({ range, side, name, unit, onChange }: PickerProps) {
  const data = scalesOf(side).map((cells) => ({
    value: String(cells),
    label: formatQuantityFr(cells * unit, name === 'time' ? 'min' : 'km', 2, true),
  }))
  const end = (field: 'fromCells' | 'toCells', label: string, options: typeof data) => (
    <NativeSelect
      label={label}
      value={String(range[field])}
      data={options}
      onChange={({ currentTarget }) => {
        const cells = Number(currentTarget.value)
        onChange(
          field === 'fromCells'
            ? { fromCells: cells, toCells: Math.max(range.toCells, 4 * cells) }
            : { fromCells: Math.min(range.fromCells, cells / 4), toCells: cells },
        )
      }}
    />
  )
  return (
    <fieldset className={classes.range}>
      <legend>{texts.range}</legend>
      {end('fromCells', texts.from, data.slice(0, -2))}
      {end('toCells', texts.to, data.slice(2))}
      <p className={classes.note}>{texts.rangeHelp}</p>
    </fieldset>
  )
}

const three = (value: number | null | undefined) => (value == null ? texts.none : formatNumberFr(value, 3))

function Estimates({ found, name, range }: { found: EventScalingAnswer; name: PartName; range: ScaleRange }) {
  const fit = (found[name] ?? found.space).fits.find((one) => sameRange(one, range))
  const slope = name === 'time' ? undefined : slopeOf(found, range.fromCells, range.toCells)
  const row = (method: string, estimate: { alpha: number; c1: number; r2: number } | null | undefined) => [
    method,
    ...[estimate?.alpha, estimate?.c1, estimate?.r2].map(three),
  ]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by the keyboard
    <section className={classes.table} aria-label={texts.estimates} tabIndex={0}>
      <DataTable
        caption={texts.estimates}
        head={texts.head}
        rows={[row('TM', fit?.tm), row('DTM', fit?.dtm)]}
      />
      {fit && !fit.tm && !fit.dtm && <p className={classes.note}>{texts.noFit}</p>}
      {slope && (
        <p className={classes.note}>
          {texts.spectrumRow} : {texts.spectrumFit(three(slope.beta), three(slope.h), three(slope.r2))}
        </p>
      )}
    </section>
  )
}

function Files({ found, at }: { found: EventScalingAnswer; at: number }) {
  const files: [keyof typeof texts.csv, () => string][] = [
    ['estimates', () => estimatesCsv(found)],
    ['moments', () => momentsCsv(found)],
    ['frames', () => framesCsv(found, at)],
    ['spectrum', () => spectrumCsv(found)],
  ]
  return (
    <div className={classes.bar}>
      {files.map(([name, csv]) => (
        <Button
          key={name}
          size="compact-sm"
          variant="default"
          disabled={name === 'spectrum' && found.spectrum === null}
          onClick={() => saveCsv(csv(), `echelles-${name}.csv`)}
        >
          {texts.csv[name]}
        </Button>
      ))}
    </div>
  )
}
