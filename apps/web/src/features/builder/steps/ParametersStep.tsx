import { NativeSelect, TextInput } from '@mantine/core'
import type { DraftRecipe } from '@radx/contracts/builder'
import { DEFAULT_LAND_USE } from '@radx/contracts/landuse'
import { builderTexts } from '../../../texts/builder.ts'
import { TextButton } from '../../../ui/TextButton.tsx'
import classes from '../Builder.module.css'
import { chosenOf, filesWith, layerChoices } from '../choices.ts'
import { ColumnSelect, Figure, LayerSelect, Select } from '../fields.tsx'
import { Sources } from '../Sources.tsx'
import { useBuilder } from '../useBuilder.ts'

const texts = builderTexts.parameters
/** From m/s, as the recipe has it. */
const MM_H = 3.6e6

type Studies = NonNullable<DraftRecipe['caseStudies']>

/** What is handed on beside ground and network. */
export function ParametersStep() {
  const { draft, recipe, change } = useBuilder()
  const set = (more: DraftRecipe) => change((before) => ({ ...before, ...more }))
  const { boundaries, streets } = recipe
  const streetChoice = layerChoices(draft.files, 'lines').find(({ value }) => value === chosenOf(streets))
  return (
    <>
      <div className={classes.fields}>
        <Select
          label={texts.edges}
          value={recipe.edges ?? 'open'}
          options={texts.edgeKinds}
          onChange={(edges) => set({ edges })}
        />
        <TextInput
          label={texts.attribution}
          description={texts.attributionHelp}
          value={recipe.attribution ?? ''}
          maxLength={500}
          onChange={({ currentTarget: { value } }) => set({ attribution: value === '' ? undefined : value })}
        />
      </div>
      <div className={classes.fields}>
        <LayerSelect
          label={texts.boundaries}
          source={boundaries}
          choices={layerChoices(draft.files, 'lines', 'polygons', 'points')}
          optional
          onChange={(choice) =>
            set({
              boundaries: choice
                ? { file: choice.file, layer: choice.layer, values: boundaries?.values }
                : undefined,
            })
          }
        />
        {boundaries && (
          <TableSelect
            label={texts.boundaryValues}
            value={boundaries.values}
            onChange={(values) => set({ boundaries: { ...boundaries, values } })}
          />
        )}
        <TableSelect
          label={texts.points}
          value={pointsFile(recipe)}
          onChange={(file) => set({ points: file === undefined ? undefined : { file } })}
        />
        <LayerSelect
          label={texts.streets}
          source={streets}
          choices={layerChoices(draft.files, 'lines')}
          optional
          onChange={(choice) =>
            set({
              streets: choice
                ? { file: choice.file, layer: choice.layer, name: nameColumn(choice.about.columns) }
                : undefined,
            })
          }
        />
        {streets && (
          <ColumnSelect
            label={texts.streetName}
            choice={streetChoice}
            value={streets.name}
            onChange={(name) => set({ streets: { ...streets, name } })}
          />
        )}
        <LayerSelect
          label={texts.footprints}
          source={recipe.footprints}
          choices={layerChoices(draft.files, 'polygons')}
          optional
          onChange={(choice) =>
            set({ footprints: choice ? { file: choice.file, layer: choice.layer } : undefined })
          }
        />
      </div>
      <CaseStudies studies={recipe.caseStudies ?? []} onChange={(caseStudies) => set({ caseStudies })} />
      <Classes />
      <Sources />
    </>
  )
}

const pointsFile = ({ points }: DraftRecipe): string | undefined =>
  points !== undefined && 'file' in points ? points.file : undefined

const nameColumn = (columns: readonly { name: string }[]): string | undefined =>
  columns.find(({ name }) => /nom|name/i.test(name))?.name

