import { Checkbox, NativeSelect, SegmentedControl } from '@mantine/core'
import type { DraftRecipe } from '@radx/contracts/builder'
import { builderTexts } from '../../../texts/builder.ts'
import classes from '../Builder.module.css'
import { chosenOf, filesWith, layerChoices } from '../choices.ts'
import { ColumnSelect, Figure, LayerSelect, Select, SourceCrs } from '../fields.tsx'
import { Sources } from '../Sources.tsx'
import { useBuilder } from '../useBuilder.ts'
import { guessColumns } from './guess-columns.ts'

const texts = builderTexts.sewer
export type Sewer = NonNullable<DraftRecipe['sewer']>
export type PipeColumn = keyof typeof texts.pipeColumns
export type ManholeColumn = keyof typeof texts.manholeColumns
type How = 'none' | 'inp' | 'layers'

const howOf = (sewer: Sewer | undefined): How =>
  sewer === undefined ? 'none' : sewer.inp === undefined ? 'layers' : 'inp'

/** The network: a file as it is, or pipes and manholes with what their columns mean. */
export function SewerStep() {
  const { draft, recipe, change } = useBuilder()
  const { sewer } = recipe
  const how = howOf(sewer)
  const put = (next: Sewer | undefined) => change((before) => ({ ...before, sewer: next }))
  const inps = filesWith(draft.files, 'network')
  const choose = (next: How) => {
    if (next === how) return
    if (next === 'none') put(undefined)
    else if (next === 'inp') put({ inp: inps[0]?.name ?? 'reseau.inp' })
    else put({})
  }
  return (
    <>
      <SegmentedControl
        fullWidth
        aria-label={texts.how}
        value={how}
        onChange={(value) => choose(value as How)}
        data={(['none', 'inp', 'layers'] as const).map((value) => ({ value, label: texts.hows[value] }))}
      />
      {sewer?.inp !== undefined && <Inp sewer={sewer} put={put} names={inps.map(({ name }) => name)} />}
      {sewer && how === 'layers' && (
        <>
          <Pipes sewer={sewer} put={put} />
          <Manholes sewer={sewer} put={put} />
          <Usual sewer={sewer} put={put} />
        </>
      )}
      <Sources />
    </>
  )
}

interface PartProps {
  sewer: Sewer
  put: (sewer: Sewer) => void
}

function Inp({ sewer, put, names }: PartProps & { names: readonly string[] }) {
  const [dx, dy] = sewer.shift ?? [undefined, undefined]
  const shift = (x: number | undefined, y: number | undefined) =>
    put({ ...sewer, shift: x === undefined && y === undefined ? undefined : [x ?? 0, y ?? 0] })
  return (
    <div className={classes.fields}>
      <NativeSelect
        label={texts.inp}
        value={sewer.inp}
        onChange={({ currentTarget }) => put({ ...sewer, inp: currentTarget.value })}
        data={[...new Set([sewer.inp!, ...names])]}
      />
      <SourceCrs value={sewer.crs} onChange={(crs) => put({ ...sewer, crs })} />
      <Figure
        label={texts.shiftX}
        description={texts.shiftHelp}
        suffix="m"
        value={dx}
        onChange={(x) => shift(x, dy)}
      />
      <Figure label={texts.shiftY} suffix="m" value={dy} onChange={(y) => shift(dx, y)} />
    </div>
  )
}

function Pipes({ sewer, put }: PartProps) {
  const { draft } = useBuilder()
  const { pipes } = sewer
  const choices = layerChoices(draft.files, 'lines')
  const choice = choices.find(({ value }) => value === chosenOf(pipes))
  const columns = pipes?.columns ?? {}
  const shapes = choice?.about.columns.find(({ name }) => name === columns.shape)?.values ?? []
  return (
    <fieldset className={classes.group}>
      <legend>{texts.pipes}</legend>
      <div className={classes.fields}>
        <LayerSelect
          label={builderTexts.field.file}
          source={pipes}
          choices={choices}
          onChange={(next) =>
            put({
              ...sewer,
              pipes: next
                ? { file: next.file, layer: next.layer, columns: guessColumns('pipes', next.about.columns) }
                : undefined,
            })
          }
        />
        {pipes && (
          <SourceCrs value={pipes.crs} onChange={(crs) => put({ ...sewer, pipes: { ...pipes, crs } })} />
        )}
        {pipes &&
          (Object.keys(texts.pipeColumns) as PipeColumn[]).map((column) => (
            <ColumnSelect
              key={column}
              label={texts.pipeColumns[column]}
              choice={choice}
              value={columns[column]}
              onChange={(name) =>
                put({ ...sewer, pipes: { ...pipes, columns: { ...columns, [column]: name } } })
              }
            />
          ))}
      </div>
      {shapes.length > 0 && (
        <div className={classes.fields}>
          {shapes
            .filter(({ value }) => value !== '')
            .map(({ value }) => (
              <Select
                key={value}
                label={`${texts.shapes} « ${value} »`}
                value={sewer.shapes?.[value] ?? 'CIRCULAR'}
                options={texts.shapeNames}
                onChange={(shape) => put({ ...sewer, shapes: { ...sewer.shapes, [value]: shape } })}
              />
            ))}
        </div>
      )}
    </fieldset>
  )
}

