import { Switch } from '@mantine/core'
import type { CatchmentSummary, Transposition } from '@radx/contracts/simulation'
import { Suspense } from 'react'
import { part } from '../../../../app/part.tsx'
import { moveTexts as texts } from '../../../../texts/design.ts'
import { TextButton } from '../../../../ui/TextButton.tsx'
import { moveIssues, UNMOVED } from '../state.ts'
import { changeForm, useForm } from '../store.ts'
import classes from './MovedRain.module.css'
import { ParameterInput } from './ParameterInput.tsx'

const MoveMap = part(() => import('./MoveMap.tsx'))

/** What one unit of a field is, in the state's own. */
const FIELDS: { name: keyof Transposition; unit: string; per: number }[] = [
  { name: 'eastM', unit: 'km', per: 1000 },
  { name: 'northM', unit: 'km', per: 1000 },
  { name: 'shiftMinutes', unit: 'h', per: 60 },
  { name: 'factor', unit: '', per: 1 },
]

/** Radar rain moved over the catchment: dragged on a map or by numbers, shifted in time, made stronger or weaker. */
export function MovedRain({ catchment }: { catchment: CatchmentSummary }) {
  const move = useForm((state) => state.transposition)
  const s = useForm((state) => state.rainfallStart)
  const e = useForm((state) => state.rainfallEnd)
  const product = useForm((state) => state.product)
  if (s === '' || e === '') return null
  const set = (change: Partial<Transposition>) =>
    changeForm((state) => ({
      ...state,
      transposition: state.transposition && { ...state.transposition, ...change },
    }))
  const wrong = move === null ? [] : moveIssues(move)
  return (
    <section className={classes.root} aria-label={texts.switch}>
      <Switch
        label={texts.switch}
        description={texts.help}
        checked={move !== null}
        onChange={({ currentTarget: { checked } }) =>
          changeForm((state) => ({ ...state, transposition: checked ? UNMOVED : null }))
        }
      />
      {move !== null && (
        <div className={classes.columns}>
          <div className={classes.fields}>
            {FIELDS.map(({ name, unit, per }) => (
              <ParameterInput
                key={name}
                label={texts.fields[name]}
                unit={unit}
                value={Math.round((move[name] / per) * 1000) / 1000}
                disabled={false}
                error={wrong.includes(name) ? texts.outside[name] : null}
                signed={name !== 'factor'}
                onChange={(value) => set({ [name]: value * per })}
              />
            ))}
            <p className={classes.note}>
              {texts.drag} {texts.hole}
            </p>
            <TextButton onClick={() => set(UNMOVED)}>{texts.reset}</TextButton>
          </div>
          <Suspense fallback={<div className={classes.map} aria-busy="true" />}>
            <MoveMap
              key={`${product} ${s} ${e}`}
              catchment={catchment}
              product={product}
              period={{ s, e }}
              move={move}
              onMove={({ eastM, northM }) => set({ eastM, northM })}
            />
          </Suspense>
        </div>
      )}
    </section>
  )
}
