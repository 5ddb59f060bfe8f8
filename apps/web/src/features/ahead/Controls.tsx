import { Button, Checkbox, NativeSelect } from '@mantine/core'
import { AHEAD_DEPTHS_MM, type AheadCycle } from '@radx/contracts/ahead'
import { formatHourMinuteFr } from '@radx/locale/format-fr'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useSite } from '../../app/site.ts'
import { aheadTexts as texts } from '../../texts/ahead.ts'
import classes from './AheadScreen.module.css'
import type { Address } from './address.ts'

/** A moment of five minutes is on the screen for so long, ms. */
const STEP_MS = 700

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
  useEffect(() => {
    if (!playing) return
    const timer = setTimeout(() => change({ at: (at + 1) % times.length }), STEP_MS)
    return () => clearTimeout(timer)
  }, [playing, at, times.length, change])
  const minutes = Math.round((Date.parse(times[at]) - Date.parse(issued)) / 60_000)
  const words = texts.inMinutes(minutes, formatHourMinuteFr(times[at], timeZone))
  return (
    <div className={classes.controls}>
      <Button
        variant="default"
        leftSection={playing ? <IconPlayerPause size={16} /> : <IconPlayerPlay size={16} />}
        onClick={() => setPlaying(!playing)}
      >
        {playing ? texts.pause : texts.play}
      </Button>
      <label className={classes.clock}>
        <span>
          {texts.clock} <strong>{words}</strong>
        </span>
        <input
          type="range"
          min={0}
          max={times.length - 1}
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
