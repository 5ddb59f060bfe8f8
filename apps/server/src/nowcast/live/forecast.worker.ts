/** Entry of the thread that makes and scores forecasts. */
import { parentPort, workerData } from 'node:worker_threads'
import type { RainFrame } from '@radx/motion/field'
import { startNowcast } from '@radx/motion/nowcast/start'
import { type CatchmentWeights, decodeRates } from '@radx/rainfall'
import { StoreCorruptError } from '../../store/frame-codec.ts'
import { type FramePlace, FrameReader } from '../../store/frame-reader.ts'
import { motionKernel } from '../../store/motion-kernel.ts'
import { openFrameStore } from '../../store/open-frame-store.ts'
import type { Blanks } from '../../store/store-threads.ts'
import { zoneWeights } from '../../store/zone-weights.ts'
import { beNice } from '../../threads/nice.ts'
import { toWireError } from '../../threads/worker-pool.ts'
import { partsOf, type SavedMembers, type SavedPictures } from '../kept/kept-forecasts.ts'
import { chanceFields, memberParts, partsOfLead, pictureParts, readPictures } from '../kept/parts.ts'
import { kmPerCell, seedOf } from '../made/issue.ts'
import { buffersOf, countMembers, joinMembers, type MemberPart } from '../made/members.ts'
import { type Made, makePictures } from '../made/pictures.ts'
import { leadOf, scoreMoment } from '../scores/score-frame.ts'
import { addTo } from '../scores/sums.ts'
import type { ForecastTask, ForecastThread, FrameScores } from './forecaster.ts'

const { nice, ...place } = workerData as ForecastThread
const store = openFrameStore(place)

beNice(nice)

type Task<Name> = Extract<ForecastTask, { task: Name }>

async function framesAt(
  product: Task<'pictures'>['product'],
  places: FramePlace[],
  blanks: Blanks,
): Promise<RainFrame[]> {
  const reader = new FrameReader(store, async (id) => {
    const blank = blanks.get(id)
    if (!blank) throw new StoreCorruptError(`image vide n° ${id}`)
    return blank
  })
  const frames: RainFrame[] = []
  for await (const codes of reader.codes(product, places))
    frames.push({
      timeMs: places[frames.length].timeMs,
      rateMmH: codes ? decodeRates(codes) : new Float32Array(product.steps ** 2),
    })
  return frames
}

const shapeOf = ({ steps }: { steps: number }) => ({ nrows: steps, ncols: steps })

/** Catchments are the same as long as the thread lives. */
const weights = new Map<string, CatchmentWeights[]>()
function weightsOf({ product, zones }: Pick<Task<'pictures'>, 'product' | 'zones'>): CatchmentWeights[] {
  const known = weights.get(product.shortName)
  if (known) return known
  const made = zoneWeights(product, zones)
  weights.set(product.shortName, made)
  return made
}

/** The last forecast: its members are asked for next. */
let last: { key: string; made: Made } | null = null

async function made(task: Task<'pictures'> | Task<'members'>): Promise<Made> {
  const { product, places, blanks, leadsMin } = task
  const key = `${product.shortName} ${places.map(({ timeMs }) => timeMs).join()} ${leadsMin.join()}`
  if (last?.key === key) return last.made
  last = null
  const frames = await framesAt(product, places, blanks)
  last = { key, made: makePictures(frames, shapeOf(product), leadsMin, weightsOf(task)) }
  return last.made
}

async function pictures(task: Task<'pictures'>): Promise<SavedPictures> {
  const { reason, motion, leadsMin, codes, zoneMean } = (await made(task)).pictures
  return { reason, leadsMin, zoneMean, parts: motion ? pictureParts(motion, codes) : [] }
}

/** The members that this thread made, until those of the thread beside are there. */
let mine: MemberPart | null = null

/** Members of the forecast that the pictures were of. @returns whether there are any */
async function members(task: Task<'members'>): Promise<boolean> {
  mine = null
  const { start, pictures: forecast } = await made(task)
  last = null
  if (typeof start === 'string' || forecast.leadsMin.length === 0) return false
  mine = countMembers(start, optionsOf(task, forecast.leadsMin), weightsOf(task), task.windows, task.which)
  return true
}

/** Some members in the thread beside; null where there is no forecast. */
async function part(task: Task<'part'>): Promise<MemberPart | null> {
  const frames = await framesAt(task.product, task.places, task.blanks)
  const start = startNowcast(frames, shapeOf(task.product), motionKernel('follow'))
  if (typeof start === 'string' || task.leadsMin.length === 0) return null
  return countMembers(start, optionsOf(task, task.leadsMin), weightsOf(task), task.windows, task.which)
}

const optionsOf = (task: Task<'members'> | Task<'part'>, leadsMin: readonly number[]) => ({
  leadsMin,
  members: task.members,
  seed: seedOf(task.places[task.places.length - 1].timeMs),
  kmPerCell: kmPerCell(task.product),
})

function join({ others, windows }: Task<'join'>): SavedMembers {
  if (!mine) throw new Error('members are joined before they are made')
  const { members: count, zoneQuantile, chances, quantiles, windows: codes } = joinMembers([mine, ...others])
  mine = null
  return { members: count, zoneQuantile, windows, parts: memberParts(chances, quantiles, codes) }
}

async function scores({ product, frame, forecasts, blanks, stepMin }: Task<'scores'>): Promise<FrameScores> {
  const [seen] = await framesAt(product, [frame], blanks)
  const byLead = new Map<number, FrameScores[number]>()
  for (const { row, last: lastPlace } of forecasts) {
    const minutes = (frame.timeMs - row.issued.getTime()) / 60_000
    const leadMin = leadOf(minutes, row.leads, stepMin)
    if (leadMin === null) continue
    const at = row.leads.indexOf(leadMin)
    const { motion, codes } = readPictures(
      await partsOf(store, product, row, 'forecast', [0, at + 1]),
      product.steps,
    )
    const [{ rateMmH: lastMmH }] = await framesAt(product, [lastPlace], blanks)
    const first = at * partsOfLead
    const chances =
      row.members === 0
        ? null
        : chanceFields(
            await partsOf(store, product, row, 'members', [first, first + 1, first + 2]),
            product.steps,
          )
    const sums = scoreMoment(
      { leadMin, motion, rateMmH: decodeRates(codes[0]), chances, lastMmH },
      seen.rateMmH,
      minutes,
      shapeOf(product),
    )
    const pooled = byLead.get(leadMin) ?? { leadMin, forecast: [], persistence: [], chances: null }
    byLead.set(leadMin, pooled)
    addTo(pooled.forecast, sums.forecast)
    addTo(pooled.persistence, sums.persistence)
    if (sums.chances) {
      pooled.chances ??= []
      addTo(pooled.chances, sums.chances)
    }
  }
  return [...byLead.values()]
}

function answer(message: ForecastTask) {
  switch (message.task) {
    case 'pictures':
      return pictures(message)
    case 'members':
      return members(message)
    case 'part':
      return part(message)
    case 'join':
      return join(message)
    case 'scores':
      return scores(message)
  }
}

parentPort!.on('message', async ({ id, message }: { id: number; message: ForecastTask }) => {
  try {
    const result = await answer(message)
    const moved = message.task === 'part' && result !== null ? buffersOf(result as MemberPart) : []
    parentPort!.postMessage({ id, result }, moved)
  } catch (error) {
    parentPort!.postMessage({ id, error: toWireError(error) })
  }
})
