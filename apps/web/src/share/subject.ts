import type { RadxMap } from '../map/createMap.ts'
import type { Backdrop } from './backdrop.ts'
import type { PlateLegend } from './plate.ts'
import type { CellPlace, CodeLook } from './protocol.ts'

/** What moves: one grid of codes a moment. */
export interface FilmSubject {
  title: string
  legend: PlateLegend
  count: number
  nrows: number
  ncols: number
  place: (backdrop: Backdrop) => CellPlace
  look: CodeLook
  /** When a moment is, with its zone. */
  clock: (moment: number) => string
  /** `[row * ncols + col]`, row 0 north; bytes are handed over, so a copy each time. */
  codes: (moment: number, signal: AbortSignal) => Promise<Uint8Array<ArrayBuffer> | Uint16Array<ArrayBuffer>>
  /** Layers of the map that the animation draws itself; ground and what lies over it part at the first. */
  moving: readonly string[]
}

/** What of a screen can be shared, as it stands when it is asked for. */
export interface ShareSubject {
  radx: RadxMap
  title: string
  /** Of the moment or period on the map. */
  clock: string
  legend: PlateLegend
  attribution: string
  /** How the file is called, without its ending. */
  fileName: string
  /** null where the screen has nothing that moves. */
  film: FilmSubject | null
  /** Address of the read-only view of the same, to stand on other pages; null without one. */
  embed: string | null
}
