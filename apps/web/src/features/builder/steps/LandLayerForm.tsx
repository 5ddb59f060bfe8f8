import { Checkbox } from '@mantine/core'
import { builderTexts } from '../../../texts/builder.ts'
import classes from '../Builder.module.css'
import { chosenOf, layerChoices } from '../choices.ts'
import { CODE_NAMES, Figure, Select, SourceCrs } from '../fields.tsx'
import { useBuilder } from '../useBuilder.ts'
import type { LandLayer } from './LandUseStep.tsx'

const texts = builderTexts.land
const ROAD_M = 6
const DEFAULT_CODE = 3
/** In the recipe: what holds for all values that are not named. */
const OTHERS = '*'
/** In a list of codes: what lies below stays. */
const LEAVE = ''

type Mapping = Record<string, number | null>
type Values = readonly { value: string; count: number }[]

interface Props<L extends LandLayer = LandLayer> {
  layer: L
  onChange: (layer: LandLayer) => void
}

/** How a layer of land use is read. */
export function LandLayerForm({ layer, onChange }: Props) {
  return (
    <>
      <div className={classes.fields}>
        {layer.kind !== 'raster' && <KindSelect layer={layer} onChange={onChange} />}
        {layer.kind === 'lines' && <LineFields layer={layer} onChange={onChange} />}
        {(layer.kind === 'lines' || layer.kind === 'buildings') && (
          <Select
            label={texts.code}
            value={String(layer.code ?? (layer.kind === 'lines' ? 2 : 4))}
            options={CODE_NAMES}
            onChange={(code) => onChange({ ...layer, code: Number(code) })}
          />
        )}
        <SourceCrs value={layer.crs} onChange={(crs) => onChange({ ...layer, crs })} />
      </div>
      {layer.kind === 'raster' && <RasterFields layer={layer} onChange={onChange} />}
      {layer.kind === 'polygons' && <PolygonFields layer={layer} onChange={onChange} />}
      {layer.kind !== 'raster' && layer.kind !== 'lines' && (
        <Checkbox
          label={builderTexts.field.repair}
          checked={layer.repair === true}
          onChange={({ currentTarget }) => onChange({ ...layer, repair: currentTarget.checked || undefined })}
        />
      )}
    </>
  )
}

type Placed = Exclude<LandLayer, { kind: 'raster' }>

function KindSelect({ layer, onChange }: Props<Placed>) {
  const { file, layer: name, crs, repair } = layer
  const isLine = layer.kind === 'lines'
  const kinds: Record<string, string> = isLine
    ? { lines: texts.kinds.lines }
    : { polygons: texts.kinds.polygons, buildings: texts.kinds.buildings }
  return (
    <Select
      label={texts.kind}
      value={layer.kind as string}
      options={kinds}
      onChange={(kind) => {
        const source = { file, layer: name, crs, repair }
        onChange(
          kind === 'buildings' ? { kind, ...source } : { kind: 'polygons', ...source, code: DEFAULT_CODE },
        )
      }}
    />
  )
}

/** The chosen layer of the files, with its columns. */
function useAbout(layer: Placed) {
  const { draft } = useBuilder()
  const value = chosenOf(layer)
  return layerChoices(draft.files, 'polygons', 'lines').find((choice) => choice.value === value)?.about
}

function LineFields({ layer, onChange }: Props<Extract<LandLayer, { kind: 'lines' }>>) {
  const columns = useAbout(layer)?.columns ?? []
  return (
    <>
      <Figure
        label={texts.width}
        value={layer.width ?? ROAD_M}
        suffix="m"
        min={0.1}
        max={500}
        onChange={(width) => onChange({ ...layer, width: width ?? ROAD_M })}
      />
      <Select
        label={texts.widthColumn}
        value={layer.widthColumn ?? ''}
        options={Object.fromEntries([
          ['', builderTexts.field.none],
          ...columns.map(({ name }) => [name, name]),
        ])}
        onChange={(column) => onChange({ ...layer, widthColumn: column || undefined })}
      />
    </>
  )
}

