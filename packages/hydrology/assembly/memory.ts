// Local inertial shallow water on four cells at a time; the formulas are those of src/surface/reference.ts.
// Depth is f64 with an f32 copy (0 where a cell is not live); fluxes, friction and bed steps are f32.
// What a quad of four cells needs in every part of a step lies in two records, one that changes and one that does not, so
// that a lone wet quad costs few cache lines; soil has records of its own, all else lies in arrays.
// Each row has bitmasks, a bit a quad: ACTIVE some cell deeper than the dry depth, SOAKING some cell with water over soil,
// FLOWING some eastern or southern face that carries water, so that dry and still quads cost nothing; SOIL some cell of
// soil, ALIVE all cells live, RAINED some cell on which rain falls and LEAVING some face or cell that the kinematic
// limit counts for less (PACE_X and PACE_Y, squared, and PACE); the others are those of levels.ts.

import { GRAVITY } from './gravity'
import { beginPart } from './levels'
import { FixedQuad, FlowDepths, Header, Quad, SoilQuad } from './records'
import { placeConstants } from './vectors'

// Bytes of records, and where their fields stand: loads take them as constants.
export const QUAD: usize = offsetof<Quad>()
export const SHALLOW: usize = offsetof<Quad>('shallow')
export const QX: usize = offsetof<Quad>('qx')
export const QY: usize = offsetof<Quad>('qy')
export const DEPTH: usize = offsetof<Quad>('depth')
export const FIXED_QUAD: usize = offsetof<FixedQuad>()
export const STEP_X: usize = offsetof<FixedQuad>('stepX')
export const STEP_Y: usize = offsetof<FixedQuad>('stepY')
export const FRICTION_X: usize = offsetof<FixedQuad>('frictionX')
export const FRICTION_Y: usize = offsetof<FixedQuad>('frictionY')
export const SOIL_QUAD: usize = offsetof<SoilQuad>()
export const KH: usize = offsetof<SoilQuad>('kh')
export const SUCTION: usize = offsetof<SoilQuad>('suction')
export const SOILMD: usize = offsetof<SoilQuad>('soilmd')

export const RAINING: i32 = 1
export const INTERCEPTING: i32 = 2
export const SAMPLE: i32 = 4

export let header: Header = changetype<Header>(0)
/** Quads in a row. */
export let quads: i32 = 0
export let rows: i32 = 0
export let words: i32 = 0
/** From a record to the one below. */
export let down: usize = 0

export let QUADS: usize = 0
export let RAIN: usize = 0
export let INTERCEPTION: usize = 0
export let MAX_SPEED: usize = 0
export let MAX_DEPTH_SPEED: usize = 0
export let SPEED_X: usize = 0
export let SPEED_Y: usize = 0
export let NORMAL_X: usize = 0
export let NORMAL_Y: usize = 0
export let PACE_X: usize = 0
export let PACE_Y: usize = 0
export let PACE: usize = 0
export let LIVE: usize = 0
export let SOIL_QUADS: usize = 0
export let FIXED_QUADS: usize = 0
export let MAX_DEPTH: usize = 0
export let INFILTRATED: usize = 0
export let ACTIVE: usize = 0
export let SOAKING: usize = 0
export let FLOWING: usize = 0
export let SOIL: usize = 0
export let ALIVE: usize = 0
export let LEAVING: usize = 0
export let WANT_HALVES: usize = 0
export let WANT_QUARTERS: usize = 0
export let FACE_HALVES: usize = 0
export let FACE_QUARTERS: usize = 0
export let CELL_HALVES: usize = 0
export let CELL_QUARTERS: usize = 0
export let RAINED: usize = 0
export let EDGES: usize = 0
export let EDGE_ROWS: usize = 0
export let ROW_MAX: usize = 0
export let ROW_SPEED: usize = 0
export let ROW_SPREAD: usize = 0
export let LEVELS: usize = 0
export let DRAINS: usize = 0
export let INLETS: usize = 0
/** The first drain of each row. */
export let DRAIN_ROWS: usize = 0
/** Heads at outlets, m, and what each drain took, m of its cell. */
export let HEADS: usize = 0
export let TAKEN: usize = 0
export let CONTROL: usize = 0
/** Depths of the flow through the faces of a word of quads, f32x4 east and south each; of this thread alone. */
export let FLOW_DEPTHS: usize = 0
const FLOW_DEPTHS_BYTES: usize = 64 * offsetof<FlowDepths>()

