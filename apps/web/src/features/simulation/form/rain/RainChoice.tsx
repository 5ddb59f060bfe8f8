import { Radio } from '@mantine/core'
import type { CatchmentSummary, RainfallSelection } from '@radx/contracts/simulation'
import { Suspense } from 'react'
import { part } from '../../../../app/part.tsx'
import { ownRainTexts } from '../../../../texts/own-rains.ts'
import { shellTexts } from '../../../../texts/shell.ts'
import { rainTexts as texts } from '../../../../texts/simulation.ts'
import { Waiting } from '../../../../ui/Waiting.tsx'
import { chooseFurther, chooseRain, type FurtherRain } from '../state.ts'
import classes from '../steps/RainStep.module.css'
import { changeForm, useForm } from '../store.ts'
import { EnsembleRain } from './EnsembleRain.tsx'
import { MovedRain } from './MovedRain.tsx'
import { RadarRain } from './RadarRain.tsx'
import { VirtualRain } from './VirtualRain.tsx'

const GaugeRain = part(() => import('./GaugeRain.tsx'))
const OwnPictures = part(() => import('./OwnPictures.tsx'))

interface Source {
  value: string
  title: string
  text: string
  note?: string
}

const SOURCES: Source[] = [
  { value: 'ev7', ...texts.ev7 },
  { value: 'radar', ...texts.radar },
  { value: 'virtual', ...texts.virtual },
]
const FURTHER: Source[] = [
  { value: 'gauge', ...ownRainTexts.gauge },
  { value: 'pictures', ...ownRainTexts.pictures },
]

const isFurther = (value: string): value is FurtherRain => FURTHER.some((source) => source.value === value)

/** Which rain falls: the three sources of the specification, then what was measured elsewhere. */
export function RainChoice({ catchment }: { catchment: CatchmentSummary | undefined }) {
  const selection = useForm((state) => state.rainfallSelection)
  const further = useForm((state) => state.further)
  const chosen = further ?? selection
  return (
    <>
      <Radio.Group
        label={<span className="rx-visually-hidden">{texts.source}</span>}
        value={chosen}
        onChange={(value) => {
          if (value === chosen) return
          changeForm((state) =>
            isFurther(value) ? chooseFurther(state, value) : chooseRain(state, value as RainfallSelection),
          )
        }}
      >
        <Cards sources={SOURCES} />
        <p className={classes.more}>{ownRainTexts.more}</p>
        <Cards sources={FURTHER} />
      </Radio.Group>
      {chosen === 'radar' && <RadarRain />}
      {chosen === 'radar' && catchment && <MovedRain catchment={catchment} />}
      {(chosen === 'radar' || chosen === 'ev7') && <EnsembleRain />}
      {chosen === 'virtual' && <VirtualRain />}
      <Suspense fallback={<Waiting label={shellTexts.loading} />}>
        {chosen === 'gauge' && <GaugeRain />}
        {chosen === 'pictures' && catchment && <OwnPictures key={catchment.id} catchmentId={catchment.id} />}
      </Suspense>
    </>
  )
}

const Cards = ({ sources }: { sources: readonly Source[] }) => (
  <div className={classes.sources}>
    {sources.map(({ value, title, text, note }) => (
      <Radio.Card key={value} value={value} className={classes.source} aria-label={title}>
        <Radio.Indicator size="sm" />
        <span>
          <span className={classes.name}>{title}</span>
          <span className={classes.text}>{text}</span>
          {note && <span className={classes.text}>{note}</span>}
        </span>
      </Radio.Card>
    ))}
  </div>
)
