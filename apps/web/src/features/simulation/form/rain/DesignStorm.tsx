import { NativeSelect } from '@mantine/core'
import type { MontanaTable } from '@radx/contracts/storms'
import {
  type DesignChoice,
  designStorm,
  periodsOf,
  type DesignStorm as Storm,
} from '@radx/rainfall/storms/design-choice'
import { StormError } from '@radx/rainfall/storms/design-storms'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { montanaTablesQuery } from '../../../../storms/api.ts'
import { TablePicker } from '../../../../storms/TablePicker.tsx'
import { designTexts as texts } from '../../../../texts/design.ts'
import { rainTexts } from '../../../../texts/simulation.ts'
import { Message } from '../../../../ui/Message.tsx'
import { applyDesign, releaseVirtualRain } from '../state.ts'
import { changeForm, useForm } from '../store.ts'
import { ParameterInput } from './ParameterInput.tsx'
import { RainPreview } from './RainPreview.tsx'
import { UseRain } from './UseRain.tsx'
import classes from './VirtualRain.module.css'

type NumberField = 'durationMin' | 'stepMin' | 'peak' | 'intenseMin' | 'calmAfter'

/** Fields of each storm, in their order. */
const FIELDS: Record<DesignChoice['kind'], NumberField[]> = {
  chicago: ['durationMin', 'stepMin', 'peak', 'calmAfter'],
  desbordes: ['durationMin', 'intenseMin', 'peak', 'calmAfter'],
  uniform: ['durationMin', 'calmAfter'],
}
const KINDS = Object.keys(FIELDS) as DesignChoice['kind'][]

/** A storm of a chosen return period: by which table, of what form, over what durations. */
export function DesignStorm() {
  const tables = useQuery(montanaTablesQuery)
  const wanted = useForm((state) => state.designTable)
  const locked = useForm((state) => state.virtualData.length > 0)
  if (tables.error) return <Message kind="error">{genericErrorText(tables.error)}</Message>
  if (!tables.data) return <p role="status">{texts.loading}</p>
  const table = tables.data.find(({ id }) => id === wanted) ?? tables.data[0]
  if (!table)
    return (
      <Message kind="hint" action={<Link to="/analyse">{texts.toTables}</Link>}>
        {texts.noTable}
      </Message>
    )
  return (
    <Fields table={table}>
      <TablePicker
        tables={tables.data}
        value={table.id}
        disabled={locked}
        onChange={(designTable) => changeForm((state) => ({ ...releaseVirtualRain(state), designTable }))}
      />
    </Fields>
  )
}

/** What a choice draws, or why it draws nothing and at which field. */
function drawn(
  table: MontanaTable,
  choice: DesignChoice,
): { storm: Storm } | { field: string; message: string } {
  try {
    return { storm: designStorm(table, choice) }
  } catch (error) {
    if (!(error instanceof StormError)) throw error
    return { field: error.field, message: error.message }
  }
}

function Fields({ table, children }: { table: MontanaTable; children: React.ReactNode }) {
  const design = useForm((state) => state.design)
  const used = useForm((state) => state.virtualData)
  const locked = used.length > 0
  const periods = useMemo(() => periodsOf(table.laws), [table])
  const choice = useMemo(() => {
    const known = (years: number) => (periods.includes(years) ? years : periods[0])
    return { ...design, periodYears: known(design.periodYears), intenseYears: known(design.intenseYears) }
  }, [design, periods])
  const found = useMemo(() => drawn(table, choice), [table, choice])
  const storm = 'storm' in found ? found.storm : null
  const rates = useMemo(() => (storm ? virtualRain(storm.shape, storm.param as never) : []), [storm])
  const set = (change: Partial<DesignChoice>) =>
    changeForm((state) => ({ ...releaseVirtualRain(state), design: { ...choice, ...change } }))
  const errorAt = (field: string) => ('field' in found && found.field === field ? found.message : null)
  const period = (field: 'periodYears' | 'intenseYears') => (
    <NativeSelect
      label={texts.fields[field]}
      value={String(choice[field])}
      disabled={locked}
      error={errorAt(field)}
      data={periods.map((years) => ({ value: String(years), label: texts.years(years) }))}
      onChange={({ currentTarget }) => {
        const years = Number(currentTarget.value)
        // One period for both parts, until the intense one is given its own.
        const both = field === 'periodYears' && choice.intenseYears === choice.periodYears
        set({ [field]: years, ...(both && { intenseYears: years }) })
      }}
    />
  )
  return (
    <>
      <div className={classes.parameters}>
        {children}
        <NativeSelect
          label={texts.kind}
          value={choice.kind}
          disabled={locked}
          data={KINDS.map((kind) => ({ value: kind, label: texts.kinds[kind] }))}
          onChange={({ currentTarget }) => {
            const kind = currentTarget.value as DesignChoice['kind']
            set({ kind, peak: kind === 'desbordes' ? 0.5 : 0.4 })
          }}
        />
        <div className={classes.fields}>
          {period('periodYears')}
          {choice.kind === 'desbordes' && period('intenseYears')}
          {FIELDS[choice.kind].map((field) => (
            <ParameterInput
              key={field}
              label={texts.fields[field]}
              unit={field === 'peak' ? '' : 'min'}
              value={choice[field]}
              disabled={locked}
              error={errorAt(field)}
              onChange={(value) => set({ [field]: value })}
            />
          ))}
        </div>
        {storm?.remarksFr.map((remark) => (
          <Message key={remark} kind="warning">
            {remark}
          </Message>
        ))}
        <UseRain
          disabled={rates.length === 0}
          onUse={() => storm && changeForm((state) => applyDesign(state, storm))}
        />
        <div className={classes.notes}>
          <span>{texts.explained[choice.kind]}</span>
          <span>{rainTexts.lead}</span>
        </div>
      </div>
      <RainPreview rateMmH={locked ? used : rates} empty={texts.noCurve} />
    </>
  )
}
