/**
 * `npm run fuzz [-- --count 1000000 --seconds 600 --format NAME --seed 1]`: feeds damaged files to every reader, so
 * many or for so long, and stops at the first answer that is neither sound nor a typed refusal. Starts from files of
 * our own and, where the reference data lies beside the checkout, from real ones. A case is repeated by its seed and
 * number.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { attack, FUZZ_TARGETS, type FuzzTarget } from '@radx/formats/testing/fuzz-targets'
import { applyMutations, MUTATION_KINDS, type Mutation } from '@radx/formats/testing/mutate'
import { attackModel, damageModel } from './fuzzing/models.ts'

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000000' },
    /** A reader gets no more than this. */
    seconds: { type: 'string', default: 'Infinity' },
    format: { type: 'string', multiple: true },
    seed: { type: 'string', default: '1' },
    /** First case, to repeat one: `--from 1234 --count 1`. */
    from: { type: 'string', default: '0' },
  },
})
const [count, seed, from] = [values.count, values.seed, values.from].map(Number)
const limitMs = Number(values.seconds) * 1000
const wanted = values.format ?? [...Object.keys(FUZZ_TARGETS), 'model']
/** Whole models of EPA SWMM are damaged by words and lines, read and begun. */
const wantsModels = wanted.includes('model')
const names = wanted.filter((name) => name !== 'model') as FuzzTarget['name'][]
const unknown = names.filter((name) => !Object.hasOwn(FUZZ_TARGETS, name))
if (unknown.length > 0 || ![count, seed, from].every(Number.isSafeInteger) || !(limitMs > 0)) {
  console.error(
    `usage: fuzz [--count N] [--seconds N] [--seed N] [--from N] [--format ${Object.keys(FUZZ_TARGETS).join('|')}|model]...`,
  )
  process.exit(2)
}

/** Numbers in [0, 1) that depend on the seed and the case alone (mulberry32). */
function random(start: number): () => number {
  let state = start >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let t = state
    t = Math.imul(t ^ (t >>> 15), t | 1)
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61)
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }
}

function damage(next: () => number): Mutation[] {
  return Array.from({ length: 1 + Math.floor(next() * 4) }, () => ({
    kind: MUTATION_KINDS[Math.floor(next() * MUTATION_KINDS.length)],
    at: next(),
    size: Math.ceil(next() < 0.5 ? next() * 16 : next() * 4096),
    value: Math.floor(next() * 4294967296),
  }))
}

function realFiles(target: FuzzTarget): Buffer[] {
  const folder = target.real && resolve(import.meta.dirname, '../../shared/data', target.real.folder)
  if (!folder || !existsSync(folder)) return []
  const names = readdirSync(folder).filter((name) => target.real!.pattern.test(name))
  return names.sort().map((name) => readFileSync(join(folder, name)))
}

async function fuzz(name: FuzzTarget['name']): Promise<boolean> {
  // Some damaged files keep the HDF5 library busy for ever, others are read in some 10 ms; a long run must get far.
  const target = FUZZ_TARGETS[name](400)
  const own = await target.seeds()
  const real = realFiles(target)
  const codes = new Map<string, number>()
  let [done, read, slowestMs, slowest, said] = [0, 0, 0, -1, Date.now()]
  const began = Date.now()
  for (let i = from; i < from + count && Date.now() - began < limitMs; i++, done++) {
    const next = random(seed * 0x9e3779b1 + i)
    const pool = real.length > 0 && next() < 0.25 ? real : own
    const bytes = applyMutations(pool[Math.floor(next() * pool.length)], damage(next))
    const start = performance.now()
    try {
      const outcome = await attack(target, bytes)
      if (outcome.kind === 'read') read++
      else codes.set(outcome.code, (codes.get(outcome.code) ?? 0) + 1)
    } catch (error) {
      const path = join(tmpdir(), `fuzz-${name}-${seed}-${i}.bin`)
      writeFileSync(path, bytes)
      console.error(`fuzz ${name}: case ${i} of seed ${seed} fails, file kept as ${path}`, error)
      await target.close?.()
      return false
    }
    const took = performance.now() - start
    if (took > slowestMs) [slowestMs, slowest] = [took, i]
    if (Date.now() - said > 30_000) {
      said = Date.now()
      console.log(`fuzz ${name}: ${i - from} of ${count}`)
    }
  }
  await target.close?.()
  const refused = [...codes].sort((a, b) => b[1] - a[1]).map(([code, n]) => `${code} ${n}`)
  console.log(
    `fuzz ${name}: ${done} files, 0 failures, ${read} read, ${done - read} refused (${refused.join(', ')}), ` +
      `slowest ${slowestMs.toFixed(0)} ms (case ${slowest}), ${((Date.now() - began) / 1000).toFixed(0)} s, ` +
      `seed ${seed}, ${real.length} real files`,
  )
  return true
}

function fuzzModels(): boolean {
  const folder = resolve(import.meta.dirname, '../../shared/data/sewer')
  const paths = existsSync(folder)
    ? readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.inp'))
    : []
  const texts = paths.sort().map((name) => readFileSync(join(folder, name), 'latin1'))
  const outcomes = { ran: 0, refused: 0 }
  const began = Date.now()
  let done = 0
  for (let i = from; texts.length > 0 && i < from + count && Date.now() - began < limitMs; i++, done++) {
    const next = random(seed * 0x9e3779b1 + i)
    const { text, ways } = damageModel(texts[i % texts.length], (below) => Math.floor(next() * below))
    try {
      outcomes[attackModel(text)]++
    } catch (error) {
      const path = join(tmpdir(), `fuzz-model-${seed}-${i}.inp`)
      writeFileSync(path, text)
      console.error(
        `fuzz model: case ${i} of seed ${seed} (${ways.join(', ')}) fails, file kept as ${path}`,
        error,
      )
      return false
    }
  }
  console.log(
    `fuzz model: ${done} files, 0 failures, ${outcomes.ran} ran, ${outcomes.refused} refused, ${((Date.now() - began) / 1000).toFixed(0)} s, seed ${seed}, ${texts.length} models`,
  )
  return true
}

let sound = true
if (wantsModels) sound = fuzzModels()
for (const name of names) sound = (await fuzz(name)) && sound
process.exit(sound ? 0 : 1)
