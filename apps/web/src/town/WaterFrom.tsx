import { NativeSelect, TextInput } from '@mantine/core'
import { type KeyboardEvent, useEffect, useState } from 'react'
import { townTexts as texts } from '../texts/town.ts'
import { useWaterFrom } from './useWaterFrom.ts'
import { FROM_CHOICES_CM, readLimits, WATER_LIMITS_CM } from './water-classes.ts'

const OWN = 'own'

/** From which depth on a map shows water, or in which classes. */
export function WaterFrom() {
  const { fromCm, setFromCm, limits, setLimits } = useWaterFrom()
  return (
    <>
      <NativeSelect
        label={texts.shownFrom}
        size="sm"
        value={limits ? OWN : String(fromCm)}
        data={[
          ...FROM_CHOICES_CM.map((cm) => ({ value: String(cm), label: texts.shownFromCm(cm) })),
          { value: OWN, label: texts.ownClasses },
        ]}
        onChange={({ currentTarget: { value } }) => {
          if (value === OWN) {
            setLimits(WATER_LIMITS_CM.filter((limit) => limit >= fromCm))
            return
          }
          setLimits(null)
          setFromCm(Number(value))
        }}
      />
      {limits && <OwnClasses limits={limits} onSet={setLimits} />}
    </>
  )
}

/** Lower limits of the classes as text; they count once the field is left or Enter is pressed. */
function OwnClasses({
  limits,
  onSet,
}: {
  limits: readonly number[]
  onSet: (limits: readonly number[]) => void
}) {
  const written = limits.join(' ').replaceAll('.', ',')
  const [text, setText] = useState(written)
  useEffect(() => setText(written), [written])
  const read = readLimits(text)
  const set = () => {
    if (read) onSet(read)
  }
  return (
    <TextInput
      label={texts.limits}
      description={texts.limitsHelp}
      size="sm"
      inputMode="decimal"
      value={text}
      error={read ? undefined : texts.limitsWrong}
      onChange={({ currentTarget }) => setText(currentTarget.value)}
      onBlur={set}
      onKeyDown={({ key }: KeyboardEvent) => {
        if (key === 'Enter') set()
      }}
    />
  )
}
