import { Button, Checkbox, TextInput } from '@mantine/core'
import type { CatchmentSummary } from '@radx/contracts/simulation'
import { formatQuantityFr } from '@radx/locale/format-fr'
import { IconX } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useSite } from '../../../app/site.ts'
import { batteryTexts as texts } from '../../../texts/battery.ts'
import { rainTexts } from '../../../texts/simulation.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { ownRainsQuery } from '../form/rain/measured-api.ts'
import { RainChoice } from '../form/rain/RainChoice.tsx'
import { type FormState, isRainValid, releaseVirtualRain } from '../form/state.ts'
import { changeForm, useForm } from '../form/store.ts'
import { periodsQuery } from './api.ts'
import classes from './Battery.module.css'
import { type BatteryRain, hasRain, rainOf, rainOfEvent, rainOfPictures, withRain } from './draft.ts'
import type { PartProps } from './OrderScreen.tsx'

/** The rains of an order: taken from lists of what is kept, or put together as in the form of one simulation. */
export function Rains({ draft, change, catchment }: PartProps & { catchment: CatchmentSummary }) {
  const periods = useQuery(periodsQuery)
  const pictures = useQuery(ownRainsQuery(catchment.id))
  const { rains } = draft
  const set = (next: BatteryRain[]) => change({ rains: next })
  const without = (rain: BatteryRain) => rains.filter(({ from }) => from !== rain.from)
  const lists = [
    { label: texts.periods, items: (periods.data ?? []).map(rainOfEvent) },
    { label: texts.pictures, items: (pictures.data ?? []).map(rainOfPictures) },
  ]
  return (
    <section className={classes.part} aria-labelledby="battery-rains">
      <h2 id="battery-rains">{texts.rains}</h2>
      {rains.length === 0 ? (
        <p className={classes.note}>{texts.noRains}</p>
      ) : (
        <ol className={classes.rains}>
          {rains.map((rain, k) => (
            <li key={k}>
              <TextInput
                aria-label={texts.rainName(k + 1)}
                value={rain.title}
                maxLength={120}
                error={rain.title.trim() === '' ? texts.missing.name : undefined}
                onChange={({ currentTarget: { value } }) =>
                  set(rains.map((other) => (other === rain ? { ...rain, title: value } : other)))
                }
              />
              <span className={classes.hours}>{formatQuantityFr(rain.hours, 'h', 1, true)}</span>
              <IconButton
                label={texts.removeRain(rain.title)}
                onClick={() => set(rains.filter((other) => other !== rain))}
              >
                <IconX size={16} stroke={1.75} />
              </IconButton>
            </li>
          ))}
        </ol>
      )}
      {lists.map(
        ({ label, items }) =>
          items.length > 0 && (
            <fieldset key={label} className={classes.choices}>
              <legend>{label}</legend>
              {items.map((rain) => (
                <Checkbox
                  key={rain.from}
                  label={rain.title}
                  description={formatQuantityFr(rain.hours, 'h', 1, true)}
                  checked={hasRain(rains, rain)}
                  onChange={({ currentTarget: { checked } }) =>
                    set(checked ? withRain(rains, rain) : without(rain))
                  }
                />
              ))}
            </fieldset>
          ),
      )}
      <details className={classes.more}>
        <summary>{texts.compose}</summary>
        <RainChoice catchment={catchment} />
        <Add rains={rains} onAdd={(rain) => set(withRain(rains, rain))} />
      </details>
    </section>
  )
}

/** Takes the rain that was put together; a virtual one is let go of, so that the next can be drawn from it. */
function Add({ rains, onAdd }: { rains: readonly BatteryRain[]; onAdd: (rain: BatteryRain) => void }) {
  const { timeZone } = useSite()
  const state = useForm()
  const rain = isRainValid(state) ? rainOf(state, timeZone) : null
  const known = rain !== null && hasRain(rains, rain)
  return (
    <div className={classes.add}>
      <Button
        variant="default"
        disabled={rain === null || known}
        onClick={() => {
          if (rain === null) return
          onAdd(rain)
          if (state.rainfallSelection === 'virtual') changeForm(releaseVirtualRain)
        }}
      >
        {texts.add}
      </Button>
      <span className={classes.note} role="status">
        {known ? texts.known : (rain?.title ?? hintOf(state))}
      </span>
    </div>
  )
}

/** Why there is nothing to add yet. */
const hintOf = ({ rainfallSelection }: FormState): string =>
  rainfallSelection === 'virtual' ? rainTexts.open.unused : texts.composeHint
