import { Checkbox, NativeSelect } from '@mantine/core'
import { AHEAD_DEPTHS_MM, type AheadCycle } from '@radx/contracts/ahead'
import { formatHourMinuteFr } from '@radx/locale/format-fr'
import { useState } from 'react'
import { useSite } from '../../app/site.ts'
import { PlayButtons } from '../../player/PlayButtons.tsx'
import { usePlayback } from '../../player/usePlayback.ts'
import { usePlayerKeys } from '../../player/usePlayerKeys.ts'
import { aheadTexts as texts } from '../../texts/ahead.ts'
import classes from './AheadScreen.module.css'
import type { Address } from './address.ts'

const LABELS = { there: texts.rainToo, coming: texts.rainComing, missing: texts.rainMissing } as const

interface Props {
  cycle: AheadCycle
  address: Address
  at: number
  rain: boolean
  /** Whether the rain that is wanted is there. */
  rainState: 'there' | 'coming' | 'missing'
  network: boolean
  change(values: Partial<Address>): void
  onRain(on: boolean): void
  onNetwork(on: boolean): void
}

/** The clock, and what the map shows. */
export function Controls({ cycle, address, at, rain, rainState, network, change, onRain, onNetwork }: Props) {
  const { timeZone } = useSite()
  const { times, issued } = cycle
  const [playing, setPlaying] = useState(false)
  const count = times.length
  const step = (by: 1 | -1) => change({ at: (at + by + count) % count })
  const toggle = () => setPlaying((was) => !was)
  usePlayback({ playing, count, advance: () => step(1) })
  usePlayerKeys({ step, togglePlay: toggle })
  const minutes = Math.round((Date.parse(times[at]) - Date.parse(issued)) / 60_000)
  const words = texts.inMinutes(minutes, formatHourMinuteFr(times[at], timeZone))
  return (
    <div className={classes.controls}>
      <PlayButtons playing={playing} empty={count === 0} onStep={step} onToggle={toggle} />
      <label className={classes.clock}>
        <span>
          {texts.clock} <strong>{words}</strong>
        </span>
        <input
          type="range"
          min={0}
          max={count - 1}
          value={at}
          aria-valuetext={words}
          onChange={({ currentTarget }) => change({ at: Number(currentTarget.value) })}
        />
      </label>
      <NativeSelect
        label={texts.above}
        value={String(address.above)}
        data={AHEAD_DEPTHS_MM.map((mm) => ({ value: String(mm), label: texts.depth(mm / 10) }))}
        onChange={({ currentTarget: { value } }) =>
          change({ above: AHEAD_DEPTHS_MM.find((mm) => String(mm) === value) ?? 50 })
        }
      />
      <Checkbox
        label={LABELS[rainState]}
        checked={rain}
        onChange={({ currentTarget }) => onRain(currentTarget.checked)}
      />
      <Checkbox
        label={texts.networkToo}
        checked={network}
        onChange={({ currentTarget }) => onNetwork(currentTarget.checked)}
      />
    </div>
  )
}
