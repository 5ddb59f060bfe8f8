import type { SewerNetwork } from '@radx/contracts'
import { createDevices } from '../devices/device-set.ts'
import { layOutSections } from '../network/conduit-sections.ts'
import { volumeAt } from '../network/node-volume.ts'
import { planSewer } from '../network/plan.ts'
import { createReaches } from '../network/reaches.ts'
import { createViews } from '../results/views.ts'
import { createEntry } from '../step/entry.ts'
import { thetas } from '../step/momentum.ts'
import { createNewton } from '../step/newton.ts'
import { createReferenceKernel } from '../step/reference.ts'

/**
 * What a step of a network is made of, from these heads on, m. Heads and what comes from outside (`lateral`, m3) by the
 * file's order of nodes.
 */
export function solverParts(net: SewerNetwork, heads: number[], lateral: number[], coupled: boolean) {
  const plan = planSewer(net)
  const sections = layOutSections(plan.conduits, net.options)
  const kernel = createReferenceKernel({ plan, sections, options: net.options, ...thetas(coupled) })
  const { state } = kernel
  const views = createViews(net, plan, sections, state, coupled)
  const devices = createDevices(net, plan, state.outfallGate)
  const newton = createNewton({
    plan,
    kernel,
    devices,
    reaches: createReaches(plan, net.options),
    overflows: !coupled,
  })
  const entering = new Float64Array(net.nodes.length)
  entering.set(lateral)
  const entry = createEntry(plan, state, views, entering, coupled)
  heads.forEach((head, n) => {
    const p = plan.positionOf[n]
    state.head[p] = state.trial[p] = head
    if (p < plan.unknowns) state.volume[p] = volumeAt(plan.volumes, p, head - plan.invert[p])
  })
  return { plan, kernel, state, devices, newton, entry }
}
