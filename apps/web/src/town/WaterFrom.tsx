import { NativeSelect } from '@mantine/core'
import { townTexts as texts } from '../texts/town.ts'
import { useWaterFrom } from './useWaterFrom.ts'
import { FROM_CHOICES_CM } from './water-classes.ts'

/** From which depth on a map shows water. */
export function WaterFrom() {
  const { fromCm, setFromCm } = useWaterFrom()
  return (
    <NativeSelect
      label={texts.shownFrom}
      size="sm"
      value={String(fromCm)}
      data={FROM_CHOICES_CM.map((cm) => ({ value: String(cm), label: texts.shownFromCm(cm) }))}
      onChange={({ currentTarget }) => setFromCm(Number(currentTarget.value))}
    />
  )
}
