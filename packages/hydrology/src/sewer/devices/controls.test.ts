import type { SewerOperand, SewerPremise } from '@radx/contracts'
import { describe, expect, test } from 'vitest'
import { C, clock, E, G, link, node, number, P, rule, set, site, when } from '../testing/rules.ts'
import { type ControlView, RULE_FUNCTIONS } from './controls.ts'

/** Whether a premise holds, by what it makes of the pump. */
function holds(premises: SewerPremise | SewerPremise[], prepare?: (view: ControlView) => void, timeS = 0) {
  const made = site([rule([premises].flat(), [set(P, 0.25)], { elseActions: [set(P, 0.75)] })])
  prepare?.(made.view)
  made.apply(timeS)
  expect([0.25, 0.75]).toContain(made.target[P])
  return made.target[P] === 0.25
}
/** A quantity, found by comparing. */
function reads(quantity: SewerOperand, expected: number, prepare?: (view: ControlView) => void, timeS = 0) {
  const slack = 1e-9 * Math.max(1, Math.abs(expected))
  expect(holds(when(quantity, '>', expected - slack), prepare, timeS)).toBe(true)
  expect(holds(when(quantity, '<', expected + slack), prepare, timeS)).toBe(true)
}
/** No comparison with it holds. */
function isNone(quantity: SewerOperand, prepare?: (view: ControlView) => void) {
  for (const relation of ['=', '<>', '<', '<=', '>', '>='] as const) {
    expect(holds(when(quantity, relation, 0), prepare), relation).toBe(false)
    expect(holds(when(number(0), relation, quantity), prepare), relation).toBe(false)
  }
}

describe('a premise', () => {
  test.each([
    ['=', [false, true, false]],
    ['<>', [true, false, true]],
    ['<', [true, false, false]],
    ['<=', [true, true, false]],
    ['>', [false, false, true]],
    ['>=', [false, true, true]],
  ] as const)('%s compares', (relation, expected) => {
    expect([1, 2, 3].map((value) => holds(when(number(value), relation, 2)))).toEqual(expected)
  })

  test('AND needs both, OR one; they are read from left to right, and AND after what is false ends it', () => {
    const t = (join: SewerPremise['join']) => when(number(1), '=', 1, join)
    const f = (join: SewerPremise['join']) => when(number(1), '=', 2, join)
    expect(holds([t('if'), t('and')])).toBe(true)
    expect(holds([t('if'), f('and')])).toBe(false)
    expect(holds([f('if'), t('and')])).toBe(false)
    expect(holds([f('if'), t('or')])).toBe(true)
    expect(holds([t('if'), f('or')])).toBe(true)
    expect(holds([f('if'), f('or')])).toBe(false)
    // EPA SWMM leaves the list at the first AND it reaches in vain, whatever OR follows.
    expect(holds([f('if'), t('and'), t('or')])).toBe(false)
    expect(holds([t('if'), f('and'), t('or')])).toBe(true)
  })

  test('a moment is met by the step around it', () => {
    // Steps of 10 s: from 5 s before up to, and without, 5 s after.
    const met = (relation: '=' | '<>', timeS: number) =>
      holds(when(clock('TIME'), relation, 3600), undefined, timeS)
    expect([3594, 3595, 3600, 3604, 3605].map((t) => met('=', t))).toEqual([false, true, true, true, false])
    expect([3594, 3595, 3600, 3604, 3605].map((t) => met('<>', t))).toEqual([true, false, false, false, true])
    // Nothing of the kind for quantities that are no times.
    expect(holds(when(clock('DAY'), '=', 5.5))).toBe(false)
  })
})

