import { NativeSelect } from '@mantine/core'
import type { DraftRecipe } from '@radx/contracts/builder'
import { IconArrowDown, IconArrowUp, IconTrash } from '@tabler/icons-react'
import { builderTexts } from '../../../texts/builder.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import classes from '../Builder.module.css'
import { type Choice, filesWith, layerChoices } from '../choices.ts'
import { CODE_NAMES, Select } from '../fields.tsx'
import { Sources } from '../Sources.tsx'
import { useBuilder } from '../useBuilder.ts'
import { LandLayerForm } from './LandLayerForm.tsx'

const texts = builderTexts.land
type LandUse = NonNullable<DraftRecipe['landUse']>
export type LandLayer = NonNullable<LandUse['layers']>[number]

const DEFAULT_CODE = 3
const [ROAD_CODE, ROAD_M] = [2, 6]

/** Land use: layers over each other, each with what its values mean. */
export function LandUseStep() {
  const { recipe, change, draft } = useBuilder()
  const { landUse = {} } = recipe
  const layers = landUse.layers ?? []
  const set = (more: Partial<LandUse>) =>
    change((before) => ({ ...before, landUse: { ...before.landUse, ...more } }))
  const put = (k: number, layer: LandLayer) =>
    set({ layers: layers.map((one, i) => (i === k ? layer : one)) })
  const swap = (k: number, by: number) => {
    const next = [...layers]
    ;[next[k], next[k + by]] = [next[k + by], next[k]]
    set({ layers: next })
  }
  const choices = layerChoices(draft.files, 'polygons', 'lines')
  const rasters = filesWith(draft.files, 'raster')
  return (
    <>
      <div className={classes.fields}>
        <Select
          label={texts.default}
          value={String(landUse.default ?? DEFAULT_CODE)}
          options={CODE_NAMES}
          onChange={(code) => set({ default: Number(code) })}
        />
        <Select
          label={texts.water}
          value={String(landUse.permanentWaterCode ?? '')}
          options={{ '': texts.noWater, ...CODE_NAMES }}
          onChange={(code) => set({ permanentWaterCode: code === '' ? undefined : Number(code) })}
        />
      </div>
      <fieldset className={classes.group}>
        <legend>{texts.layers}</legend>
        {layers.map((layer, k) => (
          <section key={k} className={classes.card} aria-label={nameOf(layer)}>
            <div className={classes.cardHead}>
              <strong>{nameOf(layer)}</strong>
              <span>
                <IconButton label={texts.up(nameOf(layer))} disabled={k === 0} onClick={() => swap(k, -1)}>
                  <IconArrowUp size={18} stroke={1.75} />
                </IconButton>
                <IconButton
                  label={texts.down(nameOf(layer))}
                  disabled={k === layers.length - 1}
                  onClick={() => swap(k, 1)}
                >
                  <IconArrowDown size={18} stroke={1.75} />
                </IconButton>
                <IconButton
                  label={texts.removeLayer(nameOf(layer))}
                  onClick={() => set({ layers: layers.filter((_, i) => i !== k) })}
                >
                  <IconTrash size={18} stroke={1.75} />
                </IconButton>
              </span>
            </div>
            <LandLayerForm layer={layer} onChange={(next) => put(k, next)} />
          </section>
        ))}
        <NativeSelect
          label={texts.add}
          value=""
          onChange={({ currentTarget: { value } }) => {
            const choice = choices.find((one) => one.value === value)
            const raster = rasters.find(({ name }) => name === value)
            const layer = choice ? layerOf(choice) : raster && rasterLayer(raster)
            if (layer) set({ layers: [...layers, layer] })
          }}
        >
          <option value="">{builderTexts.field.choose}</option>
          {rasters.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
          {choices.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </NativeSelect>
      </fieldset>
      <Sources />
    </>
  )
}

const nameOf = (layer: LandLayer): string =>
  layer.file === undefined
    ? layer.kind
    : 'layer' in layer && layer.layer
      ? `${layer.file}, ${layer.layer}`
      : layer.file

/** What a layer most likely is. */
function layerOf({ file, layer, about }: Choice): LandLayer {
  const source = { file, ...(layer === undefined ? {} : { layer }) }
  if (about.geometry === 'lines') return { kind: 'lines', ...source, code: ROAD_CODE, width: ROAD_M }
  if (/b[aâ]ti|building/i.test(`${file} ${layer ?? ''}`)) return { kind: 'buildings', ...source }
  return { kind: 'polygons', ...source, code: DEFAULT_CODE }
}

/** Values that are codes themselves are taken as they are. */
function rasterLayer({ name, holds }: ReturnType<typeof filesWith>[number]): LandLayer {
  const values = holds.raster?.values ?? null
  const areCodes = values?.every(({ value }) => value in CODE_NAMES) ?? false
  return {
    kind: 'raster',
    file: name,
    map: values === null || areCodes ? 'same' : Object.fromEntries(values.map(({ value }) => [value, null])),
  }
}
