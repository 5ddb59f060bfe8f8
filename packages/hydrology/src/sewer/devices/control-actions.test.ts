import type { SewerAction } from '@radx/contracts'
import { expect, test } from 'vitest'
import { planSewer } from '../network/plan.ts'
import { junction, network, outfall } from '../testing/build.ts'
import { orifice, pump } from '../testing/devices.ts'
import { C, clock, G, link, node, number, P, rule, set, site, when } from '../testing/rules.ts'
import { createDevices } from './device-set.ts'

const always = [when(number(1), '=', 1)]

test('the highest priority wins, among equals the first, whatever the order', () => {
  const winner = (...priorities: number[]) => {
    const made = site(priorities.map((priority, i) => rule(always, [set(G, i / 10)], { priority })))
    made.apply(0)
    return made.target[G] * 10
  }
  expect(winner(1, 2)).toBe(1)
  expect(winner(2, 1)).toBe(0)
  expect(winner(1, 1)).toBe(0)
  expect(winner(0, 3, 2, 3)).toBe(1)
})

test('each link has its own winner; ELSE acts where the premises do not hold; pipes only open and shut', () => {
  const never = [when(number(1), '=', 2)]
  const made = site([
    rule(always, [set(G, 0.3), set(C, 0)], { elseActions: [set(P, 0)] }),
    rule(never, [set(G, 0.1)], { elseActions: [set(P, 0.4)] }),
  ])
  made.apply(0)
  expect([made.target[G], made.target[P], made.pipe()]).toEqual([0.3, 0.4, 0])
  const reopened = site([rule(always, [set(C, 0.5)])])
  reopened.view.open.fill(0)
  reopened.apply(0)
  expect(reopened.pipe()).toBe(1)
})

test('a setting by a curve of what the last premise looks at, or by a series held at its ends', () => {
  const curve = { name: 'K', x: [1, 3], y: [0.2, 0.8] }
  const byCurve = site([
    rule(
      [...always, when(node(0, 'DEPTH'), '>', 0, 'and')],
      [{ link: G, setting: { type: 'curve', curve } }],
    ),
  ])
  byCurve.view.depths[0] = 2
  byCurve.apply(0)
  expect(byCurve.target[G]).toBeCloseTo(0.5, 12)

  const series = { name: 'S', timesS: [100, 200], values: [1, 0.5] }
  const bySeries = site([rule(always, [{ link: G, setting: { type: 'series', series } }])])
  const course = [0, 150, 300].map((timeS) => {
    bySeries.apply(timeS)
    return bySeries.target[G]
  })
  expect(course).toEqual([1, 0.75, 0.5])
})

test('where there is nothing to go by, a curve or a controller leaves the link as it is', () => {
  const curve = { name: 'K', x: [0, 3], y: [0.2, 0.8] }
  for (const wish of [{ type: 'curve', curve } as const, { type: 'pid', kp: 1, ki: 1, kd: 1 } as const]) {
    // The pump is on: it has not been off for any time.
    for (const premise of [
      when(link(P, 'TIMECLOSED'), '>', 60),
      when(number(60), '<', link(P, 'TIMECLOSED')),
    ]) {
      const made = site([rule([premise], [], { elseActions: [{ link: G, setting: wish }] })])
      made.view.devices.target[G] = 0.7
      made.apply(0)
      expect(made.target[G]).toBe(0.7)
    }
  }
})

const pid = (linkIndex: number, kp: number, ki: number, kd: number): SewerAction => ({
  link: linkIndex,
  setting: { type: 'pid', kp, ki, kd },
})

test('a controller moves the setting by gain, integral and derivative of the relative error', () => {
  // SWMM 5 user's manual, C.3: m(t) = Kp (e + 1/Ti int e dt + Td de/dt), here as differences, minutes.
  const [kp, ki, kd] = [0.1, 5, 2]
  const made = site([rule([when(node(0, 'DEPTH'), '<>', 2)], [pid(P, kp, ki, kd)])])
  const depths = [1, 1.2, 1.5]
  const errors = depths.map((depth) => (2 - depth) / 2)
  let expected = 1
  depths.forEach((depth, i) => {
    made.view.depths[0] = depth
    made.apply(30 * i, 30)
    const [e0, e1, e2] = [errors[i], errors[i - 1] ?? 0, errors[i - 2] ?? 0]
    expected += kp * (e0 - e1 + (e0 * 0.5) / ki + (kd * (e0 - 2 * e1 + e2)) / 0.5)
    expect(made.target[P]).toBeCloseTo(expected, 12)
  })
})

test('a controller without integral time, at a set point of 0, on target, and in its dead band', () => {
  const step = (depth: number, point: number, kp: number, ki = 0) => {
    const made = site([rule([when(node(0, 'DEPTH'), '>=', point)], [pid(P, kp, ki, 0)])])
    made.view.depths[0] = depth
    made.apply(0, 60)
    return made.target[P]
  }
  expect(step(3, 2, -0.1)).toBeCloseTo(1 + 0.1 * 0.5, 12)
  // EPA SWMM takes the error relative to what is measured where the set point is 0.
  expect(step(3, 0, -0.1)).toBeCloseTo(1.1, 12)
  expect(step(0, 0, -0.1)).toBe(1)
  expect(step(2, 2, -0.1, 1)).toBe(1)
  expect(step(3, 2, -0.00019)).toBe(1)
  expect(step(3, 2, -0.00021)).toBeCloseTo(1.000105, 12)
})

