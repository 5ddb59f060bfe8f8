import type {
  SewerAction,
  SewerNetwork,
  SewerObjectRef,
  SewerOperand,
  SewerPremise,
  SewerRule,
} from '@radx/contracts'
import { GRAVITY } from '@radx/contracts/constants'
import type { Stateful, StateVisitor } from '../../state/state.ts'
import type { ConduitPlan } from '../network/conduit-plan.ts'
import { seriesHeld } from '../network/inflows.ts'
import type { SewerPlan } from '../network/plan.ts'
import type { DeviceSet } from './device-set.ts'
import { tableLookup } from './devices.ts'

/** What rules look at; arrays in the file's order. */
export interface ControlView {
  plan: SewerPlan
  devices: Pick<DeviceSet, 'setting' | 'target'>
  /** 1 or 0 by conduit of the plan. */
  open: Uint8Array
  heads: Float64Array
  depths: Float64Array
  volumes: Float64Array
  flows: Float64Array
  linkDepths: Float64Array
  velocities: Float64Array
  /** Volume entering from outside in the step, m3. */
  lateral: Float64Array
}

export interface Controls extends Stateful {
  /** Evaluates the rules for the step that begins at `timeS` and sets the links' targets. */
  apply(timeS: number, dt: number): void
}

const DAY = 86400

/** What a node or link has not, or not now: no comparison with it holds. */
const NONE = Number.NaN

/**
 * Control rules (SWMM Reference Manual II, 6.6). Of the actions on one link the rule with the highest priority
 * wins, among equals the first.
 */
export function createControls(network: SewerNetwork, view: ControlView): Controls {
  return network.rules.length === 0 ? { apply: () => {}, visit: () => {} } : new Rules(network, view)
}

class Rules implements Controls {
  private readonly network: SewerNetwork
  private readonly view: ControlView
  private readonly links: LinkValues
  /** Last two errors of each controller. */
  private readonly errors = new Map<SewerAction, [number, number]>()
  private appliedS = -Infinity
  private nextS = 0

  constructor(network: SewerNetwork, view: ControlView) {
    this.network = network
    this.view = view
    this.links = new LinkValues(network, view)
  }

  apply(timeS: number, dt: number): void {
    // A step that is tried again, shorter, has its settings: a controller would count its errors twice.
    if (timeS === this.appliedS) return
    this.links.noteSwitches(this.appliedS)
    this.appliedS = timeS
    if (timeS + 1e-9 < this.nextS) return
    const { ruleStepS } = this.network.options
    this.nextS = ruleStepS > 0 ? (Math.floor(timeS / ruleStepS + 1e-9) + 1) * ruleStepS : timeS
    const chosen = new Map<number, { value: number; priority: number }>()
    for (const rule of this.network.rules) {
      const actions = this.isTrue(rule, timeS, dt) ? rule.thenActions : rule.elseActions
      for (const action of actions) {
        const value = this.setting(action, rule, timeS, dt)
        const known = chosen.get(action.link)
        if (!known || rule.priority > known.priority)
          chosen.set(action.link, { value, priority: rule.priority })
      }
    }
    for (const [link, { value }] of chosen) this.links.set(link, value)
  }

  visit(state: StateVisitor): void {
    this.appliedS = state.number('appliedS', this.appliedS)
    this.nextS = state.number('nextS', this.nextS)
    // A controller that has not acted goes by errors of 0.
    const actions = this.network.rules.flatMap(({ thenActions, elseActions }) => [
      ...thenActions,
      ...elseActions,
    ])
    const errors = actions.map((action): [number, number] => [
      ...(this.errors.get(action) ?? ([0, 0] as const)),
    ])
    for (const k of [0, 1] as const)
      state.column(
        `errors${k}`,
        errors,
        (pair) => pair[k],
        (pair, value) => {
          pair[k] = value
        },
      )
    this.errors.clear()
    for (const [i, action] of actions.entries()) this.errors.set(action, errors[i])
    this.links.visit(state)
  }

  private isTrue(rule: SewerRule, timeS: number, dt: number): boolean {
    let result = true
    for (const premise of rule.premises) {
      if (premise.join === 'or') {
        if (!result) result = this.holds(premise, timeS, dt)
      } else {
        if (!result) return false
        result = this.holds(premise, timeS, dt)
      }
    }
    return result
  }

