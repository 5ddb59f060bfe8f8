import { NativeSelect, NumberInput } from '@mantine/core'
import { MRR_PALETTES, MRR_SCALE, type MrrPalette } from '@radx/contracts/mrr-constants'
import { mrrTexts as texts } from '../../texts/mrr.ts'
import { type MrrAddress, scaleValue } from './address.ts'
import classes from './MrrScreen.module.css'

interface Props {
  address: MrrAddress
  change: (next: Partial<MrrAddress>) => void
}

export function ColourSettings({ address, change }: Props) {
  return (
    <fieldset className={classes.controls}>
      <legend className="rx-visually-hidden">{texts.settings.title}</legend>
      <NativeSelect
        size="xs"
        label={texts.settings.palette}
        data={[...MRR_PALETTES]}
        value={address.palette}
        onChange={(event) => change({ palette: event.currentTarget.value as MrrPalette })}
      />
      <ScaleInput
        label={texts.settings.threshold}
        value={address.threshold}
        onChange={(threshold) => change({ threshold })}
      />
    </fieldset>
  )
}

/** A value in g/m3 from 0.1 to 10 in steps of 0.1. */
export function ScaleInput({
  label,
  value,
  onChange,
}: {
  label: string
  value: number
  onChange: (value: number) => void
}) {
  return (
    <NumberInput
      size="xs"
      w={130}
      label={label}
      value={value}
      onChange={(next) => {
        if (next !== '' && scaleValue(next) !== value) onChange(scaleValue(next))
      }}
      min={MRR_SCALE.min}
      max={MRR_SCALE.max}
      step={MRR_SCALE.step}
      decimalScale={1}
      decimalSeparator=","
      clampBehavior="blur"
      suffix={'\u202fg.m-3'}
    />
  )
}
