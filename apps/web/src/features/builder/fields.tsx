import { NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { DEFAULT_LAND_USE } from '@radx/contracts/landuse'
import { builderTexts } from '../../texts/builder.ts'
import { type Choice, chosenOf } from './choices.ts'

const texts = builderTexts.field

interface SelectProps<T extends string> {
  /** Above it, or in a table what it is called. */
  label?: string
  name?: string
  value: T
  options: Readonly<Record<T, string>>
  onChange: (value: T) => void
  description?: string
}

/** One of a few named values. */
export function Select<T extends string>({ options, onChange, name, ...rest }: SelectProps<T>) {
  return (
    <NativeSelect
      {...rest}
      aria-label={name}
      data={Object.entries<string>(options).map(([value, label]) => ({ value, label }))}
      onChange={({ currentTarget }) => onChange(currentTarget.value as T)}
    />
  )
}

interface NumberProps {
  /** Above it, or in a table what it is called. */
  label?: string
  name?: string
  value: number | undefined
  onChange: (value: number | undefined) => void
  suffix?: string
  description?: string
  min?: number
  max?: number
  decimals?: number
  placeholder?: string
}

/** A number; empty where the recipe's usual one holds. */
export function Figure({ value, onChange, suffix, decimals = 3, name, ...rest }: NumberProps) {
  return (
    <NumberInput
      {...rest}
      aria-label={name}
      value={value ?? ''}
      suffix={suffix === undefined ? undefined : `\u00a0${suffix}`}
      decimalSeparator=","
      decimalScale={decimals}
      onChange={(next) => {
        const number = typeof next === 'number' ? next : undefined
        if (number !== value) onChange(number)
      }}
    />
  )
}

interface Source {
  file?: string
  layer?: string
}

/** A layer among the files; its system and the like are kept beside it by who asks. */
export function LayerSelect({
  label,
  source,
  choices,
  onChange,
  optional = false,
}: {
  label: string
  source: Source | undefined
  choices: readonly Choice[]
  onChange: (choice: Choice | null) => void
  optional?: boolean
}) {
  const value = chosenOf(source)
  const missing = value !== '' && !choices.some((one) => one.value === value)
  return (
    <NativeSelect
      label={label}
      value={value}
      onChange={({ currentTarget }) =>
        onChange(choices.find((one) => one.value === currentTarget.value) ?? null)
      }
    >
      <option value="">{optional ? texts.none : texts.choose}</option>
      {missing && <option value={value}>{source?.file}</option>}
      {choices.map((one) => (
        <option key={one.value} value={one.value}>
          {one.label}
        </option>
      ))}
    </NativeSelect>
  )
}

/** A column of a layer. */
export function ColumnSelect({
  label,
  choice,
  value,
  onChange,
}: {
  label: string
  choice: Choice | undefined
  value: string | undefined
  onChange: (value: string | undefined) => void
}) {
  const names = choice?.about.columns.map(({ name }) => name) ?? []
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    >
      <option value="">{texts.none}</option>
      {value !== undefined && !names.includes(value) && <option value={value}>{value}</option>}
      {names.map((name) => (
        <option key={name} value={name}>
          {name}
        </option>
      ))}
    </NativeSelect>
  )
}

/** The system of a source, where the file's own is not to be believed. */
export function SourceCrs({
  value,
  onChange,
}: {
  value: string | undefined
  onChange: (value: string | undefined) => void
}) {
  return (
    <TextInput
      label={texts.crs}
      description={texts.crsHelp}
      placeholder={texts.crsOfFile}
      defaultValue={value ?? ''}
      maxLength={12}
      autoComplete="off"
      onBlur={({ currentTarget }) => onChange(crsText(currentTarget.value))}
    />
  )
}

/** `2154`, `epsg:2154` as the recipe has it; undefined for nothing. */
export function crsText(text: string): string | undefined {
  const code = /(\d{4,6})\s*$/.exec(text)?.[1]
  return code === undefined ? undefined : `EPSG:${code}`
}

/** Codes of land use by name. */
export const CODE_NAMES: Readonly<Record<string, string>> = Object.fromEntries(
  DEFAULT_LAND_USE.map(({ code, title }) => [String(code), `${code} · ${title}`]),
)