  private holds(premise: SewerPremise, timeS: number, dt: number): boolean {
    const { relation } = premise
    const left = this.operand(premise.left, timeS, dt)
    const right = this.operand(premise.right, timeS, dt)
    if (Number.isNaN(left) || Number.isNaN(right)) return false
    if (relation === '=' || relation === '<>') {
      // A moment is met by the step that it falls into.
      const timed = premise.left.type === 'attribute' && premise.left.attribute.includes('TIME')
      const met = timed ? left >= right - dt / 2 && left < right + dt / 2 : left === right
      return met === (relation === '=')
    }
    if (relation === '<') return left < right
    if (relation === '<=') return left <= right
    if (relation === '>') return left > right
    return left >= right
  }

  private operand(side: SewerOperand, timeS: number, dt: number): number {
    if (side.type === 'value') return side.value
    if (side.type === 'attribute') return this.value(side.target, side.attribute, timeS, dt)
    return evaluate(side.tokens, (target, attribute) => this.value(target, attribute, timeS, dt))
  }

  private value(target: SewerObjectRef, attribute: string, timeS: number, dt: number): number {
    const { view } = this
    if (target.object === 'simulation') return clock(attribute, timeS, this.network.options.startEpochS)
    const i = target.index
    if (target.object === 'link') return this.links.value(i, attribute, timeS)
    if (attribute === 'DEPTH') return view.depths[i]
    if (attribute === 'HEAD') return view.heads[i]
    if (attribute === 'VOLUME') return view.volumes[i]
    if (attribute === 'MAXDEPTH') return view.plan.fullDepth[view.plan.positionOf[i]]
    // What comes from outside, without the links' flows, as in EPA SWMM.
    return view.lateral[i] / dt
  }

  /** Setting that an action asks for; controller value and set point come from the rule's last premise. */
  private setting(action: SewerAction, rule: SewerRule, timeS: number, dt: number): number {
    const wish = action.setting
    if (wish.type === 'value') return wish.value
    if (wish.type === 'series') return seriesHeld(wish.series, timeS)
    const premise = rule.premises[rule.premises.length - 1]
    const controlled = this.operand(premise.left, timeS, dt)
    const point = this.operand(premise.right, timeS, dt)
    const target = this.view.devices.target[action.link]
    // ELSE may ask for it while there is nothing to go by: the link stays as it is.
    if (Number.isNaN(controlled) || Number.isNaN(point)) return target
    if (wish.type === 'curve') return tableLookup(wish.curve, controlled)
    const change = this.correction(action, wish, point, controlled, dt / 60)
    const next = Math.max(0, target + (Math.abs(change) < 1e-4 ? 0 : change))
    return this.network.links[action.link].kind === 'pump' ? next : Math.min(1, next)
  }

  /** By how much a PID controller changes a setting. */
  private correction(
    action: SewerAction,
    { kp, ki, kd }: Extract<SewerAction['setting'], { type: 'pid' }>,
    point: number,
    controlled: number,
    minutes: number,
  ): number {
    const [e1, e2] = this.errors.get(action) ?? [0, 0]
    const e0 = point === controlled ? 0 : (point - controlled) / (point === 0 ? controlled : point)
    this.errors.set(action, [e0, e1])
    let change = kp * (e0 - e1)
    if (ki !== 0) change += (kp * e0 * minutes) / ki
    return change + (kp * kd * (e0 - 2 * e1 + e2)) / minutes
  }
}

/** What rules read of links and set. */
class LinkValues implements Stateful {
  private readonly network: SewerNetwork
  private readonly view: ControlView
  /** Conduit of the plan by link; -1 for others. */
  private readonly conduitOf: Int32Array
  private readonly isOpen: Uint8Array
  /** When each link was last opened or shut; throttling does not count. */
  private readonly switchedAt: Float64Array

  constructor(network: SewerNetwork, view: ControlView) {
    this.network = network
    this.view = view
    this.conduitOf = new Int32Array(network.links.length).fill(-1)
    view.plan.conduits.link.forEach((link, c) => {
      this.conduitOf[link] = c
    })
    this.isOpen = Uint8Array.from(network.links, (_, i) => (this.setting(i) > 0 ? 1 : 0))
    this.switchedAt = new Float64Array(network.links.length)
  }

  visit(state: StateVisitor): void {
    state.array('isOpen', this.isOpen)
    state.array('switchedAt', this.switchedAt)
  }

  set(link: number, setting: number): void {
    const c = this.conduitOf[link]
    if (c < 0) this.view.devices.target[link] = setting
    else this.view.open[c] = setting > 0 ? 1 : 0
  }

