import type {
  SewerAction,
  SewerNetwork,
  SewerObjectRef,
  SewerOperand,
  SewerPremise,
  SewerRule,
} from '@radx/contracts'
import { seriesHeld } from '../network/inflows.ts'
import type { SewerPlan } from '../network/plan.ts'
import { G } from '../sections/section-table.ts'
import type { DeviceSet } from './device-set.ts'
import { tableLookup } from './devices.ts'

/** What rules look at; arrays in the file's order. */
export interface ControlView {
  plan: SewerPlan
  devices: DeviceSet
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

export interface Controls {
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
  const { rules, options } = network
  const { ruleStepS } = options
  if (rules.length === 0) return { apply: () => {} }
  const { conduits } = view.plan
  const conduitOf = new Map(Array.from(conduits.link, (link, c) => [link, c]))
  const errors = new Map<SewerAction, [number, number]>()
  let appliedS = -Infinity
  let nextS = 0

  const settingOf = (link: number) => {
    const c = conduitOf.get(link)
    return c === undefined ? view.devices.setting[link] : view.open[c]
  }
  const isOpen = Uint8Array.from(network.links, (_, i) => (settingOf(i) > 0 ? 1 : 0))
  /** When each link was last opened or shut; throttling does not count. */
  const switchedAt = new Float64Array(network.links.length)

  function value(target: SewerObjectRef, attribute: string, timeS: number, dt: number): number {
    if (target.object === 'simulation') return clock(attribute, timeS, options.startEpochS)
    const i = target.index
    if (target.object === 'link') return linkValue(i, attribute, timeS)
    if (attribute === 'DEPTH') return view.depths[i]
    if (attribute === 'HEAD') return view.heads[i]
    if (attribute === 'VOLUME') return view.volumes[i]
    if (attribute === 'MAXDEPTH') return view.plan.fullDepth[view.plan.positionOf[i]]
    // What comes from outside, without the links' flows, as in EPA SWMM.
    return view.lateral[i] / dt
  }

  function linkValue(i: number, attribute: string, timeS: number): number {
    const link = network.links[i]
    if (attribute === 'FLOW') return view.flows[i]
    if (attribute === 'DEPTH') return view.linkDepths[i]
    if (attribute === 'TIMEOPEN') return isOpen[i] === 1 ? timeS - switchedAt[i] : NONE
    if (attribute === 'TIMECLOSED') return isOpen[i] === 1 ? NONE : timeS - switchedAt[i]
    if (attribute === 'STATUS') return link.kind === 'conduit' || link.kind === 'pump' ? settingOf(i) : NONE
    if (attribute === 'SETTING')
      return link.kind === 'conduit' || link.kind === 'outlet' ? NONE : settingOf(i)
    if (attribute === 'LENGTH') return link.kind === 'conduit' ? link.lengthM : NONE
    const c = conduitOf.get(i)
    if (c === undefined) return NONE
    const table = conduits.tables[c]
    if (attribute === 'VELOCITY') return view.velocities[i]
    if (attribute === 'FULLDEPTH') return table.fullDepthM
    if (attribute === 'FULLFLOW')
      return conduits.beta[c] * table.fullAreaM2 * table.fullRadiusM ** (2 / 3) * conduits.barrels[c]
    return (conduits.beta[c] ** 2 * conduits.friction[c]) / G
  }

  const operand = (side: SewerOperand, timeS: number, dt: number): number => {
    if (side.type === 'value') return side.value
    if (side.type === 'attribute') return value(side.target, side.attribute, timeS, dt)
    return evaluate(side.tokens, (target, attribute) => value(target, attribute, timeS, dt))
  }

