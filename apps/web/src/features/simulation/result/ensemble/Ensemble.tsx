import { NativeSelect, Select, Switch } from '@mantine/core'
import { ENSEMBLE_COURSES, type EnsembleAnswer, type EnsembleCourse } from '@radx/contracts/ensemble'
import { runStartMs } from '@radx/contracts/simulation-constants'
import { formatNumberFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { ensembleTexts as texts } from '../../../../texts/ensemble.ts'
import { useChartTheme } from '../../../../ui/chart-theme.ts'
import { DataTable } from '../../../../ui/DataTable.tsx'
import { Message } from '../../../../ui/Message.tsx'
import { TextButton } from '../../../../ui/TextButton.tsx'
import type { SimulationJob } from '../../api.ts'
import { DownloadButton } from '../../parts/DownloadButton.tsx'
import { ResultSection } from '../ResultSection.tsx'
import tableClasses from '../ResultTable.module.css'
import { useResult } from '../state.ts'
import { ensembleElementQuery, ensembleQuery } from './api.ts'
import { BandsGraph } from './BandsGraph.tsx'
import classes from './Ensemble.module.css'
import { EnsembleMap } from './EnsembleMap.tsx'

/** A run whose rain was taken down to streets many times: members and the bands that they make. */
export function Ensemble({ job }: { job: SimulationJob }) {
  const { outputs, show } = useResult()
  if (!job.input.ensemble) return null
  return (
    <ResultSection
      title={texts.title}
      open={outputs.includes('ensemble')}
      onToggle={(open) => show('ensemble', open)}
    >
      <Content job={job} />
    </ResultSection>
  )
}

function Content({ job }: { job: SimulationJob }) {
  const found = useQuery(ensembleQuery(job.id))
  if (found.error)
    return (
      <Message
        kind="error"
        action={<TextButton onClick={() => void found.refetch()}>{texts.retry}</TextButton>}
      >
        {genericErrorText(found.error)}
      </Message>
    )
  if (!found.data) return <p role="status">{texts.loading}</p>
  return <Found job={job} found={found.data} />
}

/** Units and decimals of what is followed; areas are shown in hectares. */
const COURSES: Record<EnsembleCourse, { unit: string; decimals: number; per: number }> = {
  rainMmH: { unit: 'mm/h', decimals: 1, per: 1 },
  floodedM2: { unit: 'ha', decimals: 2, per: 10_000 },
  surfaceM3: { unit: 'm³', decimals: 0, per: 1 },
  sewerInM3S: { unit: 'm³/s', decimals: 3, per: 1 },
  outfallM3S: { unit: 'm³/s', decimals: 3, per: 1 },
}

function Found({ job, found }: { job: SimulationJob; found: EnsembleAnswer }) {
  const [course, setCourse] = useState<EnsembleCourse>('outfallM3S')
  const [all, setAll] = useState(true)
  const startMs = runStartMs(job.input)
  const look = COURSES[course]
  return (
    <div className={classes.root}>
      <p className={classes.note}>{texts.lead}</p>
      <div className={classes.bar}>
        <NativeSelect
          label={texts.quantity}
          value={course}
          data={ENSEMBLE_COURSES.map((value) => ({ value, label: texts.courses[value] }))}
          onChange={({ currentTarget }) => setCourse(currentTarget.value as EnsembleCourse)}
        />
        <Switch
          label={texts.all}
          checked={all}
          onChange={({ currentTarget }) => setAll(currentTarget.checked)}
        />
        <Key />
      </div>
      <div className={classes.columns}>
        <BandsGraph
          label={texts.courses[course]}
          bands={found.courses[course]}
          timesS={found.timesS}
          startMs={startMs}
          all={all}
          {...look}
        />
        <EnsembleMap job={job} found={found} />
      </div>
      {found.links.length + found.nodes.length > 0 && (
        <Element job={job} found={found} startMs={startMs} all={all} />
      )}
      <Members found={found} />
      <div className={classes.bar}>
        <DownloadButton
          path={`/api/job/output/${job.id}/ensemble.csv/data`}
          filename="ensemble.csv"
          label={texts.csv}
        />
      </div>
    </div>
  )
}

function Key() {
  const theme = useChartTheme()
  const colors = { band: theme.bar, median: theme.accent, control: theme.gauges[0] }
  return (
    <ul className={classes.key}>
      {(['band', 'median', 'control'] as const).map((name) => (
        <li key={name}>
          <i data-kind={name} style={{ color: colors[name] }} aria-hidden />
          {texts.key[name]}
        </li>
      ))}
    </ul>
  )
}

interface ElementProps {
  job: SimulationJob
  found: EnsembleAnswer
  startMs: number
  all: boolean
}

/** One conduit or manhole of the sewer in every member. */
function Element({ job, found, startMs, all }: ElementProps) {
  const [kind, setKind] = useState<'link' | 'node'>('link')
  const [name, setName] = useState<string | null>(null)
  const names = kind === 'link' ? found.links : found.nodes
  const data = useMemo(() => [...new Set(names)], [names])
  const series = useQuery({ ...ensembleElementQuery(job.id, kind, name ?? ''), enabled: name !== null })
  const unit = kind === 'link' ? 'm³/s' : 'm'
  return (
    <section className={classes.element} aria-label={texts.element}>
      <h3>{texts.element}</h3>
      <div className={classes.bar}>
        <NativeSelect
          label={texts.elementKind}
          value={kind}
          data={(['link', 'node'] as const).map((value) => ({ value, label: texts.kinds[value] }))}
          onChange={({ currentTarget }) => {
            setKind(currentTarget.value as 'link' | 'node')
            setName(null)
          }}
        />
        <Select
          rightSectionProps={{ 'aria-hidden': true }}
          label={texts.elementName}
          searchable
          limit={100}
          data={data}
          value={name}
          onChange={setName}
        />
      </div>
      {name === null && <p className={classes.note}>{texts.pickElement}</p>}
      {series.error && <Message kind="error">{genericErrorText(series.error)}</Message>}
      {name !== null && series.data && (
        <BandsGraph
          label={`${texts.elementChart[kind]} ${name}`}
          bands={series.data}
          timesS={series.data.timesS}
          startMs={startMs}
          all={all}
          unit={unit}
          decimals={3}
          per={1}
        />
      )}
    </section>
  )
}

function Members({ found: { control, members } }: { found: EnsembleAnswer }) {
  const rows = [control, ...members].map((one, k) => [
    k === 0 ? texts.control : texts.member(k - 1),
    one.seed === null ? texts.none : String(one.seed),
    formatNumberFr(one.rainMm, 2),
    formatNumberFr(one.cellMaxMmH, 1),
    formatNumberFr(one.floodedM2 / 10_000, 2),
    formatNumberFr(one.surfaceM3, 0),
    formatNumberFr(one.outfallM3, 0),
    formatNumberFr(one.maxDepthM, 3),
  ])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <section className={tableClasses.table} aria-label={texts.table} tabIndex={0}>
      <DataTable caption={texts.table} head={texts.head} rows={rows} />
    </section>
  )
}