// Set at the start of every part of a step from the header.
/** Length of the step, s; its parts are shorter. */
export let dt: f64 = 0
export let dx: f64 = 0
export let dry: f32 = 0
export let vDry: v128 = f32x4.splat(0)
export let vFroude2: v128 = f32x4.splat(0)
export let froude: f32 = 0

/** Reads sizes and addresses; every thread does this once. */
export function bind(at: usize): void {
  placeConstants()
  header = changetype<Header>(at)
  quads = header.stride >> 2
  rows = header.rows
  words = header.words
  down = <usize>quads * QUAD
  QUADS = header.quads
  FIXED_QUADS = header.fixed
  SOIL_QUADS = header.soils
  RAIN = header.rain
  INTERCEPTION = header.interception
  INFILTRATED = header.infiltrated
  MAX_DEPTH = header.maxDepth
  MAX_SPEED = header.maxSpeed
  MAX_DEPTH_SPEED = header.maxDepthSpeed
  SPEED_X = header.speedX
  SPEED_Y = header.speedY
  NORMAL_X = header.normalX
  NORMAL_Y = header.normalY
  PACE_X = header.paceX
  PACE_Y = header.paceY
  PACE = header.pace
  LIVE = header.live
  ACTIVE = header.active
  SOAKING = header.soaking
  FLOWING = header.flowing
  SOIL = header.soil
  ALIVE = header.alive
  LEAVING = header.leaving
  WANT_HALVES = header.wantHalves
  WANT_QUARTERS = header.wantQuarters
  FACE_HALVES = header.faceHalves
  FACE_QUARTERS = header.faceQuarters
  CELL_HALVES = header.cellHalves
  CELL_QUARTERS = header.cellQuarters
  RAINED = header.rained
  EDGES = header.edges
  EDGE_ROWS = header.edgeRows
  ROW_MAX = header.rowMax
  ROW_SPEED = header.rowSpeed
  ROW_SPREAD = header.rowSpread
  LEVELS = header.levels
  DRAINS = header.drains
  INLETS = header.inlets
  DRAIN_ROWS = header.drainRows
  HEADS = header.heads
  TAKEN = header.taken
  CONTROL = header.control
  FLOW_DEPTHS = header.flowDepths
}

/** Takes the room of one of several threads, counted from 0. */
export function bindThread(thread: i32): void {
  FLOW_DEPTHS += <usize>thread * FLOW_DEPTHS_BYTES
}

export function begin(): void {
  dt = header.dt
  dx = header.dx
  dry = <f32>header.dry
  vDry = f32x4.splat(dry)
  froude = <f32>(header.froude * sqrt<f64>(GRAVITY))
  vFroude2 = f32x4.splat(froude * froude)
  beginPart()
}

// @inline
export function word(masks: usize, row: i32, w: i32): u64 {
  return load<u64>(masks + ((<usize>(row * words + w)) << 3))
}

// @inline
export function setWord(masks: usize, row: i32, w: i32, bits: u64): void {
  store<u64>(masks + ((<usize>(row * words + w)) << 3), bits)
}

/** Quads of a mask word that exist; shifting a mask must not reach into the next row. */
// @inline
export function existing(w: i32): u64 {
  const count = quads - (w << 6)
  return count >= 64 ? ~(<u64>0) : ((<u64>1) << count) - 1
}

// @inline
export function recordOf(quad: usize): usize {
  return QUADS + quad * QUAD
}

/** Quads with some face that carries water. */
// @inline
export function touchedQuads(row: i32, w: i32): u64 {
  const flow = word(FLOWING, row, w)
  const before = w > 0 ? word(FLOWING, row, w - 1) >> 63 : 0
  return (flow | (flow << 1) | before | word(FLOWING, row - 1, w)) & existing(w)
}

export function flags(): i32 {
  return header.flags
}

export function control(): usize {
  return CONTROL
}

/** All rows that take part: the grid and its ghost rows. */
export function firstRow(): i32 {
  return 1
}

export function endRow(): i32 {
  return rows - 1
}
