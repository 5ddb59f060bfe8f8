import type { SewerAction, SewerOperand, SewerPremise, SewerRule } from '@radx/contracts'
import { type ControlView, createControls } from '../devices/controls.ts'
import { createDevices } from '../devices/device-set.ts'
import { planSewer } from '../network/plan.ts'
import { conduit, junction, network, outfall, section, tank } from './build.ts'
import { orifice, outlet, pump } from './devices.ts'

/** By index: a gate, a pump, a pipe that is laid against its fall, an outlet. */
export const [G, P, C, E] = [0, 1, 2, 3]

type Quantity = Extract<SewerOperand, { type: 'attribute' }>
const of = (target: Quantity['target'], attribute: string): Quantity => ({
  type: 'attribute',
  target,
  attribute,
})
export const node = (index: number, attribute: string) => of({ object: 'node', index }, attribute)
export const link = (index: number, attribute: string) => of({ object: 'link', index }, attribute)
export const clock = (attribute: string) => of({ object: 'simulation' }, attribute)
export const number = (value: number): SewerOperand => ({ type: 'value', value })
export const when = (
  left: SewerOperand,
  relation: SewerPremise['relation'],
  right: SewerOperand | number,
  join: SewerPremise['join'] = 'if',
): SewerPremise => ({ join, left, relation, right: typeof right === 'number' ? number(right) : right })
export const set = (index: number, value: number): SewerAction => ({
  link: index,
  setting: { type: 'value', value },
})
export const rule = (
  premises: SewerPremise[],
  then: SewerAction[],
  more: Partial<SewerRule> = {},
): SewerRule => ({
  name: 'R',
  premises,
  thenActions: then,
  elseActions: [],
  priority: 0,
  ...more,
})

/** Two nodes, a link of each kind between them, and rules; what the rules see is set by hand. */
export function site(
  rules: SewerRule[],
  { pumpOn = true, ...options }: { pumpOn?: boolean; ruleStepS?: number; startEpochS?: number } = {},
) {
  const net = network(
    [tank('T', 0, 50), junction('J', 1, { fullDepthM: 3 }), outfall('O', -1)],
    [
      orifice({ name: 'G' }),
      pump({ initiallyOn: pumpOn }),
      conduit('C', 0, 1, 100, { ...section('CIRCULAR', 0.8), barrels: 2 }, { inOffsetM: 0.2 }),
      outlet({ name: 'E' }),
      conduit('D', 1, 2, 50, section('CIRCULAR', 0.8)),
    ],
    options,
  )
  net.rules = rules
  const plan = planSewer(net)
  const devices = createDevices(net, plan, new Uint8Array(1))
  const view: ControlView = {
    plan,
    devices,
    open: new Uint8Array(2).fill(1),
    heads: new Float64Array(3),
    depths: new Float64Array(3),
    volumes: new Float64Array(3),
    flows: new Float64Array(5),
    linkDepths: new Float64Array(5),
    velocities: new Float64Array(5),
    lateral: new Float64Array(3),
  }
  const controls = createControls(net, view)
  const { target } = view.devices
  return {
    view,
    target,
    pipe: () => view.open[Array.from(plan.conduits.link).indexOf(C)],
    apply(timeS: number, dt = 10) {
      controls.apply(timeS, dt)
      devices.move(dt)
    },
  }
}
