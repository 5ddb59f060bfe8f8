import { Checkbox, NativeSelect, SegmentedControl } from '@mantine/core'
import type { DraftRecipe } from '@radx/contracts/builder'
import { builderTexts } from '../../../texts/builder.ts'
import { Message } from '../../../ui/Message.tsx'
import classes from '../Builder.module.css'
import { chosenOf, filesWith, layerChoices } from '../choices.ts'
import { CODE_NAMES, ColumnSelect, Figure } from '../fields.tsx'
import { Sources } from '../Sources.tsx'
import { useBuilder } from '../useBuilder.ts'

const texts = builderTexts.gullies
type Gullies = NonNullable<DraftRecipe['gullies']>
type How = 'none' | 'automatic' | 'file'

const [SPACING_M, REACH_M] = [35, 60]
const ROAD_CODES = [2]

const howOf = (gullies: Gullies | undefined): How =>
  gullies === undefined ? 'none' : gullies.automatic === undefined ? 'file' : 'automatic'

/** Gullies: placed by rule, or as a file has them. */
export function GulliesStep() {
  const { draft, recipe, change, preview } = useBuilder()
  const { gullies } = recipe
  const how = howOf(gullies)
  const put = (next: Gullies | undefined) => change((before) => ({ ...before, gullies: next }))
  const tables = filesWith(draft.files, 'table').map(({ name }) => name)
  const choices = layerChoices(draft.files, 'points')
  const choose = (next: How) => {
    if (next === how) return
    if (next === 'none') put(undefined)
    else if (next === 'automatic')
      put({ automatic: { spacing: SPACING_M, reach: REACH_M, codes: ROAD_CODES } })
    else put({ file: tables[0] ?? choices[0]?.file ?? 'avaloirs.csv' })
  }
  return (
    <>
      {recipe.sewer === undefined && <Message kind="nfo">{texts.noSewer}</Message>}
      <SegmentedControl
        fullWidth
        aria-label={texts.how}
        value={how}
        onChange={(value) => choose(value as How)}
        data={(['none', 'automatic', 'file'] as const).map((value) => ({ value, label: texts.hows[value] }))}
      />
      {gullies?.automatic && <Automatic rule={gullies.automatic} put={put} />}
      {gullies?.file !== undefined && <File gullies={gullies} put={put} tables={tables} choices={choices} />}
      {preview && preview.gullies.length > 0 && (
        <p className={classes.help} role="status">
          {texts.count(preview.gullies.length)}
        </p>
      )}
      <Sources />
    </>
  )
}

function Automatic({
  rule,
  put,
}: {
  rule: NonNullable<Gullies['automatic']>
  put: (gullies: Gullies) => void
}) {
  const set = (more: Partial<typeof rule>) => put({ automatic: { ...rule, ...more } })
  const codes = (rule.codes ?? ROAD_CODES).map(String)
  return (
    <>
      <div className={classes.fields}>
        <Figure
          label={texts.spacing}
          value={rule.spacing ?? SPACING_M}
          suffix="m"
          min={1}
          max={10_000}
          onChange={(spacing) => set({ spacing: spacing ?? SPACING_M })}
        />
        <Figure
          label={texts.reach}
          value={rule.reach ?? REACH_M}
          suffix="m"
          min={1}
          max={10_000}
          onChange={(reach) => set({ reach: reach ?? REACH_M })}
        />
      </div>
      <Checkbox.Group
        label={texts.codes}
        value={codes}
        onChange={(next) => set({ codes: next.length === 0 ? ROAD_CODES : next.map(Number) })}
      >
        <div className={classes.row}>
          {Object.entries(CODE_NAMES).map(([code, name]) => (
            <Checkbox key={code} value={code} label={name} />
          ))}
        </div>
      </Checkbox.Group>
    </>
  )
}

function File({
  gullies,
  put,
  tables,
  choices,
}: {
  gullies: Gullies
  put: (gullies: Gullies) => void
  tables: readonly string[]
  choices: ReturnType<typeof layerChoices>
}) {
  const value = tables.includes(gullies.file!) ? gullies.file! : chosenOf(gullies)
  const choice = choices.find((one) => one.value === value)
  return (
    <div className={classes.fields}>
      <NativeSelect
        label={texts.file}
        value={value}
        onChange={({ currentTarget }) => {
          const next = choices.find((one) => one.value === currentTarget.value)
          put(next ? { file: next.file, layer: next.layer } : { file: currentTarget.value })
        }}
      >
        {!choice && !tables.includes(value) && <option value={value}>{gullies.file}</option>}
        {tables.map((name) => (
          <option key={name}>{name}</option>
        ))}
        {choices.map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </NativeSelect>
      {choice && (
        <>
          <ColumnSelect
            label={texts.junction}
            choice={choice}
            value={gullies.junction}
            onChange={(junction) => put({ ...gullies, junction })}
          />
          <ColumnSelect
            label={texts.name}
            choice={choice}
            value={gullies.name}
            onChange={(name) => put({ ...gullies, name })}
          />
        </>
      )}
    </div>
  )
}
