import { Button, Checkbox, NativeSelect, SegmentedControl, TextInput } from '@mantine/core'
import { useEffect, useId, useState } from 'react'
import { builderTexts } from '../../../texts/builder.ts'
import classes from '../Builder.module.css'
import { layerChoices } from '../choices.ts'
import { Figure, LayerSelect, SourceCrs } from '../fields.tsx'
import {
  DEFAULT_CELL_M,
  DEFAULT_CRS,
  idOf,
  type OutlineRecipe,
  outlineOf,
  verticesOf,
  withOutline,
} from '../outline.ts'
import { Sources } from '../Sources.tsx'
import { useBuilder } from '../useBuilder.ts'

const texts = builderTexts.field
type How = 'draw' | 'layer' | 'bounds'

const howOf = (outline: OutlineRecipe | undefined): How =>
  outline?.bounds !== undefined ? 'bounds' : outline?.file !== undefined ? 'layer' : 'draw'

/** Where the catchment lies and how fine its cells are. */
export function OutlineStep() {
  const { recipe, change } = useBuilder()
  const outline = outlineOf(recipe)
  const [how, setHow] = useState<How>(() => howOf(outline))
  const known = useId()
  const set = (next: OutlineRecipe | undefined) => change((before) => withOutline(before, next))
  return (
    <>
      <div className={classes.fields}>
        <TextInput
          label={texts.display}
          value={recipe.display ?? ''}
          maxLength={120}
          onChange={({ currentTarget: { value } }) =>
            change((before) => ({ ...before, display: value === '' ? undefined : value }))
          }
        />
        <Identifier />
        <NativeSelect
          label={texts.projection}
          value={recipe.crs ?? DEFAULT_CRS}
          onChange={({ currentTarget }) => {
            const crs = currentTarget.value
            change((before) => ({ ...before, crs }))
          }}
        >
          {Object.entries(builderTexts.crs).map(([code, name]) => (
            <option key={code} value={code}>
              {name} ({code})
            </option>
          ))}
          {recipe.crs !== undefined && !(recipe.crs in builderTexts.crs) && <option>{recipe.crs}</option>}
        </NativeSelect>
        <Figure
          label={texts.cellSize}
          value={recipe.cellSize ?? DEFAULT_CELL_M}
          suffix="m"
          min={0.1}
          max={10_000}
          onChange={(cellSize) => change((before) => ({ ...before, cellSize }))}
        />
      </div>
      <div>
        <p id={known} className={classes.help}>
          {texts.how}
        </p>
        <SegmentedControl
          fullWidth
          aria-labelledby={known}
          value={how}
          onChange={(value) => setHow(value as How)}
          data={(['draw', 'layer', 'bounds'] as const).map((value) => ({ value, label: texts.hows[value] }))}
        />
      </div>
      {how === 'draw' && <Draw outline={outline} />}
      {how === 'layer' && <Layer outline={outline} onChange={set} />}
      {how === 'bounds' && <Bounds outline={outline} onChange={set} />}
      {outline && (
        <div className={classes.fields}>
          <Figure
            label={texts.margin}
            value={outline.margin}
            suffix="m"
            min={0}
            max={100_000}
            onChange={(margin) => change((before) => ({ ...before, outline: { ...outline, margin } }))}
          />
        </div>
      )}
      <Sources />
    </>
  )
}

function Identifier() {
  const { recipe, change } = useBuilder()
  const [typed, setTyped] = useState(recipe.id ?? '')
  useEffect(() => setTyped(recipe.id ?? ''), [recipe.id])
  return (
    <TextInput
      label={texts.id}
      description={texts.idHelp}
      value={typed}
      maxLength={64}
      onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      onBlur={() => {
        const id = idOf(typed)
        setTyped(id ?? '')
        if (id !== recipe.id) change((before) => ({ ...before, id }))
      }}
    />
  )
}

interface PartProps {
  outline: OutlineRecipe | undefined
  onChange: (outline: OutlineRecipe | undefined) => void
}

function Draw({ outline }: { outline: OutlineRecipe | undefined }) {
  const { drawing, setDrawing } = useBuilder()
  const draw = builderTexts.draw
  const drawn = verticesOf(outline)
  // Who leaves the step leaves the drawing.
  useEffect(() => () => setDrawing(() => null), [setDrawing])
  if (drawing !== null) return <p className={classes.help}>{draw.help}</p>
  return (
    <div className={classes.row}>
      <Button onClick={() => setDrawing(() => [])}>{drawn > 0 ? draw.again : draw.start}</Button>
      <p className={classes.help}>{drawn > 0 ? draw.drawn(drawn) : draw.none}</p>
    </div>
  )
}

function Layer({ outline, onChange }: PartProps) {
  const { draft } = useBuilder()
  const choices = layerChoices(draft.files, 'polygons')
  const source = outline?.file === undefined ? undefined : outline
  return (
    <div className={classes.fields}>
      <LayerSelect
        label={texts.file}
        source={source}
        choices={choices}
        onChange={(choice) => onChange(choice ? { file: choice.file, layer: choice.layer } : undefined)}
      />
      {source && (
        <>
          <SourceCrs value={source.crs} onChange={(crs) => onChange({ ...source, crs })} />
          <Checkbox
            label={texts.repair}
            checked={source.repair === true}
            onChange={({ currentTarget }) =>
              onChange({ ...source, repair: currentTarget.checked || undefined })
            }
          />
        </>
      )}
    </div>
  )
}

const SIDES = ['west', 'south', 'east', 'north'] as const

function Bounds({ outline, onChange }: PartProps) {
  const [values, setValues] = useState<(number | undefined)[]>(() => outline?.bounds ?? [])
  const set = (k: number, value: number | undefined) => {
    const next = SIDES.map((_, i) => (i === k ? value : values[i]))
    setValues(next)
    if (next.every((one) => one !== undefined)) onChange({ bounds: next as OutlineRecipe['bounds'] })
  }
  return (
    <div className={classes.fields}>
      {SIDES.map((side, k) => (
        <Figure
          key={side}
          label={texts[side]}
          value={values[k]}
          suffix="m"
          onChange={(value) => set(k, value)}
        />
      ))}
    </div>
  )
}
