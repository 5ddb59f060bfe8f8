import type { BuilderSource } from '@radx/contracts/builder'
import type { Draft } from './api.ts'

type Layer = NonNullable<BuilderSource['layers']>[number]

/** A layer that a step can be given: a file, or one of the layers of a GeoPackage. */
export interface Choice {
  value: string
  label: string
  file: string
  layer: string | undefined
  about: Layer
}

const keyOf = (file: string, layer: string | null | undefined) => `${file}\n${layer ?? ''}`

export const layerChoices = (files: Draft['files'], ...geometries: readonly Layer['geometry'][]): Choice[] =>
  files.flatMap(({ name: file, holds: { layers = [] } }) =>
    layers
      .filter(({ geometry }) => geometries.includes(geometry))
      .map((about) => ({
        value: keyOf(file, about.name),
        label: about.name === null ? file : `${file}, ${about.name}`,
        file,
        layer: about.name ?? undefined,
        about,
      })),
  )

/** What a recipe's source is among the choices; it may name a file that is gone. */
export const chosenOf = (source: { file?: string; layer?: string } | undefined): string =>
  source?.file === undefined ? '' : keyOf(source.file, source.layer)

export const filesWith = (files: Draft['files'], kind: 'raster' | 'network' | 'table') =>
  files.filter(({ holds }) => holds[kind] !== undefined)
