/** What lies over the ground; one at a time. */
export const SURFACE_LAYERS = [
  'maximum',
  'instant',
  'pluie',
  'vitesse',
  'ppri',
  'defra',
  'arrivee',
  'duree',
  'duree5',
  'duree50',
  'debit',
  'infiltration',
  'ecart',
  'sol',
] as const
export type SurfaceLayer = (typeof SURFACE_LAYERS)[number]

/** Layers that show the moment of the clock; the others tell of the whole run. */
export const followsClock = (layer: SurfaceLayer): boolean => layer === 'instant' || layer === 'pluie'

/** A line across the grid, in cells from the north-west corner, x to the east, y to the south. */
export interface GridLine {
  x1: number
  y1: number
  x2: number
  y2: number
}
/** Something that was clicked, drawn or named: a cell of the grid, a line across it, a node or a link of the network. */
export type Pick =
  | { kind: 'cell'; row: number; col: number }
  | ({ kind: 'section' } & GridLine)
  | { kind: 'node' | 'link'; name: string }
/** A pick that stays beside the next one. */
export type Kept = Pick & { kept: boolean }

/** Where the map stands, zoom in the library's own counting. */
export interface MapView {
  lng: number
  lat: number
  zoom: number
}

/** From where the town is seen in three dimensions: see the scene's own `View`. */
export interface Camera {
  turn: number
  tilt: number
  distance: number
  x: number
  z: number
}

/** How many times as steep as it is the ground may be shown. */
export const RELIEFS = [1, 2, 4, 8] as const
const RELIEF = 2

/** A state of the workspace, as the page's address carries it. */
export interface WorkspaceAddress {
  layer: SurfaceLayer
  /** Pipes and junctions over it. */
  network: boolean
  picks: readonly Kept[]
  /** The profile between the last two chosen nodes. */
  profile: boolean
  /** A node that the profile goes through; '' by the shortest way. */
  through: string
  view: MapView | null
  /** The town in three dimensions instead of the map. */
  scene: boolean
  relief: number
  camera: Camera | null
}

const KEYS = {
  layer: 'couche',
  network: 'reseau',
  pick: 'choix',
  view: 'lieu',
  profile: 'profil',
  through: 'par',
  mode: 'mode',
  relief: 'relief',
  camera: 'camera',
} as const
/** Cards beside each other, and names in an address, that still can be read. */
export const MOST_PICKS = 8
/** Of the name of a node, characters. */
const MOST_NAME = 100
const [FIRST] = SURFACE_LAYERS
const SHORT = { c: 'cell', s: 'section', n: 'node', l: 'link' } as const

function readPick(text: string): Kept | null {
  const match = /^(\*?)([csnl]):(.{1,100})$/s.exec(text)
  if (match === null) return null
  const kept = match[1] === '*'
  const kind = SHORT[match[2] as keyof typeof SHORT]
  if (kind === 'section') {
    const [x1, y1, x2, y2, ...more] = match[3].split(',').map(Number)
    const fine = [x1, y1, x2, y2].every((n) => n >= 0 && n < 100_000) && more.length === 0
    return fine ? { kind, x1, y1, x2, y2, kept } : null
  }
  if (kind !== 'cell') return { kind, name: match[3], kept }
  const cell = /^(\d{1,5}),(\d{1,5})$/.exec(match[3])
  return cell && { kind, row: Number(cell[1]), col: Number(cell[2]), kept }
}

const told = (pick: Pick): string => {
  if (pick.kind === 'cell') return `${pick.row},${pick.col}`
  if (pick.kind !== 'section') return pick.name
  return [pick.x1, pick.y1, pick.x2, pick.y2].map((n) => Math.round(10 * n) / 10).join(',')
}
const writePick = (pick: Kept): string => `${pick.kept ? '*' : ''}${pick.kind[0]}:${told(pick)}`

