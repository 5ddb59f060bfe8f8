import { NativeSelect } from '@mantine/core'
import { EQUATIONS, type Equations } from '@radx/contracts/simulation-constants'
import { equationTexts as texts } from '../../../../texts/design.ts'
import { changeForm, useForm } from '../store.ts'

/** Which equations move the water on the surface. */
export function EquationsSelect() {
  const choice = useForm((state) => state.equations)
  return (
    <NativeSelect
      label={texts.label}
      description={texts.explained[choice]}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={choice}
      data={EQUATIONS.map((value) => ({ value, label: texts.choices[value] }))}
      onChange={({ currentTarget }) => {
        const equations = currentTarget.value as Equations
        changeForm((state) => ({ ...state, equations }))
      }}
    />
  )
}