function RasterFields({ layer, onChange }: Props<Extract<LandLayer, { kind: 'raster' }>>) {
  const { draft } = useBuilder()
  const values = draft.files.find(({ name }) => name === layer.file)?.holds.raster?.values ?? null
  const way = typeof layer.map === 'string' ? layer.map : 'table'
  return (
    <>
      <Select
        label={texts.reading}
        value={way}
        options={texts.maps}
        onChange={(next) => onChange({ ...layer, map: next === 'table' ? blankMapping(values ?? []) : next })}
      />
      {typeof layer.map !== 'string' && (
        <MappingTable
          values={values ?? []}
          mapping={layer.map}
          onChange={(map) => onChange({ ...layer, map })}
        />
      )}
    </>
  )
}

const blankMapping = (values: Values): Mapping =>
  Object.fromEntries(values.map(({ value }) => [value, value in CODE_NAMES ? Number(value) : null]))

function PolygonFields({ layer, onChange }: Props<Extract<LandLayer, { kind: 'polygons' }>>) {
  const about = useAbout(layer)
  const columns = about?.columns ?? []
  const values = columns.find(({ name }) => name === layer.column)?.values ?? null
  const choose = (column: string) => {
    const { code: _, column: __, map: ___, ...source } = layer
    if (column === '') return onChange({ ...source, code: DEFAULT_CODE })
    const found = columns.find(({ name }) => name === column)?.values ?? []
    onChange({ ...source, column, map: guessMapping(found) })
  }
  return (
    <>
      <div className={classes.fields}>
        <Select
          label={texts.column}
          value={layer.column ?? ''}
          options={Object.fromEntries([['', texts.oneCode], ...columns.map(({ name }) => [name, name])])}
          onChange={choose}
        />
        {layer.column === undefined && (
          <Select
            label={texts.code}
            value={String(layer.code ?? DEFAULT_CODE)}
            options={CODE_NAMES}
            onChange={(code) => onChange({ ...layer, code: Number(code) })}
          />
        )}
      </div>
      {layer.column !== undefined &&
        (values === null ? (
          <p className={classes.help}>{texts.tooMany}</p>
        ) : (
          <MappingTable
            values={values}
            mapping={layer.map ?? {}}
            withOthers
            onChange={(map) => onChange({ ...layer, map })}
          />
        ))}
    </>
  )
}

/** Words that say what a value is; of no word the value stays what lies below. */
const WORDS: readonly [RegExp, number][] = [
  [/bois|for[eê]t|arbor|v[eé]g[eé]tation haute/i, 1],
  [/route|rue|voie|chauss|parking|trottoir|imperm/i, 2],
  [/herbe|jardin|prair|pelouse|gazon|culture|champ/i, 3],
  [/b[aâ]ti|maison|immeuble|toit|construction/i, 4],
  [/eau|rivi[eè]re|fleuve|mare|[eé]tang|canal/i, 6],
]
export const guessMapping = (values: Values): Mapping =>
  Object.fromEntries(
    values.map(({ value }) => [value, WORDS.find(([word]) => word.test(value))?.[1] ?? null]),
  )

interface MappingProps {
  values: Values
  mapping: Mapping
  withOthers?: boolean
  onChange: (mapping: Mapping) => void
}

/** Values that the source has, each with its code. */
function MappingTable({ values, mapping, withOthers = false, onChange }: MappingProps) {
  const known = new Set(values.map(({ value }) => value))
  const gone = Object.keys(mapping)
    .filter((value) => value !== OTHERS && !known.has(value))
    .map((value) => ({ value, count: 0 }))
  const rows = [...values, ...gone, ...(withOthers ? [{ value: OTHERS, count: 0 }] : [])]
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <caption>{texts.mapping}</caption>
        <thead>
          <tr>
            {[texts.value, texts.count, texts.code].map((head) => (
              <th key={head} scope="col">
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ value, count }) => {
            const name = value === OTHERS ? texts.others : value === '' ? texts.emptyValue : value
            return (
              <tr key={value}>
                <th scope="row">{name}</th>
                <td>{count > 0 ? count : ''}</td>
                <td>
                  <Select
                    name={name}
                    value={String(mapping[value] ?? LEAVE)}
                    options={{ [LEAVE]: texts.leave, ...CODE_NAMES }}
                    onChange={(code) =>
                      onChange({ ...mapping, [value]: code === LEAVE ? null : Number(code) })
                    }
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
