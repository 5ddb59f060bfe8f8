import { civilDay } from '@radx/locale/time'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { productsQuery } from '../../../../app/products.ts'
import { useSite } from '../../../../app/site.ts'
import { catchmentsQuery } from '../../../../selection/api.ts'
import { SelectionPanel } from '../../../../selection/SelectionPanel.tsx'
import { chosenPeriod, initialSelection, type Selection } from '../../../../selection/selection.ts'
import { rainTexts as texts } from '../../../../texts/simulation.ts'
import { Message } from '../../../../ui/Message.tsx'
import { type FormState, setRadarPeriod } from '../state.ts'
import { changeForm, useForm } from '../store.ts'
import classes from './RadarRain.module.css'

/** The selection of the analysis screen without its load button, its saving and its exports. */
export function RadarRain() {
  const { civilZone: timeZone } = useSite()
  const today = civilDay(Date.now(), timeZone)
  const products = useQuery(productsQuery)
  const catchments = useQuery(catchmentsQuery)
  const [selection, setSelection] = useState(() => selectionOf(useForm.getState(), today, timeZone))
  // Two changes may come before the next render; each builds on the one before.
  const latest = useRef(selection)
  const failed = [products, catchments].find(({ error }) => error !== null)
  if (failed) return <Message kind="error">{genericErrorText(failed.error)}</Message>
  if (!products.data || !catchments.data) return <p role="status">{texts.productsLoading}</p>
  return (
    <section className={classes.root} aria-label={texts.radar.title}>
      <SelectionPanel
        products={products.data}
        catchments={catchments.data}
        selection={selection}
        today={today}
        onChange={(change) => {
          const next = change(latest.current)
          latest.current = next
          setSelection(next)
          changeForm((state) => setRadarPeriod(state, next.selectedProduct, chosenPeriod(next)))
        }}
      />
    </section>
  )
}

/** The selection that the form's period stands for, e.g. when the step is entered again. */
function selectionOf(state: FormState, today: string, timeZone: string): Selection {
  const start = initialSelection(today.slice(0, 7))
  const { rainfallStart: s, rainfallEnd: e, product: selectedProduct } = state
  if (s === '' || e === '') return start
  const activeDay = civilDay(Date.parse(s), timeZone)
  return {
    ...start,
    selectedProduct,
    selectionDates: { start: { date: s, setHour: true }, end: { date: e, setHour: true } },
    dateCursor: activeDay.slice(0, 7),
    activeDay,
  }
}
