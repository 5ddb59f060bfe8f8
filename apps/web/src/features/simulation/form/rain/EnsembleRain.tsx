import { Button, Switch } from '@mantine/core'
import type { EventScalingAnswer } from '@radx/contracts/scaling'
import type { Ensemble } from '@radx/contracts/simulation'
import { formatNumberFr, formatQuantityFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { scalingQuery } from '../../../../scaling/api.ts'
import { ensembleTexts as texts } from '../../../../texts/ensemble.ts'
import { Message } from '../../../../ui/Message.tsx'
import { ensembleIssues, FIRST_ENSEMBLE, isEnsembleTooLong } from '../state.ts'
import { changeForm, useForm } from '../store.ts'
import classes from './MovedRain.module.css'
import { ParameterInput } from './ParameterInput.tsx'

const FIELDS = ['members', 'alpha', 'c1', 'seed'] as const
/** Zeros that bear on the estimates: squares that are wet tell more then. */
const MANY_ZEROS = 0.1
/** Box sides that parameters for finer cells are read at, in cells: the smallest scales that a line can be fitted to. */
const SMALL_SCALES = { fromCells: 1, toCells: 8 }

/** Radar rain taken down to streets many times; its parameters typed in, or estimated on the period. */
export function EnsembleRain() {
  const ensemble = useForm((state) => state.ensemble)
  const s = useForm((state) => state.rainfallStart)
  const e = useForm((state) => state.rainfallEnd)
  const tooLong = useForm(isEnsembleTooLong)
  if (s === '' || e === '') return null
  const set = (change: Partial<Ensemble>) =>
    changeForm((state) => ({ ...state, ensemble: state.ensemble && { ...state.ensemble, ...change } }))
  const wrong = ensemble === null ? [] : ensembleIssues(ensemble)
  return (
    <section className={classes.root} aria-label={texts.switch}>
      <Switch
        label={texts.switch}
        description={texts.help}
        checked={ensemble !== null}
        onChange={({ currentTarget: { checked } }) =>
          changeForm((state) => ({ ...state, ensemble: checked ? FIRST_ENSEMBLE : null }))
        }
      />
      {ensemble !== null && (
        <div className={classes.ensemble}>
          <div className={classes.fields}>
            {FIELDS.map((name) => (
              <ParameterInput
                key={name}
                label={texts.fields[name]}
                unit=""
                value={ensemble[name]}
                disabled={false}
                error={wrong.includes(name) ? texts.outside[name] : null}
                onChange={(value) => set({ [name]: value })}
              />
            ))}
          </div>
          <Estimate onFound={set} key={`${s} ${e}`} />
          {tooLong && <Message kind="error">{texts.tooLong}</Message>}
          <p className={classes.note}>
            {texts.note} {texts.time(ensemble.members)}
          </p>
        </div>
      )}
    </section>
  )
}

/** Parameters of the period's own small scales, on demand. */
function Estimate({ onFound }: { onFound: (found: Pick<Ensemble, 'alpha' | 'c1'>) => void }) {
  const p = useForm((state) => state.product)
  const s = useForm((state) => state.rainfallStart)
  const e = useForm((state) => state.rainfallEnd)
  const query = useQuery({ ...scalingQuery({ p, s, e }), enabled: false })
  const [said, setSaid] = useState<string | null>(null)
  const estimate = async () => {
    setSaid(null)
    const { data } = await query.refetch()
    if (!data) return
    const fit = smallScales(data)
    const found = fit?.dtm && { alpha: round(fit.dtm.alpha), c1: round(fit.dtm.c1) }
    if (!found || ensembleIssues({ ...FIRST_ENSEMBLE, ...found }).length > 0) {
      setSaid(texts.notEstimated)
      return
    }
    const km = (cells: number) => formatQuantityFr((cells * data.cellM) / 1000, 'km', 2, true)
    onFound(found)
    setSaid(texts.estimated(km(fit.fromCells), km(fit.toCells), formatNumberFr(fit.dtm?.r2 ?? 0, 3)))
  }
  return (
    <div className={classes.bar}>
      <Button variant="default" loading={query.isFetching} onClick={() => void estimate()}>
        {texts.estimate}
      </Button>
      {query.isFetching && <span role="status">{texts.estimating}</span>}
      {query.error && !query.isFetching && <Message kind="error">{genericErrorText(query.error)}</Message>}
      {said !== null && <span role="status">{said}</span>}
    </div>
  )
}

const round = (value: number) => Math.round(value * 1000) / 1000

/** The fit over the smallest scales, of wet squares where there are many zeros. */
function smallScales({ space, wet }: EventScalingAnswer) {
  const { fits } = space.zeroShare > MANY_ZEROS && wet ? wet : space
  const { fromCells, toCells } = SMALL_SCALES
  return fits.find((fit) => fit.fromCells === fromCells && fit.toCells === toCells)
}
