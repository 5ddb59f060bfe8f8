import { HydrologyError } from '../errors.ts'
import { linkKernel, writeRecord } from '../records.ts'
import { SURFACE_RECORDS } from './kernel-records.ts'
import type { Layout } from './layout.ts'
import { fillMemory, HEADER_AT, maskBit, placeDrains, planMemory, recordField } from './memory.ts'
import { visitMemory } from './memory-state.ts'
import type { Kernel, KernelChoice, KernelFields, ThreadMessage } from './types.ts'
import { slotOf } from './types.ts'

const PAGE = 65536
const RAINING = 1
const INTERCEPTING = 2
const SAMPLE = 4
/** Rows are shared out anew after so many steps. */
const SHARE_EVERY = 64

interface Exports {
  bind(header: number, threads?: number): void
  rainChanged(): void
  /** Takes levels for a step, before its parts. */
  prepare(): void
  /** A part of a step; with threads what is left of the one that `start` began. */
  step(): void
  start?(): void
  finished?(): boolean
  largestDepth(): number
  largestSpeed(): number
  share?(perRow: number): void
  stop?(): void
}

/**
 * The AssemblyScript kernel: the reference's formulas on four cells at a time, f32 fluxes over f64 depth. The same
 * bits for any number of threads.
 *
 * @throws HydrologyError `surface.wasm` without the kernel's bytes, `surface.stale` when they are not of these sources
 */
export function createSimdKernel(layout: Layout, choice: KernelChoice): Kernel {
  if (!choice.wasm)
    throw new HydrologyError(
      'surface.wasm',
      'Le noyau de calcul compilé manque. Lancer « npm run build:kernels », ou choisir le noyau de référence.',
    )
  const threads = choice.threads?.count ?? 1
  const memory = choice.threads
    ? new WebAssembly.Memory({ initial: 1, maximum: PAGE, shared: true })
    : new WebAssembly.Memory({ initial: 1 })
  const kernel = linkKernel(choice.wasm, { memory }, SURFACE_RECORDS, 'surface.stale')
  const { module } = kernel
  const plan = planMemory(layout, kernel.places)
  memory.grow(Math.ceil(plan.bytes / PAGE) - 1)
  const buffer = memory.buffer
  fillMemory(layout, plan, buffer)
  const exports = kernel.exports as unknown as Exports
  exports.bind(HEADER_AT, threads)
  const workers = Array.from({ length: threads - 1 }, () =>
    choice.threads!.spawn({ module, memory, threads }),
  )

  const view = new DataView(buffer)
  const { Header } = SURFACE_RECORDS
  const tell = (values: Partial<Record<keyof typeof Header, number>>) =>
    writeRecord(view, HEADER_AT, Header, plan.places.Header, values)
  const f64 = (at: number) => ({ values: new Float64Array(buffer, at, layout.size), quad: 4 })
  const f32 = (at: number) => ({ values: new Float32Array(buffer, at, layout.size), quad: 4 })
  const fields: KernelFields = {
    depth: recordField(layout, plan, buffer, 'depth'),
    rain: f64(plan.at.rain),
    interception: f64(plan.at.interception),
    infiltrated: f64(plan.at.infiltrated),
    qx: recordField(layout, plan, buffer, 'qx'),
    qy: recordField(layout, plan, buffer, 'qy'),
    maxDepth: f32(plan.at.maxDepth),
    maxSpeed: f32(plan.at.maxSpeed),
    maxDepthSpeed: f32(plan.at.maxDepthSpeed),
  }
  const shallow = recordField(layout, plan, buffer, 'shallow')
  const masks = (at: number) => new Uint32Array(buffer, at, layout.rows * plan.words * 2)
  const active = masks(plan.at.active)
  const soaking = masks(plan.at.soaking)
  const rowMax = new Float32Array(buffer, plan.at.rowMax, layout.rows)
  const wants = [masks(plan.at.wantHalves), masks(plan.at.wantQuarters)]
  let steps = 0

  function takePart(meanwhile?: () => boolean): void {
    exports.start?.()
    if (exports.start && meanwhile) while (!exports.finished!() && meanwhile());
    exports.step()
  }

  return {
    fields,
    step(dt, { raining, intercepting, sample, halvings, watchS }, meanwhile, beforePart) {
      beforePart?.(0)
      const how = (raining ? RAINING : 0) | (raining && intercepting ? INTERCEPTING : 0)
      tell({ dt, halvings, watch: watchS, part: 0, flags: how | (sample ? SAMPLE : 0) })
      if (steps++ % SHARE_EVERY === 0) exports.share?.(raining ? layout.stride / 4 : 2)
      exports.prepare()
      takePart(meanwhile)
      for (let part = 1; part < 2 ** halvings; part++) {
        beforePart?.(part)
        tell({ part, flags: how })
        takePart(meanwhile)
      }
    },
    placeDrains: (drains, outlets) => placeDrains(layout, plan, buffer, drains, outlets),
    rainChanged: () => exports.rainChanged(),
    largestDepth: () => exports.largestDepth(),
    largestSpeed: () => exports.largestSpeed(),
    touch(index) {
      if (!layout.live[index]) return
      const h = fields.depth.values[slotOf(fields.depth, index)]
      const slot = slotOf(shallow, index)
      shallow.values[slot] = h
      const { row, word, bit } = maskBit(layout, plan.words, index)
      if (h > layout.options.dryDepthM) active[word] |= bit
      if (h > 0 && layout.kh[index] > 0) soaking[word] |= bit
      rowMax[row] = Math.max(rowMax[row], h)
      // What comes from outside is likely to go on, and must flow away as it comes.
      for (const want of wants) want[word] |= bit
      if (h > fields.maxDepth.values[index]) fields.maxDepth.values[index] = h
    },
    visit: (state) => visitMemory(state, layout, plan, buffer),
    dispose() {
      exports.stop?.()
      for (const worker of workers) worker.stop()
    },
  }
}

/** The body of a further thread: runs until the kernel is disposed. */
export function runSurfaceThread({ module, memory, threads }: ThreadMessage): void {
  const exports = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as {
    bind(header: number, threads: number): void
    work(seen: number): void
  }
  exports.bind(HEADER_AT, threads)
  exports.work(0)
}
