import { SegmentedControl } from '@mantine/core'
import { virtualRain } from '@radx/rainfall/virtual-rain'
import { useMemo } from 'react'
import { designTexts } from '../../../../texts/design.ts'
import { rainTexts as texts } from '../../../../texts/simulation.ts'
import { applyVirtualRain, type FormState, releaseVirtualRain } from '../state.ts'
import { changeForm, useForm } from '../store.ts'
import { triangleIssues } from './limits.ts'
import { ParameterInput } from './ParameterInput.tsx'
import { RainPreview } from './RainPreview.tsx'
import { UseRain } from './UseRain.tsx'
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

/** Simple and double triangles by their parameters. */
export function Triangles() {
  const state = useForm()
  const shape = state.virtualRainShape === 'double' ? 'double' : 'simple'
  const locked = state.virtualData.length > 0
  const param = state.virtualParam[shape]
  const issues = useMemo(() => triangleIssues(shape, { ...param }), [shape, param])
  // Nothing is drawn of what cannot be: a rain of years would take the page with it.
  const rateMmH = useMemo(
    () => (Object.keys(issues).length > 0 ? [] : virtualRain(shape, param)),
    [shape, param, issues],
  )

  const set = (name: Parameter, value: number) => {
    changeForm(edit({ virtualParam: { ...state.virtualParam, [shape]: { ...param, [name]: value } } }))
  }

  return (
    <>
      <div className={classes.parameters}>
        <SegmentedControl
          aria-label={texts.shape}
          value={shape}
          disabled={locked}
          onChange={(value) => changeForm(edit({ virtualRainShape: value as 'simple' | 'double' }))}
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
              error={issues[name]}
              onChange={(value) => set(name, value)}
            />
          ))}
        </div>
        <UseRain disabled={rateMmH.length === 0} onUse={() => changeForm(applyVirtualRain)} />
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
      <RainPreview
        rateMmH={rateMmH}
        empty={Object.keys(issues).length > 0 ? designTexts.noCurve : texts.noCurve}
      />
    </>
  )
}