  /** Links move within the step that they are told to: what has switched since `appliedS` did so then. */
  noteSwitches(appliedS: number): void {
    const { isOpen, switchedAt } = this
    for (let i = 0; i < isOpen.length; i++) {
      const now = this.setting(i) > 0 ? 1 : 0
      if (now !== isOpen[i]) switchedAt[i] = appliedS
      isOpen[i] = now
    }
  }

  value(i: number, attribute: string, timeS: number): number {
    const { view, isOpen, switchedAt } = this
    const link = this.network.links[i]
    if (attribute === 'FLOW') return view.flows[i]
    if (attribute === 'DEPTH') return view.linkDepths[i]
    if (attribute === 'TIMEOPEN') return isOpen[i] === 1 ? timeS - switchedAt[i] : NONE
    if (attribute === 'TIMECLOSED') return isOpen[i] === 1 ? NONE : timeS - switchedAt[i]
    if (attribute === 'STATUS')
      return link.kind === 'conduit' || link.kind === 'pump' ? this.setting(i) : NONE
    if (attribute === 'SETTING')
      return link.kind === 'conduit' || link.kind === 'outlet' ? NONE : this.setting(i)
    if (attribute === 'LENGTH') return link.kind === 'conduit' ? link.lengthM : NONE
    const c = this.conduitOf[i]
    if (c < 0) return NONE
    return attribute === 'VELOCITY' ? view.velocities[i] : conduitValue(view.plan.conduits, c, attribute)
  }

  private setting(link: number): number {
    const c = this.conduitOf[link]
    return c < 0 ? this.view.devices.setting[link] : this.view.open[c]
  }
}

function conduitValue(
  { tables, beta, friction, barrels }: ConduitPlan,
  c: number,
  attribute: string,
): number {
  const { fullDepthM, fullAreaM2, fullRadiusM } = tables[c]
  if (attribute === 'FULLDEPTH') return fullDepthM
  if (attribute === 'FULLFLOW') return beta[c] * fullAreaM2 * fullRadiusM ** (2 / 3) * barrels[c]
  return (beta[c] ** 2 * friction[c]) / GRAVITY
}

/** Clock attributes: TIME s since the start, CLOCKTIME s of the day, DATE days since 1970, DAY 1 = Sunday. */
function clock(attribute: string, timeS: number, startEpochS: number): number {
  if (attribute === 'TIME') return timeS
  const now = startEpochS + timeS
  if (attribute === 'CLOCKTIME') return ((now % DAY) + DAY) % DAY
  if (attribute === 'DATE') return Math.floor(now / DAY)
  const date = new Date(now * 1000)
  if (attribute === 'DAY') return date.getUTCDay() + 1
  if (attribute === 'MONTH') return date.getUTCMonth() + 1
  return Math.floor((now - Date.UTC(date.getUTCFullYear(), 0, 1) / 1000) / DAY) + 1
}

const FUNCTIONS: Record<string, (x: number) => number> = {
  abs: Math.abs,
  sgn: Math.sign,
  step: (x) => (x > 0 ? 1 : 0),
  sqrt: (x) => Math.sqrt(Math.max(0, x)),
  log: (x) => Math.log(Math.max(x, 1e-300)),
  log10: (x) => Math.log10(Math.max(x, 1e-300)),
  exp: Math.exp,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  cot: (x) => 1 / Math.tan(x),
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  acot: (x) => Math.PI / 2 - Math.atan(x),
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  coth: (x) => 1 / Math.tanh(x),
  neg: (x) => -x,
}

/** Names of the functions that a rule's formula may use. */
export const RULE_FUNCTIONS: readonly string[] = Object.keys(FUNCTIONS)

function evaluate(
  tokens: Extract<SewerOperand, { type: 'expression' }>['tokens'],
  value: (target: SewerObjectRef, attribute: string) => number,
): number {
  const stack: number[] = []
  for (const token of tokens) {
    if (token.type === 'value') stack.push(token.value)
    else if (token.type === 'attribute') stack.push(value(token.target, token.attribute) * token.unit)
    else if (token.type === 'function') stack.push(FUNCTIONS[token.name](stack.pop() ?? 0))
    else {
      const b = stack.pop() ?? 0
      const a = stack.pop() ?? 0
      if (token.operator === '+') stack.push(a + b)
      else if (token.operator === '-') stack.push(a - b)
      else if (token.operator === '*') stack.push(a * b)
      else if (token.operator === '/') stack.push(b === 0 ? 0 : a / b)
      else stack.push(a ** b)
    }
  }
  return stack.pop() ?? 0
}
