import type { PublicSite } from '@radx/contracts/site'
import {
  addProtocol,
  type ExpressionSpecification,
  type LayerSpecification,
  type Map as MapLibreMap,
} from 'maplibre-gl'
import { PMTiles, Protocol } from 'pmtiles'
import type { Scheme } from './basemap.ts'
import { labelFont } from './fonts.ts'

type PmtilesConfig = Extract<PublicSite['tiles'], { kind: 'pmtiles' }>

const protocol = new Protocol()
addProtocol('pmtiles', protocol.tile)

const COLORS = {
  light: {
    water: '#c9dbe2',
    green: '#e3eae2',
    built: '#e6e8e7',
    road: '#ffffff',
    rail: '#d6dada',
    line: '#b9c3c5',
    ink: '#5b6a70',
    halo: '#f4f6f6',
  },
  dark: {
    water: '#13262c',
    green: '#111916',
    built: '#14191a',
    road: '#20282a',
    rail: '#1b2224',
    line: '#2d383b',
    ink: '#7d8c91',
    halo: '#0b0f10',
  },
} as const

/** Layers over the OpenMapTiles schema, in the quiet scale of the interface. */
function layers(
  source: string,
  { scheme, font, named }: { scheme: Scheme; font: string; named: readonly string[] },
): LayerSpecification[] {
  const c = COLORS[scheme]
  const name: ExpressionSpecification = ['coalesce', ['get', 'name:fr'], ['get', 'name']]
  const roads = (classes: string[], width: [number, number]): LayerSpecification => ({
    id: `${source}-road-${classes[0]}`,
    type: 'line',
    source,
    'source-layer': 'transportation',
    filter: ['match', ['get', 'class'], classes, true, false],
    paint: {
      'line-color': c.road,
      'line-width': ['interpolate', ['exponential', 1.5], ['zoom'], 8, width[0], 13, width[1]],
    },
  })
  return [
    {
      id: `${source}-green`,
      type: 'fill',
      source,
      'source-layer': 'landcover',
      paint: { 'fill-color': c.green },
    },
    {
      id: `${source}-built`,
      type: 'fill',
      source,
      'source-layer': 'landuse',
      filter: ['match', ['get', 'class'], ['residential', 'commercial', 'industrial'], true, false],
      paint: { 'fill-color': c.built },
    },
    {
      id: `${source}-water`,
      type: 'fill',
      source,
      'source-layer': 'water',
      paint: { 'fill-color': c.water },
    },
    {
      id: `${source}-waterway`,
      type: 'line',
      source,
      'source-layer': 'waterway',
      paint: { 'line-color': c.water, 'line-width': 1 },
    },
    roads(['rail'], [0.3, 1]),
    roads(['tertiary', 'minor'], [0.2, 1.4]),
    roads(['primary', 'secondary'], [0.4, 2.4]),
    roads(['motorway', 'trunk'], [0.8, 3.6]),
    {
      id: `${source}-boundary`,
      type: 'line',
      source,
      'source-layer': 'boundary',
      filter: ['<=', ['get', 'admin_level'], 6],
      paint: { 'line-color': c.line, 'line-width': 0.75, 'line-dasharray': [4, 3] },
    },
    {
      id: `${source}-place`,
      type: 'symbol',
      source,
      'source-layer': 'place',
      minzoom: 10.5,
      filter: [
        'all',
        ['match', ['get', 'class'], ['town', 'village', 'suburb'], true, false],
        // The own reference layer names these already.
        ['!', ['in', name, ['literal', [...named]]]],
      ],
      layout: {
        'text-field': name,
        'text-font': [font],
        'text-size': 11,
      },
      paint: { 'text-color': c.ink, 'text-halo-color': c.halo, 'text-halo-width': 1.25 },
    },
  ]
}

/**
 * Adds a local vector background below the radar; answers the ids of its layers.
 * @param named places that something above it names already
 */
export async function addVector(
  map: MapLibreMap,
  tiles: PmtilesConfig,
  scheme: Scheme,
  source: string,
  below: string,
  named: readonly string[],
): Promise<string[]> {
  const url = new URL(tiles.path, window.location.href).href
  protocol.add(new PMTiles(url))
  if (tiles.glyphs) map.setGlyphs(decodeURI(new URL(tiles.glyphs, window.location.href).href))
  if (!map.getSource(source)) map.addSource(source, { type: 'vector', url: `pmtiles://${url}` })
  const list = layers(source, { scheme, font: labelFont(tiles), named })
  for (const layer of list) if (!map.getLayer(layer.id)) map.addLayer(layer, below)
  return list.map((layer) => layer.id)
}