function Manholes({ sewer, put }: PartProps) {
  const { draft } = useBuilder()
  const { manholes } = sewer
  const choices = layerChoices(draft.files, 'points')
  const choice = choices.find(({ value }) => value === chosenOf(manholes))
  const columns = manholes?.columns ?? {}
  const kinds = choice?.about.columns.find(({ name }) => name === columns.kind)?.values ?? []
  const outfalls = sewer.outfallKinds ?? []
  return (
    <fieldset className={classes.group}>
      <legend>{texts.manholes}</legend>
      <div className={classes.fields}>
        <LayerSelect
          label={builderTexts.field.file}
          source={manholes}
          choices={choices}
          optional
          onChange={(next) => {
            if (!next) return put({ ...sewer, manholes: undefined })
            const guessed = guessColumns('manholes', next.about.columns)
            const values = next.about.columns.find(({ name }) => name === guessed.kind)?.values ?? []
            put({
              ...sewer,
              manholes: { file: next.file, layer: next.layer, columns: guessed },
              outfallKinds: values
                .map(({ value }) => value)
                .filter((value) => /exutoire|outfall|rejet/i.test(value)),
            })
          }}
        />
        {manholes && (
          <SourceCrs
            value={manholes.crs}
            onChange={(crs) => put({ ...sewer, manholes: { ...manholes, crs } })}
          />
        )}
        {manholes &&
          (Object.keys(texts.manholeColumns) as ManholeColumn[]).map((column) => (
            <ColumnSelect
              key={column}
              label={texts.manholeColumns[column]}
              choice={choice}
              value={columns[column]}
              onChange={(name) =>
                put({ ...sewer, manholes: { ...manholes, columns: { ...columns, [column]: name } } })
              }
            />
          ))}
      </div>
      {kinds.length > 0 && (
        <Checkbox.Group
          label={texts.outfallKinds}
          value={outfalls}
          onChange={(outfallKinds) => put({ ...sewer, outfallKinds })}
        >
          <div className={classes.row}>
            {kinds
              .filter(({ value }) => value !== '')
              .map(({ value }) => (
                <Checkbox key={value} value={value} label={value} />
              ))}
          </div>
        </Checkbox.Group>
      )}
    </fieldset>
  )
}

/** What holds where the columns say nothing. */
function Usual({ sewer, put }: PartProps) {
  return (
    <div className={classes.fields}>
      <Select
        label={texts.diameterUnit}
        value={sewer.diameterUnit ?? 'm'}
        options={{ m: 'm', cm: 'cm', mm: 'mm' }}
        onChange={(diameterUnit) => put({ ...sewer, diameterUnit })}
      />
      <Figure
        label={texts.diameter}
        value={sewer.diameter}
        suffix="m"
        placeholder="0,3"
        min={0.01}
        max={20}
        onChange={(diameter) => put({ ...sewer, diameter })}
      />
      <Figure
        label={texts.roughness}
        value={sewer.roughness}
        placeholder="0,013"
        min={0.001}
        max={1}
        onChange={(roughness) => put({ ...sewer, roughness })}
      />
      <Figure
        label={texts.snap}
        value={sewer.snap}
        suffix="m"
        placeholder="0,5"
        min={0.01}
        max={100}
        onChange={(snap) => put({ ...sewer, snap })}
      />
      <Figure
        label={texts.cover}
        value={sewer.cover}
        suffix="m"
        placeholder="1"
        min={0}
        max={50}
        onChange={(cover) => put({ ...sewer, cover })}
      />
    </div>
  )
}
