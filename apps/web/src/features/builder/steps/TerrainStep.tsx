import { Checkbox } from '@mantine/core'
import type { BuilderPreview, DraftRecipe } from '@radx/contracts/builder'
import { builderTexts } from '../../../texts/builder.ts'
import classes from '../Builder.module.css'
import { filesWith, layerChoices } from '../choices.ts'
import { Figure, LayerSelect, Select, SourceCrs } from '../fields.tsx'
import { Sources } from '../Sources.tsx'
import { useBuilder } from '../useBuilder.ts'

const texts = builderTexts.terrain
type Terrain = NonNullable<DraftRecipe['terrain']>
type Pits = NonNullable<Terrain['pits']>
type Hand = NonNullable<Pits['byHand']>[number]

/** Sinks that are offered one by one. */
const SINKS_SHOWN = 12

const nameOf = (file: Terrain['files'][number]): string => (typeof file === 'string' ? file : file.file)

/** Heights: files, units, holes, bridges, sinks. */
export function TerrainStep() {
  const { draft, recipe, change } = useBuilder()
  const { terrain } = recipe
  const rasters = filesWith(draft.files, 'raster')
  const chosen = terrain?.files.map(nameOf) ?? []
  const gone = chosen.filter((name) => !rasters.some((raster) => raster.name === name))
  const toggle = (name: string, on: boolean) =>
    change((before) => {
      const files = before.terrain?.files ?? []
      const next = on ? [...files, name] : files.filter((file) => nameOf(file) !== name)
      return { ...before, terrain: next.length === 0 ? undefined : { ...before.terrain, files: next } }
    })
  const set = (more: Partial<Terrain>) =>
    change((before) => ({ ...before, terrain: before.terrain && { ...before.terrain, ...more } }))
  return (
    <>
      <fieldset className={classes.group}>
        <legend>{texts.files}</legend>
        <p className={classes.help}>{rasters.length === 0 ? texts.noRaster : texts.filesHelp}</p>
        <ul className={classes.checks}>
          {[...rasters.map(({ name }) => name), ...gone].map((name) => (
            <li key={name}>
              <Checkbox
                label={name}
                checked={chosen.includes(name)}
                onChange={({ currentTarget }) => toggle(name, currentTarget.checked)}
              />
            </li>
          ))}
        </ul>
        {terrain && (
          <div className={classes.fields}>
            <SourceCrs value={terrain.crs} onChange={(crs) => set({ crs })} />
            <Select
              label={texts.unit}
              value={terrain.unit ?? 'auto'}
              options={texts.units}
              onChange={(unit) => set({ unit: unit === 'auto' ? undefined : unit })}
            />
            <Figure
              label={texts.nodata}
              description={texts.nodataHelp}
              value={terrain.nodata}
              onChange={(nodata) => set({ nodata })}
            />
            <Figure
              label={texts.fillHoles}
              value={terrain.fillHoles}
              suffix={texts.cells}
              min={0}
              max={100_000}
              decimals={0}
              placeholder="0"
              onChange={(fillHoles) => set({ fillHoles })}
            />
          </div>
        )}
        {terrain && (
          <Checkbox
            label={texts.southUp}
            checked={terrain.southUp === true}
            onChange={({ currentTarget }) => set({ southUp: currentTarget.checked || undefined })}
          />
        )}
      </fieldset>
      {terrain && <Sinks terrain={terrain} set={set} />}
      {terrain && <Bridges terrain={terrain} set={set} />}
      <Sources />
    </>
  )
}

interface PartProps {
  terrain: Terrain
  set: (more: Partial<Terrain>) => void
}

function Sinks({ terrain: { pits = {} }, set }: PartProps) {
  const { preview } = useBuilder()
  const put = (more: Partial<Pits>) => set({ pits: { ...pits, ...more } })
  return (
    <fieldset className={classes.group}>
      <legend>{texts.pits}</legend>
      <p className={classes.help}>{texts.pitsHelp}</p>
      <div className={classes.fields}>
        <Select
          label={texts.pits}
          value={pits.do ?? 'list'}
          options={texts.pitRules}
          onChange={(rule) => put({ do: rule })}
        />
        {pits.do !== undefined && pits.do !== 'list' && (
          <>
            <Figure
              label={texts.mostDepth}
              value={pits.mostDepth}
              suffix="m"
              min={0.01}
              max={1_000}
              onChange={(mostDepth) => put({ mostDepth })}
            />
            <Figure
              label={texts.mostArea}
              value={pits.mostArea}
              suffix="m²"
              min={1}
              onChange={(mostArea) => put({ mostArea })}
            />
          </>
        )}
      </div>
      <OneByOne preview={preview} hands={pits.byHand ?? []} onChange={(byHand) => put({ byHand })} />
    </fieldset>
  )
}

/** The largest sinks, each with what shall become of it. */
function OneByOne({
  preview,
  hands,
  onChange,
}: {
  preview: BuilderPreview | undefined
  hands: readonly Hand[]
  onChange: (hands: Hand[]) => void
}) {
  const { setMark } = useBuilder()
  const found = preview?.findings.find(({ step, kind }) => step === 'pits' && kind === 'checked')
  const sinks = found?.places.slice(0, SINKS_SHOWN) ?? []
  if (sinks.length === 0) return null
  const choose = (x: number, y: number, what: string) => {
    const others = hands.filter(({ at }) => at[0] !== x || at[1] !== y)
    onChange(what === '' ? others : [...others, { at: [x, y], do: what as Hand['do'] }])
  }
  return (
    <details>
      <summary>{texts.byHand}</summary>
      <p className={classes.help}>{texts.byHandHelp}</p>
      <ul className={classes.checks}>
        {sinks.map(({ x, y, lng, lat, text }) => (
          <li key={`${x} ${y}`} onFocus={() => setMark([lng, lat])}>
            <Select
              label={text}
              value={hands.find(({ at }) => at[0] === x && at[1] === y)?.do ?? ''}
              options={{ '': texts.rule, fill: texts.doFill, breach: texts.doBreach, keep: texts.doKeep }}
              onChange={(what) => choose(x, y, what)}
            />
          </li>
        ))}
      </ul>
    </details>
  )
}

function Bridges({ terrain: { bridges }, set }: PartProps) {
  const { draft } = useBuilder()
  return (
    <fieldset className={classes.group}>
      <legend>{texts.bridges}</legend>
      <p className={classes.help}>{texts.bridgesHelp}</p>
      <div className={classes.fields}>
        <LayerSelect
          label={builderTexts.field.file}
          source={bridges}
          choices={layerChoices(draft.files, 'lines')}
          optional
          onChange={(choice) =>
            set({ bridges: choice ? { file: choice.file, layer: choice.layer } : undefined })
          }
        />
        {bridges && (
          <Figure
            label={texts.width}
            value={bridges.width}
            suffix="m"
            min={0}
            max={500}
            placeholder="0"
            onChange={(width) => set({ bridges: { ...bridges, width } })}
          />
        )}
      </div>
    </fieldset>
  )
}
