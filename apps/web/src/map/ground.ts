import type { GeoJSONSource, LineLayerSpecification, Map as MapLibreMap } from 'maplibre-gl'
import { create } from 'zustand'
import type { Scheme } from './basemap.ts'

/** The ground that needs no network: `ground.json` of the site's folder, made by tools/ground.ts. */
export interface Ground {
  /** Whose coordinates they are, as HTML. */
  attribution: string
  departments: string[]
  rivers: { name: string; great: boolean; line: string }[]
  /** Rank 1 are motorways. */
  roads: { rank: number; line: string }[]
  /** The larger first; `at` is [lng, lat]. */
  towns: { name: string; at: [number, number]; rank: number }[]
}

/** The ground once it is here; null where a site has none. */
export const useGround = create<{ ground: Ground | null }>()(() => ({ ground: null }))

let loading: Promise<Ground | null> | null = null

/** Fetches the ground once; a site without one is as good. */
function loadGround(): Promise<Ground | null> {
  loading ??= fetch('/site/ground.json')
    .then((response) => (response.ok ? (response.json() as Promise<Ground>) : null))
    .catch(() => null)
    .then((ground) => {
      useGround.setState({ ground })
      return ground
    })
  return loading
}

/** Points [lng, lat] of an encoded polyline of 1e-4 degrees, latitude first. */
export function decodeLine(text: string): [number, number][] {
  const points: [number, number][] = []
  const at = [0, 0]
  let k = 0
  while (k < text.length) {
    for (const axis of [0, 1]) {
      let bits = 0
      for (let shift = 1; ; shift *= 32) {
        const part = text.charCodeAt(k++) - 63
        bits += (part % 32) * shift
        if (part < 32) break
      }
      at[axis] += bits % 2 === 0 ? bits / 2 : -(bits + 1) / 2
    }
    points.push([at[1] / 1e4, at[0] / 1e4])
  }
  return points
}

const SOURCE = 'radx-ground'
const COLORS = {
  light: { road: '#d2dada', border: '#b4c0c2', river: '#9fc0cc' },
  dark: { road: '#1e282b', border: '#334044', river: '#235160' },
} as const

type LinePaint = NonNullable<LineLayerSpecification['paint']>

function layers(scheme: Scheme): LineLayerSpecification[] {
  const { road, border, river } = COLORS[scheme]
  const line = (
    id: string,
    filter: LineLayerSpecification['filter'],
    paint: LinePaint,
    minzoom = 0,
  ): LineLayerSpecification => ({
    id: `${SOURCE}-${id}`,
    type: 'line',
    source: SOURCE,
    filter,
    minzoom,
    layout: { 'line-join': 'round', 'line-cap': 'round' },
    paint,
  })
  const wider = (from: number, to: number): LinePaint['line-width'] => [
    'interpolate',
    ['linear'],
    ['zoom'],
    6,
    from,
    12,
    to,
  ]
  const isRoad = (rank: number) => ['==', ['get', 'kind'], `road${rank}`] as LineLayerSpecification['filter']
  return [
    line('primary', isRoad(3), { 'line-color': road, 'line-width': wider(0.4, 2) }, 8.5),
    line('trunk', isRoad(2), { 'line-color': road, 'line-width': wider(0.6, 2.5) }, 7.5),
    line('motorway', isRoad(1), { 'line-color': road, 'line-width': wider(1, 3.5) }),
    line('border', ['==', ['get', 'kind'], 'border'], {
      'line-color': border,
      'line-width': 1,
      'line-dasharray': [4, 3],
    }),
    line('stream', ['==', ['get', 'kind'], 'stream'], { 'line-color': river, 'line-width': wider(0.9, 2) }),
    line('river', ['==', ['get', 'kind'], 'river'], { 'line-color': river, 'line-width': wider(1.6, 4) }),
  ]
}

const RIVERS = ['stream', 'river'].map((id) => `${SOURCE}-${id}`)

/** Rivers, departments and main roads, drawn under the rain. */
export class GroundLayers {
  private readonly map: MapLibreMap
  private readonly below: string
  private scheme: Scheme
  private rivers = true
  /** Nothing of it stands under tiles, which have it all. */
  private covered = false

  constructor(map: MapLibreMap, scheme: Scheme, below: string) {
    this.map = map
    this.scheme = scheme
    this.below = below
  }

  /** Adds the ground to a style that has just loaded. @returns what it found */
  async add(): Promise<Ground | null> {
    const ground = await loadGround()
    // The map may be gone by now, or have been given the ground already.
    if (ground === null || !this.map.style || !this.map.getLayer(this.below)) return ground
    if (this.map.getSource(SOURCE)) return ground
    this.map.addSource(SOURCE, { type: 'geojson', data: features(ground), tolerance: 0.2 })
    for (const layer of layers(this.scheme)) this.map.addLayer(layer, this.below)
    this.show()
    return ground
  }

  setScheme(scheme: Scheme): void {
    this.scheme = scheme
    for (const { id, paint } of layers(scheme))
      if (this.map.getLayer(id)) this.map.setPaintProperty(id, 'line-color', paint?.['line-color'])
  }

  setRivers(shown: boolean): void {
    this.rivers = shown
    this.show()
  }

  setCovered(covered: boolean): void {
    this.covered = covered
    this.show()
  }

  private show(): void {
    for (const { id } of layers(this.scheme)) {
      if (!this.map.style || !this.map.getLayer(id)) continue
      const shown = !this.covered && (this.rivers || !RIVERS.includes(id))
      this.map.setLayoutProperty(id, 'visibility', shown ? 'visible' : 'none')
    }
  }
}

function features({ departments, rivers, roads }: Ground): Parameters<GeoJSONSource['setData']>[0] {
  const feature = (kind: string, line: string) => ({
    type: 'Feature' as const,
    properties: { kind },
    geometry: { type: 'LineString' as const, coordinates: decodeLine(line) },
  })
  return {
    type: 'FeatureCollection',
    features: [
      ...departments.map((line) => feature('border', line)),
      ...rivers.map(({ great, line }) => feature(great ? 'river' : 'stream', line)),
      ...roads.map(({ rank, line }) => feature(`road${rank}`, line)),
    ],
  }
}
