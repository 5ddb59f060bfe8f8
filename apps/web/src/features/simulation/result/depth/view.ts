import { DEPTH_LIMITS_M, DEPTH_ZOOM_PX } from '@radx/contracts/flood-constants'
import { useCallback, useMemo } from 'react'
import { useAddressParams } from '../../../../app/address-params.ts'

export const DEPTH_VIEWS = ['2d', '3d', 'carte'] as const
export type DepthViewName = (typeof DEPTH_VIEWS)[number]
export const DEPTH_PALETTES = ['turbo', 'spectral'] as const
export type DepthPalette = (typeof DEPTH_PALETTES)[number]

/** Depths from which areas are counted, cm. */
export const AREA_LIMITS_CM: readonly number[] = DEPTH_LIMITS_M.filter((limit) => limit > 0).map((limit) =>
  Math.round(100 * limit),
)
/** A kerb: what stays in the gutter floods nobody. */
const DEFAULT_AREA_CM = 10

/** How the depths of a run are shown; the page's address carries it. */
export interface DepthViewState {
  view: DepthViewName
  palette: DepthPalette
  /** cm; null is the default: 0 and the maximum of the data. */
  minCm: number | null
  maxCm: number | null
  /** 1 to 3. */
  zoom: number
  /** Chosen cell, row and column from the north-west. */
  cell: { row: number; col: number } | null
  /** 3D: what is below is hidden, cm; null hides by itself. */
  hideCm: number | null
  wireframe: boolean
  /** Over time: a cell counts as flooded from this depth on, cm. */
  areaCm: number
  /** Map: how much deeper this run is than the reference, instead of its depths. */
  difference: boolean
}

const KEYS = {
  view: 'vue',
  palette: 'couleurs',
  minCm: 'min',
  maxCm: 'max',
  zoom: 'zoom',
  cell: 'cellule',
  hideCm: 'seuil',
  wireframe: 'rendu',
  areaCm: 'profondeur',
  difference: 'ecart',
} as const

const oneOf = <T extends string>(names: readonly T[], text: string | null): T =>
  names.find((name) => name === text) ?? names[0]

function number(text: string | null): number | null {
  const value = text === null || text.trim() === '' ? Number.NaN : Number(text)
  return value >= 0 && Number.isFinite(value) ? value : null
}

export function readDepthView(params: URLSearchParams): DepthViewState {
  const zoom = Number(params.get(KEYS.zoom))
  const cell = /^(\d{1,5}),(\d{1,5})$/.exec(params.get(KEYS.cell) ?? '')
  return {
    view: oneOf(DEPTH_VIEWS, params.get(KEYS.view)),
    palette: oneOf(DEPTH_PALETTES, params.get(KEYS.palette)),
    minCm: number(params.get(KEYS.minCm)),
    maxCm: number(params.get(KEYS.maxCm)),
    zoom: Number.isInteger(zoom) && zoom >= 1 && zoom <= DEPTH_ZOOM_PX.length ? zoom : 1,
    cell: cell ? { row: Number(cell[1]), col: Number(cell[2]) } : null,
    hideCm: number(params.get(KEYS.hideCm)),
    wireframe: params.get(KEYS.wireframe) === 'filaire',
    areaCm: AREA_LIMITS_CM.find((cm) => String(cm) === params.get(KEYS.areaCm)) ?? DEFAULT_AREA_CM,
    difference: params.get(KEYS.difference) === 'oui',
  }
}

/** The address after a change; what is as at the start is left out, what belongs to others stays. */
export function writeDepthView(before: URLSearchParams, change: Partial<DepthViewState>): URLSearchParams {
  const next = { ...readDepthView(before), ...change }
  const params = new URLSearchParams(before)
  const texts: Record<keyof typeof KEYS, string> = {
    view: next.view === DEPTH_VIEWS[0] ? '' : next.view,
    palette: next.palette === DEPTH_PALETTES[0] ? '' : next.palette,
    minCm: next.minCm === null ? '' : String(next.minCm),
    maxCm: next.maxCm === null ? '' : String(next.maxCm),
    zoom: next.zoom === 1 ? '' : String(next.zoom),
    cell: next.cell === null ? '' : `${next.cell.row},${next.cell.col}`,
    hideCm: next.hideCm === null ? '' : String(next.hideCm),
    wireframe: next.wireframe ? 'filaire' : '',
    areaCm: next.areaCm === DEFAULT_AREA_CM ? '' : String(next.areaCm),
    difference: next.difference ? 'oui' : '',
  }
  for (const [name, text] of Object.entries(texts)) {
    const key = KEYS[name as keyof typeof KEYS]
    if (text === '') params.delete(key)
    else params.set(key, text)
  }
  return params
}

export function useDepthView() {
  const [params, setParams] = useAddressParams()
  const change = useCallback(
    (next: Partial<DepthViewState>) => setParams((before) => writeDepthView(before, next)),
    [setParams],
  )
  return useMemo(() => ({ ...readDepthView(params), change }), [params, change])
}
