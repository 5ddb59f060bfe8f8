import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import { setTexts as texts } from '../../../../texts/calibration.ts'
import { fitsQuery } from '../../calibration/api.ts'
import { changeForm, useForm } from '../store.ts'
import classes from './ModulesStep.module.css'

/** The catchment's own parameters, or a set that was fitted; nothing where the account has none. */
export function ParameterSetSelect() {
  const catchmentId = useForm((state) => state.catchmentId)
  const chosen = useForm((state) => state.parameterSet)
  const fits = useQuery(fitsQuery(catchmentId))
  const sets = fits.data?.filter(({ values }) => values !== null) ?? []
  const set = sets.find(({ id }) => id === chosen)
  // One that has been deleted meanwhile is not sent.
  const isGone = chosen !== '' && fits.data !== undefined && !set
  useEffect(() => {
    if (isGone) changeForm((state) => ({ ...state, parameterSet: '' }))
  }, [isGone])
  if (sets.length === 0 && chosen === '') return null
  return (
    <div>
      <NativeSelect
        label={texts.label}
        description={(set?.result?.warnings.length ?? 0) > 0 ? texts.unverified : texts.help}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={set ? chosen : ''}
        data={[{ value: '', label: texts.none }, ...sets.map(({ id, name }) => ({ value: id, label: name }))]}
        onChange={({ currentTarget }) => {
          const parameterSet = currentTarget.value
          changeForm((state) => ({ ...state, parameterSet }))
        }}
      />
      <p className={classes.elsewhere}>
        <Link
          to={`/multihydro/calage?bassin=${encodeURIComponent(catchmentId)}${set ? `&calage=${set.id}` : ''}`}
        >
          {texts.toFits}
        </Link>
      </p>
    </div>
  )
}