function TableSelect({
  label,
  value,
  onChange,
}: {
  label: string
  value: string | undefined
  onChange: (file: string | undefined) => void
}) {
  const { draft } = useBuilder()
  const names = filesWith(draft.files, 'table').map(({ name }) => name)
  return (
    <NativeSelect
      label={label}
      value={value ?? ''}
      onChange={({ currentTarget }) => onChange(currentTarget.value || undefined)}
    >
      <option value="">{builderTexts.field.none}</option>
      {[...new Set([...(value === undefined ? [] : [value]), ...names])].map((name) => (
        <option key={name}>{name}</option>
      ))}
    </NativeSelect>
  )
}

/** Parts of the catchment that a simulation's form offers to edit. */
function CaseStudies({ studies, onChange }: { studies: Studies; onChange: (studies: Studies) => void }) {
  const { draft } = useBuilder()
  const layers = layerChoices(draft.files, 'polygons')
  const rasters = filesWith(draft.files, 'raster').map(({ name }) => name)
  const add = (value: string) => {
    const choice = layers.find((one) => one.value === value)
    const file = choice?.file ?? value
    const taken = new Set(studies.map(({ id }) => id))
    let k = studies.length + 1
    while (taken.has(`secteur-${k}`)) k++
    const display = file.replace(/\.[^.]+$/, '')
    onChange([...studies, { id: `secteur-${k}`, display, file, layer: choice?.layer }])
  }
  return (
    <fieldset className={classes.group}>
      <legend>{texts.studies}</legend>
      {studies.map((study, k) => (
        <div key={study.id} className={classes.row}>
          <TextInput
            label={`${texts.studyName} (${study.file})`}
            value={study.display}
            maxLength={120}
            onChange={({ currentTarget: { value } }) =>
              value !== '' && onChange(studies.map((one, i) => (i === k ? { ...one, display: value } : one)))
            }
          />
          <TextButton
            aria-label={texts.removeStudy(study.display)}
            onClick={() => onChange(studies.filter((_, i) => i !== k))}
          >
            {builderTexts.remove}
          </TextButton>
        </div>
      ))}
      <NativeSelect
        label={texts.addStudy}
        value=""
        onChange={({ currentTarget: { value } }) => value !== '' && add(value)}
      >
        <option value="">{builderTexts.field.choose}</option>
        {layers.map(({ value, label }) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
        {rasters.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </NativeSelect>
    </fieldset>
  )
}

/** Roughness and permeability by class, where they differ from the usual table. */
function Classes() {
  const { recipe, change } = useBuilder()
  const given = recipe.parameters
  // A file that somebody's recipe names stays as it is.
  if (given !== undefined && 'file' in given) return null
  const table = (given ?? {}) as Record<string, { n?: number; khMS?: number }>
  const set = (code: number, more: { n?: number; khMS?: number }) =>
    change((before) => {
      const own = Object.entries({ ...table[code], ...more }).filter(([, value]) => value !== undefined)
      const { [code]: _, ...others } = table
      const next = own.length === 0 ? others : { ...others, [code]: Object.fromEntries(own) }
      return { ...before, parameters: Object.keys(next).length === 0 ? undefined : next }
    })
  return (
    <details>
      <summary>{texts.classes}</summary>
      <table className={classes.table} aria-label={texts.classes}>
        <thead>
          <tr>
            {[texts.class, texts.n, texts.kh].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {DEFAULT_LAND_USE.map(({ code, title, nmanningov, kh }) => (
            <tr key={code}>
              <th scope="row">
                {code} · {title}
              </th>
              <td>
                <Figure
                  name={`${texts.n}, ${title}`}
                  value={table[code]?.n}
                  placeholder={String(nmanningov).replace('.', ',')}
                  min={0}
                  max={2}
                  decimals={4}
                  onChange={(n) => set(code, { n })}
                />
              </td>
              <td>
                <Figure
                  name={`${texts.kh}, ${title}`}
                  value={table[code]?.khMS === undefined ? undefined : rounded(table[code].khMS * MM_H)}
                  placeholder={String(rounded(kh * MM_H)).replace('.', ',')}
                  min={0}
                  max={100_000}
                  onChange={(value) => set(code, { khMS: value === undefined ? undefined : value / MM_H })}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}

const rounded = (value: number) => Number(value.toPrecision(6))