describe('what rules look at', () => {
  test('a node', () => {
    const fill = (view: ControlView) => {
      view.depths[1] = 0.6
      view.heads[1] = 1.6
      view.volumes[1] = 7
      view.flows.fill(0.3)
      view.lateral[1] = 0.5
    }
    reads(node(1, 'DEPTH'), 0.6, fill)
    reads(node(1, 'HEAD'), 1.6, fill)
    reads(node(1, 'VOLUME'), 7, fill)
    reads(node(1, 'MAXDEPTH'), 3, fill)
    // What comes from outside, a second, as in EPA SWMM: links bring as much again.
    reads(node(1, 'INFLOW'), 0.05, fill)
  })

  test('a link', () => {
    const fill = (view: ControlView) => {
      view.flows[C] = -0.3
      view.linkDepths[C] = 0.4
      view.velocities[C] = -1.2
    }
    reads(link(C, 'FLOW'), -0.3, fill)
    reads(link(C, 'DEPTH'), 0.4, fill)
    reads(link(C, 'VELOCITY'), -1.2, fill)
    reads(link(C, 'LENGTH'), 100)
    reads(link(C, 'FULLDEPTH'), 0.8)
    // A drop of 0.8 m on a pipe of 100 m, counted along the ground; EPA SWMM turns such pipes round.
    const slope = 0.8 / Math.sqrt(100 ** 2 - 0.8 ** 2)
    reads(link(C, 'SLOPE'), slope)
    // Two barrels, Manning: A R^(2/3) sqrt(S) / n.
    const full = (2 * Math.PI * 0.16 * 0.2 ** (2 / 3) * Math.sqrt(slope)) / 0.013
    expect(holds(when(link(C, 'FULLFLOW'), '>', 0.999 * full))).toBe(true)
    expect(holds(when(link(C, 'FULLFLOW'), '<', 1.001 * full))).toBe(true)
  })

  test('the setting that a link has now: of pumps and pipes as a state, of pumps and gates as a share', () => {
    const half = (view: ControlView) => {
      view.devices.setting.fill(0.5)
      view.devices.target.fill(0.9)
    }
    reads(link(P, 'STATUS'), 0.5, half)
    reads(link(P, 'SETTING'), 0.5, half)
    reads(link(G, 'SETTING'), 0.5, half)
    reads(link(C, 'STATUS'), 1)
    reads(link(C, 'STATUS'), 0, (view) => view.open.fill(0))
  })

  test('what a link has not, or not now, compares with nothing', () => {
    for (const attribute of ['VELOCITY', 'LENGTH', 'FULLDEPTH', 'FULLFLOW', 'SLOPE'])
      isNone(link(G, attribute))
    isNone(link(G, 'STATUS'))
    isNone(link(E, 'STATUS'))
    isNone(link(E, 'SETTING'))
    isNone(link(C, 'SETTING'))
    isNone(link(P, 'TIMECLOSED'))
    isNone(link(C, 'TIMECLOSED'))
    isNone(link(C, 'TIMEOPEN'), (view) => view.open.fill(0))
  })

  test.each([
    // Saturday, 29 February 2020, 23:00, and from there 90 min on: Sunday, 1 March, 00:30.
    ['TIME', 0, 5400],
    ['CLOCKTIME', 23 * 3600, 1800],
    ['DATE', 18_321, 18_322],
    ['DAY', 7, 1],
    ['MONTH', 2, 3],
    ['DAYOFYEAR', 60, 61],
  ])('%s by the clock', (attribute, atStart, later) => {
    const startEpochS = Date.UTC(2020, 1, 29, 23) / 1000
    for (const [timeS, expected] of [
      [0, atStart],
      [5400, later],
    ]) {
      const made = site(
        [
          rule(
            [when(clock(attribute), '>=', expected), when(clock(attribute), '<=', expected, 'and')],
            [set(P, 0)],
          ),
        ],
        { startEpochS },
      )
      made.apply(timeS)
      expect(made.target[P]).toBe(0)
    }
  })

  test('clocks before 1970 run forward too', () => {
    const made = site([rule([when(clock('CLOCKTIME'), '=', 79_200)], [set(P, 0)])], { startEpochS: -7200 })
    made.apply(0)
    expect(made.target[P]).toBe(0)
  })
})

describe('formulas', () => {
  const formula = (...items: (number | string)[]): SewerOperand => ({
    type: 'expression',
    tokens: items.map((item) =>
      typeof item === 'number'
        ? { type: 'value', value: item }
        : '+-*/^'.includes(item)
          ? { type: 'operator', operator: item as '+' }
          : { type: 'function', name: item },
    ),
  })
  test.each([
    [[5, 3, '-'], 2],
    [[5, 3, '+'], 8],
    [[5, 3, '*'], 15],
    [[6, 3, '/'], 2],
    [[6, 0, '/'], 0],
    [[2, 3, '^'], 8],
    [[1, 2, 3, '*', '+', 4, '-'], 3],
  ])('%j is %d', (items, expected) => reads(formula(...items), expected))

  // Values from tables of the functions.
  const table: Record<string, [number, number][]> = {
    abs: [[-2, 2]],
    sgn: [
      [-2, -1],
      [0, 0],
      [3, 1],
    ],
    step: [
      [-1, 0],
      [0, 0],
      [0.1, 1],
    ],
    sqrt: [
      [9, 3],
      [-9, 0],
    ],
    log: [
      [Math.E, 1],
      [0, Math.log(1e-300)],
    ],
    log10: [
      [1000, 3],
      [0, -300],
    ],
    exp: [[1, Math.E]],
    sin: [[Math.PI / 6, 0.5]],
    cos: [[Math.PI / 3, 0.5]],
    tan: [[Math.PI / 4, 1]],
    cot: [[Math.PI / 6, Math.sqrt(3)]],
    asin: [[0.5, Math.PI / 6]],
    acos: [[0.5, Math.PI / 3]],
    atan: [[1, Math.PI / 4]],
    acot: [[Math.sqrt(3), Math.PI / 6]],
    sinh: [[Math.log(2), 0.75]],
    cosh: [[Math.log(2), 1.25]],
    tanh: [[Math.log(2), 0.6]],
    coth: [[Math.log(2), 5 / 3]],
    neg: [[2, -2]],
  }
  test.each(Object.keys(table))('%s', (name) => {
    for (const [x, expected] of table[name]) reads(formula(x, name), expected)
  })

  test('know these functions and no others', () => {
    expect([...RULE_FUNCTIONS].sort()).toEqual(Object.keys(table).sort())
  })

  test('quantities come in the file’s units', () => {
    const tokens = [{ ...node(1, 'DEPTH'), unit: 1 / 0.3048 }]
    reads({ type: 'expression', tokens }, 2, (view) => {
      view.depths[1] = 0.6096
    })
  })
})
