import { Radio } from '@mantine/core'
import type { CatchmentSummary, RainfallSelection } from '@radx/contracts/simulation'
import { rainTexts as texts } from '../../../../texts/simulation.ts'
import { EnsembleRain } from '../rain/EnsembleRain.tsx'
import { MovedRain } from '../rain/MovedRain.tsx'
import { RadarRain } from '../rain/RadarRain.tsx'
import { SoilBefore } from '../rain/SoilBefore.tsx'
import { VirtualRain } from '../rain/VirtualRain.tsx'
import { Submit } from '../Submit.tsx'
import { chooseRain } from '../state.ts'
import { changeForm, useForm } from '../store.ts'
import classes from './RainStep.module.css'

const SOURCES: { value: RainfallSelection; title: string; text: string; note?: string }[] = [
  { value: 'ev7', ...texts.ev7 },
  { value: 'radar', ...texts.radar },
  { value: 'virtual', ...texts.virtual },
]

export default function RainStep({ catchment }: { catchment: CatchmentSummary | undefined }) {
  const selection = useForm((state) => state.rainfallSelection)
  return (
    <div className={classes.root}>
      <Radio.Group
        label={<span className="rx-visually-hidden">{texts.source}</span>}
        value={selection}
        onChange={(value) => {
          if (value !== selection) changeForm((state) => chooseRain(state, value as RainfallSelection))
        }}
      >
        <div className={classes.sources}>
          {SOURCES.map(({ value, title, text, note }) => (
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
      </Radio.Group>
      {selection === 'radar' && <RadarRain />}
      {selection === 'radar' && catchment && <MovedRain catchment={catchment} />}
      {(selection === 'radar' || selection === 'ev7') && <EnsembleRain />}
      {selection === 'virtual' && <VirtualRain />}
      {selection !== null && <SoilBefore />}
      <Submit catchment={catchment} />
    </div>
  )
}