/** Names a pick, kept or not. */
export const pickKey = (pick: Pick): string => writePick({ ...pick, kept: false })

function readView(text: string | null): MapView | null {
  const [lng, lat, zoom] = numbersOf(text, 3) ?? []
  return Math.abs(lng) <= 180 && Math.abs(lat) <= 85 && zoom >= 0 && zoom <= 24 ? { lng, lat, zoom } : null
}

/** @param count how many numbers there are @returns null without exactly so many */
function numbersOf(text: string | null, count: number): number[] | null {
  const numbers = (text ?? '').split(',').map(Number)
  return text !== null && numbers.length === count && numbers.every(Number.isFinite) ? numbers : null
}

function readCamera(text: string | null): Camera | null {
  const [turn, tilt, distance, x, z] = numbersOf(text, 5) ?? []
  const fine = tilt >= 0 && tilt < Math.PI / 2 && distance > 0 && distance < 1e6
  return fine && Math.abs(x) < 1e6 && Math.abs(z) < 1e6 ? { turn, tilt, distance, x, z } : null
}

const writeCamera = ({ turn, tilt, distance, x, z }: Camera): string =>
  [turn.toFixed(3), tilt.toFixed(3), distance.toFixed(0), x.toFixed(0), z.toFixed(0)].join(',')

export function readWorkspace(params: URLSearchParams): WorkspaceAddress {
  const asked = params.get(KEYS.layer)
  const compared = params.has('reference')
  const picks = new Map<string, Kept>()
  for (const text of params.getAll(KEYS.pick)) {
    const pick = readPick(text)
    if (pick) picks.set(pickKey(pick), pick)
  }
  return {
    // Without a reference there is no difference to it.
    layer: SURFACE_LAYERS.find((name) => name === asked && (name !== 'ecart' || compared)) ?? FIRST,
    network: params.get(KEYS.network) === 'oui',
    picks: [...picks.values()].slice(0, MOST_PICKS),
    profile: params.get(KEYS.profile) === 'oui',
    through: (params.get(KEYS.through) ?? '').slice(0, MOST_NAME),
    view: readView(params.get(KEYS.view)),
    scene: params.get(KEYS.mode) === '3d',
    relief: RELIEFS.find((times) => String(times) === params.get(KEYS.relief)) ?? RELIEF,
    camera: readCamera(params.get(KEYS.camera)),
  }
}

/** The address after a change; what is as at the start is left out, what belongs to others stays. */
export function writeWorkspace(before: URLSearchParams, change: Partial<WorkspaceAddress>): URLSearchParams {
  const next = { ...readWorkspace(before), ...change }
  const params = new URLSearchParams(before)
  const set = (key: string, text: string) => (text === '' ? params.delete(key) : params.set(key, text))
  set(KEYS.layer, next.layer === FIRST ? '' : next.layer)
  set(KEYS.network, next.network ? 'oui' : '')
  set(KEYS.profile, next.profile ? 'oui' : '')
  set(KEYS.through, next.profile ? next.through : '')
  set(KEYS.mode, next.scene ? '3d' : '')
  set(KEYS.relief, next.relief === RELIEF ? '' : String(next.relief))
  set(KEYS.camera, next.camera ? writeCamera(next.camera) : '')
  const { view } = next
  set(KEYS.view, view ? `${view.lng.toFixed(5)},${view.lat.toFixed(5)},${view.zoom.toFixed(2)}` : '')
  params.delete(KEYS.pick)
  for (const pick of next.picks) params.append(KEYS.pick, writePick(pick))
  return params
}

/** A new pick takes the place of the one that is not kept; one that is there already changes nothing. */
export function withPick(picks: readonly Kept[], pick: Pick): Kept[] {
  const key = pickKey(pick)
  if (picks.some((other) => pickKey(other) === key)) return [...picks]
  return [...picks.filter(({ kept }) => kept).slice(0, MOST_PICKS - 1), { ...pick, kept: false }]
}
