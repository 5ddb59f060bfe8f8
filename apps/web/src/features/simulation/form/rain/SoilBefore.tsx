import { NativeSelect } from '@mantine/core'
import { SOIL_CHOICES, type SoilChoice } from '@radx/contracts/simulation-constants'
import { soilTexts as texts } from '../../../../texts/design.ts'
import { changeForm, useForm } from '../store.ts'
import classes from './MovedRain.module.css'

/** How wet the soil was before the rain; without the soil module it makes no difference, and is not asked. */
export function SoilBefore() {
  const choice = useForm((state) => state.soilBefore)
  const asked = useForm((state) => state.soilModule)
  if (!asked) return null
  return (
    <section className={classes.soil} aria-labelledby="soil-before">
      <h2 id="soil-before">{texts.title}</h2>
      <NativeSelect
        label={texts.label}
        description={texts.explained[choice]}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        value={choice}
        data={SOIL_CHOICES.map((value) => ({ value, label: texts.choices[value] }))}
        onChange={({ currentTarget }) => {
          const soilBefore = currentTarget.value as SoilChoice
          changeForm((state) => ({ ...state, soilBefore }))
        }}
      />
    </section>
  )
}
