import { HydrologyError } from '../errors.ts'
import type { Field } from '../surface/types.ts'

export type StateArray = Float64Array | Float32Array | Int32Array | Uint32Array | Uint8Array
export type StateType = 'f64' | 'f32' | 'i32' | 'u32' | 'u8'

/** One array of a state, under the name of its part and its own, such as `surface.kernel.depth`. */
export interface StateSection {
  name: string
  values: StateArray
}

/**
 * What a part of the engine names its state to. Each part has one list, its `visit`: by it the state is saved, checked and
 * restored, so that none of the three can forget what another knows.
 */
export interface StateVisitor {
  /** A part within, with names of its own. */
  part(name: string, visit: (state: StateVisitor) => void): void
  /** A number; the part takes what comes back, which when saving is what it gave. */
  number(name: string, value: number): number
  flag(name: string, value: boolean): boolean
  /** An array that keeps its identity: its values are taken and put back. */
  array(name: string, values: StateArray): void
  /** Values of which there may be more or fewer; the part takes what comes back. */
  list(name: string, values: Float64Array): Float64Array
  /** Values of `size` padded cells that lie in quads. */
  field(name: string, field: Field, size: number): void
  /** A number of each of some objects. */
  column<T>(
    name: string,
    items: readonly T[],
    get: (item: T) => number,
    set: (item: T, value: number) => void,
  ): void
  /** What is found anew before it is looked at: not kept, and emptied when a state is restored. */
  scratch(values: StateArray): void
}

/** Whatever has a state that outlives a step. */
export interface Stateful {
  visit(state: StateVisitor): void
}

abstract class Walk implements StateVisitor {
  protected path = ''

  part(name: string, visit: (state: StateVisitor) => void): void {
    const outer = this.path
    this.path = `${outer}${name}.`
    visit(this)
    this.path = outer
  }

  flag(name: string, value: boolean): boolean {
    return this.number(name, value ? 1 : 0) !== 0
  }

  field(name: string, { values, quad }: Field, size: number): void {
    const plain = new (typeOf(values) === 'f32' ? Float32Array : Float64Array)(size)
    for (let i = 0; i < size; i++) plain[i] = values[(i >> 2) * quad + (i & 3)]
    this.array(name, plain)
    if (this.changes) for (let i = 0; i < size; i++) values[(i >> 2) * quad + (i & 3)] = plain[i]
  }

  column<T>(
    name: string,
    items: readonly T[],
    get: (item: T) => number,
    set: (item: T, value: number) => void,
  ) {
    const values = Float64Array.from(items, get)
    this.array(name, values)
    if (this.changes) for (const [k, item] of items.entries()) set(item, values[k])
  }

  scratch(values: StateArray): void {
    if (this.changes) values.fill(0)
  }

  /** Whether arrays get what was kept. */
  protected abstract readonly changes: boolean
  abstract number(name: string, value: number): number
  abstract array(name: string, values: StateArray): void
  abstract list(name: string, values: Float64Array): Float64Array
}

class Saving extends Walk {
  readonly changes = false
  readonly sections: StateSection[] = []
  readonly numbers = new Map<string, number>()

  number(name: string, value: number): number {
    this.numbers.set(this.path + name, value)
    return value
  }

  array(name: string, values: StateArray): void {
    this.sections.push({ name: this.path + name, values: values.slice() })
  }

  list(name: string, values: Float64Array): Float64Array {
    this.array(name, values)
    return values
  }
}

/** What was saved, by name. */
export interface SavedState {
  /** Numbers of all parts, in the order in which parts named them. */
  numbers: ReadonlyMap<string, number>
  sections: readonly StateSection[]
}

/** Takes the state of what `visit` names. Arrays are copies: the engine may go on. */
export function saveState(visit: (state: StateVisitor) => void): SavedState {
  const saving = new Saving()
  visit(saving)
  return saving
}

class Checking extends Walk {
  readonly changes: boolean = false
  protected readonly sections: ReadonlyMap<string, StateArray>
  protected readonly numbers: ReadonlyMap<string, number>
  protected readonly seen = new Set<string>()

  constructor({ numbers, sections }: SavedState) {
    super()
    this.numbers = numbers
    this.sections = new Map(sections.map(({ name, values }) => [name, values]))
  }

