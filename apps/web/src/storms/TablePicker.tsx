import { NativeSelect } from '@mantine/core'
import type { MontanaTable } from '@radx/contracts/storms'
import { stormTexts as texts } from '../texts/storms.ts'

interface Props {
  tables: readonly MontanaTable[]
  value: string
  disabled?: boolean
  onChange: (id: string) => void
}

/** Chooses a table of return periods and says where it comes from and in what units it is. */
export function TablePicker({ tables, value, disabled, onChange }: Props) {
  const chosen = tables.find(({ id }) => id === value)
  return (
    <NativeSelect
      label={texts.table}
      description={chosen && [chosen.note, texts.units].filter((part) => part !== '').join(' ')}
      value={value}
      disabled={disabled}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
      data={tables.map(({ id, name, owner }) => ({
        value: id,
        label: `${name} (${owner === 'site' ? texts.site : texts.own})`,
      }))}
    />
  )
}