test('a controller opens a gate to 1 at most, speeds a pump up beyond, and shuts both at 0', () => {
  const step = (linkIndex: number, kp: number) => {
    const made = site([rule([when(node(0, 'DEPTH'), '>', 1)], [pid(linkIndex, kp, 0, 0)])])
    made.view.depths[0] = 3
    made.apply(0)
    return made.target[linkIndex]
  }
  expect(step(P, -1)).toBe(3)
  expect(step(G, -1)).toBe(1)
  expect(step(P, 1)).toBe(0)
  expect(step(G, 1)).toBe(0)
})

test('a step that is tried again moves a controller once', () => {
  const made = site([rule([when(node(0, 'DEPTH'), '>', 1)], [pid(P, -0.1, 1, 0)])])
  made.view.depths[0] = 2
  made.apply(0, 10)
  const once = made.target[P]
  made.apply(0, 5)
  expect(made.target[P]).toBe(once)
  made.apply(5, 5)
  expect(made.target[P]).toBeGreaterThan(once)
})

test('time open counts from the opening, time shut from the shutting; throttling does not count', () => {
  const openFor = (timeS: number) => {
    const watch = rule([when(link(G, 'TIMEOPEN'), '>=', 100)], [set(P, 0)], {
      elseActions: [set(P, 1)],
    })
    const made = site([watch])
    for (const [at, setting] of [
      [50, 0],
      [100, 0.4],
      [150, 0.8],
    ]) {
      made.apply(at - 10)
      made.view.devices.target[G] = setting
      made.apply(at)
    }
    // Moved to 0.4 in the step that began at 100 s.
    made.apply(timeS)
    return made.target[P] === 0
  }
  expect(openFor(199)).toBe(false)
  expect(openFor(200)).toBe(true)

  const shutFor = (timeS: number) => {
    const made = site([
      rule([when(link(C, 'TIMECLOSED'), '>=', 100)], [set(P, 0)]),
      rule([when(clock('TIME'), '=', 40)], [set(C, 0)]),
    ])
    for (const at of [0, 10, 20, 30, 40, 50]) made.apply(at)
    made.apply(timeS)
    return made.target[P] === 0
  }
  expect(shutFor(139)).toBe(false)
  expect(shutFor(140)).toBe(true)
})

test('what is open or on at the start has been since then, and so what is shut or off', () => {
  const made = site([
    rule([when(link(C, 'TIMEOPEN'), '>=', 60)], [set(G, 0.5)]),
    rule([when(link(P, 'TIMEOPEN'), '>=', 50)], [set(P, 0.5)]),
  ])
  made.apply(40)
  expect([made.target[G], made.target[P]]).toEqual([1, 1])
  made.apply(60)
  expect([made.target[G], made.target[P]]).toEqual([0.5, 0.5])

  const off = site([rule([when(link(P, 'TIMECLOSED'), '>=', 60)], [set(G, 0.5)])], { pumpOn: false })
  off.apply(50)
  expect(off.target[G]).toBe(1)
  off.apply(60)
  expect(off.target[G]).toBe(0.5)
})

test('with a rule step rules are looked at on its multiples, or in the first step behind one', () => {
  const made = site([rule([when(node(0, 'DEPTH'), '>', 0)], [set(G, 0.5)], { elseActions: [set(G, 1)] })], {
    ruleStepS: 10,
  })
  const seen = [0, 4, 8, 12, 20, 24, 28, 30].map((timeS) => {
    // A change at every step: what the gate shows is the last time that the rule was looked at.
    made.view.depths[0] = made.view.depths[0] > 0 ? 0 : 1
    made.apply(timeS)
    return made.target[G]
  })
  expect(seen).toEqual([0.5, 0.5, 0.5, 1, 0.5, 0.5, 0.5, 1])
})

test('settings move at once, slow gates at their pace, and back for a step that is tried again', () => {
  const net = network(
    [junction('J', 1), outfall('O', 0)],
    [orifice({ name: 'G', openCloseS: 100 }), orifice({ name: 'H' }), pump()],
  )
  const plan = planSewer(net)
  const devices = createDevices(net, plan, new Uint8Array(1))
  devices.target.fill(0)
  devices.move(20)
  expect(Array.from(devices.setting)).toEqual([0.8, 0, 0])
  devices.back()
  expect(Array.from(devices.setting)).toEqual([1, 1, 1])
  devices.move(10)
  expect(Array.from(devices.setting)).toEqual([0.9, 0, 0])
  devices.target.fill(1)
  devices.move(5)
  expect(devices.setting[0]).toBeCloseTo(0.95, 12)
  // Back to where the last move began.
  devices.back()
  expect(devices.setting[0]).toBeCloseTo(0.9, 12)
  devices.move(5)
  // Within a thousandth of its target it is there.
  devices.target[0] = 0.8992
  devices.move(5)
  expect(devices.setting[0]).toBe(0.8992)
})