  number(name: string, value: number): number {
    this.find(this.numbers, name)
    return value
  }

  array(name: string, values: StateArray): void {
    const kept = this.find(this.sections, name)
    if (typeOf(kept) !== typeOf(values) || kept.length !== values.length) throw otherLayout(this.path + name)
  }

  list(name: string, values: Float64Array): Float64Array {
    const kept = this.find(this.sections, name)
    if (typeOf(kept) !== 'f64') throw otherLayout(this.path + name)
    return this.changes ? (kept.slice() as Float64Array) : values
  }

  /** @throws HydrologyError `state.layout` when something was kept that nobody asks for */
  finish(): void {
    for (const name of [...this.numbers.keys(), ...this.sections.keys()])
      if (!this.seen.has(name)) throw otherLayout(name)
  }

  protected find<T>(values: ReadonlyMap<string, T>, name: string): T {
    const whole = this.path + name
    const kept = values.get(whole)
    if (kept === undefined || this.seen.has(whole)) throw otherLayout(whole)
    this.seen.add(whole)
    return kept
  }
}

class Restoring extends Checking {
  override readonly changes = true

  override number(name: string): number {
    return this.find(this.numbers, name)
  }

  override array(name: string, values: StateArray): void {
    values.set(this.find(this.sections, name))
  }
}

/**
 * Puts a state back into what `visit` names, whatever that did before.
 *
 * @throws HydrologyError `state.layout`, and nothing is changed, when it is not the state of such an engine
 */
export function restoreState(visit: (state: StateVisitor) => void, saved: SavedState): void {
  const checking = new Checking(saved)
  visit(checking)
  checking.finish()
  visit(new Restoring(saved))
}

/** Which parts of a state a run that begins from it leaves: what they count is its own. */
export interface Beginning {
  /** Whether the value of this name is left as it is. */
  leaves(name: string): boolean
  /** Whether the values of this name may be no more than what this run begins with, such as what a new ground can hold. */
  bounds(name: string): boolean
}

/** As restoring, but for what is left. */
class BeginningWith extends Checking {
  override readonly changes = true
  private readonly how: Beginning

  constructor(saved: SavedState, how: Beginning) {
    super(saved)
    this.how = how
  }

  override number(name: string, value: number): number {
    return this.leaves(name) ? value : this.find(this.numbers, name)
  }

  override array(name: string, values: StateArray): void {
    if (this.leaves(name)) return
    const kept = this.find(this.sections, name)
    if (this.how.bounds(this.path + name))
      for (let k = 0; k < values.length; k++) values[k] = Math.min(values[k], kept[k])
    else values.set(kept)
  }

  override list(name: string, values: Float64Array): Float64Array {
    return this.leaves(name) ? values : super.list(name, values)
  }

  private leaves(name: string): boolean {
    return this.how.leaves(this.path + name)
  }
}

class CheckingBeginning extends Checking {
  private readonly how: Beginning

  constructor(saved: SavedState, how: Beginning) {
    super(saved)
    this.how = how
  }

  override number(name: string, value: number): number {
    return this.how.leaves(this.path + name) ? value : super.number(name, value)
  }

  override array(name: string, values: StateArray): void {
    if (!this.how.leaves(this.path + name)) super.array(name, values)
  }
}

/**
 * Begins from the state of another run of the same grid and network: what is left stays as this run has it.
 *
 * @throws HydrologyError `state.layout`, and nothing is changed, when something that is not left is missing or of another size
 */
export function beginState(visit: (state: StateVisitor) => void, saved: SavedState, how: Beginning): void {
  visit(new CheckingBeginning(saved, how))
  visit(new BeginningWith(saved, how))
}

const otherLayout = (name: string) =>
  new HydrologyError(
    'state.layout',
    `L’état ne va pas avec ce calcul : « ${name} » y manque, y est en trop ou n’a pas la même taille.`,
    { details: { section: name } },
  )

/** Type of an array, as files name it. */
export function typeOf(values: StateArray): StateType {
  if (values instanceof Float64Array) return 'f64'
  if (values instanceof Float32Array) return 'f32'
  if (values instanceof Int32Array) return 'i32'
  return values instanceof Uint32Array ? 'u32' : 'u8'
}
