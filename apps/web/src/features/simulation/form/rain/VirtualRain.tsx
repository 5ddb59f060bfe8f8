import { Button, SegmentedControl, TextInput } from '@mantine/core'
import type { VirtualShape } from '@radx/contracts/simulation'
import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import { IconLock } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { rainTexts as texts } from '../../../../texts/simulation.ts'
import { RainCurve } from '../../parts/RainCurve.tsx'
import {
  applyVirtualRain,
  chosenParam,
  type FormState,
  parseParameter,
  releaseVirtualRain,
} from '../state.ts'
import { changeForm, useForm } from '../store.ts'
import classes from './VirtualRain.module.css'

const PARAMETERS = {
  simple: ['d', 't', 'iMax', 'calmAfter'],
  double: ['t1', 't2', 't3', 'iMax', 'i2', 'calmAfter'],
} as const
type Parameter = (typeof PARAMETERS)['simple' | 'double'][number]

const unitOf = (name: Parameter) => (name === 'iMax' || name === 'i2' ? 'mm/h' : 'min')

/** A changed shape or parameter; the rain has to be used anew. */
const edit = (change: Partial<FormState>) => (state: FormState) => ({
  ...releaseVirtualRain(state),
  ...change,
})

export function VirtualRain() {
  const state = useForm()
  const { virtualRainShape: shape } = state
  const locked = state.virtualData.length > 0
  const param = chosenParam(state)
  const rateMmH = useMemo(() => virtualRain(shape, param), [shape, param])
  const depthMm = rateMmH.reduce((sum, rate) => sum + rate / 60, 0)

  const set = (name: Parameter, value: number) => {
    changeForm(edit({ virtualParam: { ...state.virtualParam, [shape]: { ...param, [name]: value } } }))
  }

  return (
    <section className={classes.root} aria-label={texts.virtual.title}>
      <div className={classes.parameters}>
        <SegmentedControl
          aria-label={texts.shape}
          value={shape}
          disabled={locked}
          onChange={(value) => changeForm(edit({ virtualRainShape: value as VirtualShape }))}
          data={[
            { value: 'simple', label: texts.simple },
            { value: 'double', label: texts.double },
          ]}
        />
        <div className={classes.fields}>
          {PARAMETERS[shape].map((name) => (
            <ParameterInput
              key={`${shape} ${name}`}
              label={texts.labels[name]}
              unit={unitOf(name)}
              value={(param as unknown as Record<Parameter, number>)[name]}
              disabled={locked}
              onChange={(value) => set(name, value)}
            />
          ))}
        </div>
        {locked ? (
          <div className={classes.locked} role="status">
            <IconLock size={18} stroke={1.75} aria-hidden />
            <span>{texts.locked}</span>
            <Button size="compact-sm" variant="subtle" onClick={() => changeForm(releaseVirtualRain)}>
              {texts.change}
            </Button>
          </div>
        ) : (
          <Button disabled={rateMmH.length === 0} onClick={() => changeForm(applyVirtualRain)}>
            {texts.use}
          </Button>
        )}
        {shape === 'double' && (
          <div className={classes.notes}>
            <b>{texts.recommendations}</b>
            <span>{texts.t1Rule}</span>
            <span>{texts.t3Rule}</span>
          </div>
        )}
        <div className={classes.notes}>
          <span>{texts.lead}</span>
          <span>{texts.calm}</span>
        </div>
      </div>
      <div className={classes.curve}>
        {rateMmH.length === 0 ? (
          <p className={classes.empty}>{texts.noCurve}</p>
        ) : (
          <>
            <RainCurve rateMmH={rateMmH} />
            <dl className={classes.facts}>
              <div>
                <dt>{texts.depth}</dt>
                <dd>{formatQuantityFr(depthMm, 'mm', 1)}</dd>
              </div>
              <div>
                <dt>{texts.duration}</dt>
                <dd>{formatQuantityFr(rateMmH.length, 'min')}</dd>
              </div>
            </dl>
          </>
        )}
      </div>
    </section>
  )
}

interface ParameterProps {
  label: string
  unit: string
  value: number
  disabled: boolean
  onChange: (value: number) => void
}

/** Keeps what is typed while it is typed; what is no number counts as 0 and reads so afterwards. */
function ParameterInput({ label, unit, value, disabled, onChange }: ParameterProps) {
  const [draft, setDraft] = useState<string | null>(null)
  return (
    <TextInput
      label={label}
      inputMode="decimal"
      value={draft ?? formatNumberFr(value, 3, true)}
      disabled={disabled}
      rightSection={<span className="rx-unit">{unit}</span>}
      rightSectionWidth={56}
      onChange={({ currentTarget: { value: text } }) => {
        setDraft(text)
        onChange(parseParameter(text))
      }}
      onBlur={() => setDraft(null)}
    />
  )
}
