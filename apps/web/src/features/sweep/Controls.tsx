import { NativeSelect } from '@mantine/core'
import type { RadarVolumeEntry, SweepFieldName } from '@radx/contracts/radar-volumes'
import { SWEEP_STAGES } from '@radx/contracts/sweep-bundle'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { IconChevronDown, IconChevronLeft, IconChevronRight, IconChevronUp } from '@tabler/icons-react'
import { useSite } from '../../app/site.ts'
import { sweepTexts as texts } from '../../texts/sweep.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import { keyOf } from './lines.ts'
import classes from './SweepScreen.module.css'

interface VolumeChoiceProps {
  /** Newest first. */
  entries: readonly RadarVolumeEntry[]
  id: string
  onVolume: (id: string) => void
  /** Null when all are there. */
  onMore: (() => void) | null
  isComing: boolean
}

/** Which volume: by its moment, or the one before and after. */
export function VolumeChoice({ entries, id, onVolume, onMore, isComing }: VolumeChoiceProps) {
  const { timeZone } = useSite()
  const at = entries.findIndex((entry) => entry.id === id)
  const [newer, older] = [entries[at - 1], at < 0 ? undefined : entries[at + 1]]
  return (
    <>
      <div className={classes.steps}>
        <IconButton
          label={texts.older}
          disabled={!older}
          onClick={() => older && onVolume(older.id)}
          variant="default"
        >
          <IconChevronLeft size={18} aria-hidden />
        </IconButton>
        <NativeSelect
          label={texts.volume}
          value={id}
          onChange={({ currentTarget }) => onVolume(currentTarget.value)}
          data={[
            ...(at < 0 ? [{ value: id, label: id }] : []),
            ...entries.map((entry) => ({
              value: entry.id,
              label: formatDateTimeFr(entry.datetime, timeZone),
            })),
          ]}
        />
        <IconButton
          label={texts.newer}
          disabled={!newer}
          onClick={() => newer && onVolume(newer.id)}
          variant="default"
        >
          <IconChevronRight size={18} aria-hidden />
        </IconButton>
      </div>
      {onMore && (
        <TextButton onClick={onMore} disabled={isComing}>
          {texts.more}
        </TextButton>
      )}
    </>
  )
}

interface FieldChoiceProps {
  fields: readonly SweepFieldName[]
  /** Null while it is being made. */
  field: SweepFieldName | null
  onField: (field: SweepFieldName) => void
}

/** Which quantity, as measured or after which stage. */
export function FieldChoice({ fields, field, onField }: FieldChoiceProps) {
  const groups = SWEEP_STAGES.map((stage) => ({
    group: texts.stages[stage].name,
    items: fields
      .filter((one) => one.stage === stage)
      .map((one) => ({ value: keyOf(one), label: texts.quantity(one.name) })),
  })).filter(({ items }) => items.length > 0)
  return (
    <NativeSelect
      className={classes.field}
      label={texts.field}
      value={field ? keyOf(field) : ''}
      onChange={({ currentTarget }) => {
        const chosen = fields.find((one) => keyOf(one) === currentTarget.value)
        if (chosen) onField(chosen)
      }}
      data={field ? groups : [{ value: '', label: texts.correctingShort }, ...groups]}
    />
  )
}

interface ElevationChoiceProps {
  /** Lowest first. */
  elevations: readonly { sweep: number; elevationDeg: number }[]
  sweep: number
  onSweep: (sweep: number) => void
  onStep: (by: 1 | -1) => void
}

/** Which elevation: any of them, or the next one up or down. */
export function ElevationChoice({ elevations, sweep, onSweep, onStep }: ElevationChoiceProps) {
  const at = elevations.findIndex((one) => one.sweep === sweep)
  return (
    <fieldset className={classes.elevations}>
      <legend>{texts.elevation}</legend>
      <IconButton label={texts.lower} variant="default" disabled={at <= 0} onClick={() => onStep(-1)}>
        <IconChevronDown size={18} aria-hidden />
      </IconButton>
      <div className={classes.choices}>
        {elevations.map(({ sweep: n, elevationDeg }) => (
          <label key={n} data-checked={n === sweep || undefined}>
            <input type="radio" name="elevation" checked={n === sweep} onChange={() => onSweep(n)} />
            {texts.degrees(formatNumberFr(elevationDeg, 1))}
          </label>
        ))}
      </div>
      <IconButton
        label={texts.higher}
        variant="default"
        disabled={at === elevations.length - 1}
        onClick={() => onStep(1)}
      >
        <IconChevronUp size={18} aria-hidden />
      </IconButton>
    </fieldset>
  )
}