  function holds({ left: leftSide, relation, right: rightSide }: SewerPremise, timeS: number, dt: number) {
    const left = operand(leftSide, timeS, dt)
    const right = operand(rightSide, timeS, dt)
    if (Number.isNaN(left) || Number.isNaN(right)) return false
    if (relation === '=' || relation === '<>') {
      // A moment is met by the step that it falls into.
      const timed = leftSide.type === 'attribute' && leftSide.attribute.includes('TIME')
      const met = timed ? left >= right - dt / 2 && left < right + dt / 2 : left === right
      return met === (relation === '=')
    }
    if (relation === '<') return left < right
    if (relation === '<=') return left <= right
    if (relation === '>') return left > right
    return left >= right
  }

  function isTrue(rule: SewerRule, timeS: number, dt: number): boolean {
    let result = true
    for (const premise of rule.premises) {
      if (premise.join === 'or') {
        if (!result) result = holds(premise, timeS, dt)
      } else {
        if (!result) return false
        result = holds(premise, timeS, dt)
      }
    }
    return result
  }

  /** Setting that an action asks for; controller value and set point come from the rule's last premise. */
  function setting(action: SewerAction, rule: SewerRule, timeS: number, dt: number): number {
    const wish = action.setting
    if (wish.type === 'value') return wish.value
    if (wish.type === 'series') return seriesHeld(wish.series, timeS)
    const premise = rule.premises[rule.premises.length - 1]
    const controlled = operand(premise.left, timeS, dt)
    const point = operand(premise.right, timeS, dt)
    // ELSE may ask for it while there is nothing to go by: the link stays as it is.
    if (Number.isNaN(controlled) || Number.isNaN(point)) return view.devices.target[action.link]
    if (wish.type === 'curve') return tableLookup(wish.curve, controlled)
    const [e1, e2] = errors.get(action) ?? [0, 0]
    const e0 = point === controlled ? 0 : (point - controlled) / (point === 0 ? controlled : point)
    const minutes = dt / 60
    let change = wish.kp * (e0 - e1)
    if (wish.ki !== 0) change += (wish.kp * e0 * minutes) / wish.ki
    change += (wish.kp * wish.kd * (e0 - 2 * e1 + e2)) / minutes
    errors.set(action, [e0, e1])
    const next = Math.max(0, view.devices.target[action.link] + (Math.abs(change) < 1e-4 ? 0 : change))
    return network.links[action.link].kind === 'pump' ? next : Math.min(1, next)
  }

  /** Links move within the step that they are told to: what has switched since did so then. */
  function noteSwitches() {
    for (let i = 0; i < isOpen.length; i++) {
      const now = settingOf(i) > 0 ? 1 : 0
      if (now !== isOpen[i]) switchedAt[i] = appliedS
      isOpen[i] = now
    }
  }

  return {
    apply(timeS, dt) {
      // A step that is tried again, shorter, has its settings: a controller would count its errors twice.
      if (timeS === appliedS) return
      noteSwitches()
      appliedS = timeS
      if (timeS + 1e-9 < nextS) return
      nextS = ruleStepS > 0 ? (Math.floor(timeS / ruleStepS + 1e-9) + 1) * ruleStepS : timeS
      const chosen = new Map<number, { value: number; priority: number }>()
      for (const rule of rules) {
        const actions = isTrue(rule, timeS, dt) ? rule.thenActions : rule.elseActions
        for (const action of actions) {
          const wish = setting(action, rule, timeS, dt)
          const known = chosen.get(action.link)
          if (!known || rule.priority > known.priority)
            chosen.set(action.link, { value: wish, priority: rule.priority })
        }
      }
      for (const [link, { value: wish }] of chosen) {
        const c = conduitOf.get(link)
        if (c === undefined) view.devices.target[link] = wish
        else view.open[c] = wish > 0 ? 1 : 0
      }
    },
  }
}

/** Clock attributes: TIME s since the start, CLOCKTIME s of the day, DATE days since 1970, DAY 1 = Sunday. */
function clock(attribute: string, timeS: number, startEpochS: number): number {
  const now = startEpochS + timeS
  const date = new Date(now * 1000)
  if (attribute === 'TIME') return timeS
  if (attribute === 'CLOCKTIME') return ((now % DAY) + DAY) % DAY
  if (attribute === 'DATE') return Math.floor(now / DAY)
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
