import type { NowcastPlace } from '@radx/contracts/nowcast'
import { nowcastTexts as texts } from '../../../texts/nowcast.ts'

const MINUTE_MS = 60_000

/** Leads of a place as they lie around now: minutes from now, below 0 what is past. */
function aroundNow({ issued, classes }: Pick<NowcastPlace, 'issued' | 'classes'>, nowMs: number) {
  const ageMin = issued === null ? 0 : Math.max(0, Math.round((nowMs - Date.parse(issued)) / MINUTE_MS))
  return classes.map((lead) => ({ inMin: lead.leadMin - ageMin, ...lead }))
}

/** Every moment that the forecast of a place tells of is past. */
export const placeIsOver = (nowcast: NowcastPlace, nowMs: number): boolean =>
  nowcast.reason === null && nowcast.classes.length > 0 && !aroundNow(nowcast, nowMs).some((l) => l.inMin > 0)

/**
 * When rain comes to a place or leaves it, from now on. What lies behind the horizon of skill is told as possible.
 */
export function placeWords(nowcast: NowcastPlace, nowMs: number): string {
  const leads = aroundNow(nowcast, nowMs)
  const unseen = leads.length > 0 && leads.every((lead) => lead.class === null)
  // An image without rain says nothing of a place that is not on it.
  if (nowcast.reason === 'dry' && unseen) return texts.outside
  if (nowcast.reason !== null) return texts.reasons[nowcast.reason]
  if (placeIsOver(nowcast, nowMs)) return texts.over
  if (unseen) return texts.outside
  const present = leads.reduce((near, lead) =>
    Math.abs(lead.inMin) < Math.abs(near.inMin) || near.class === null ? lead : near,
  )
  const ahead = leads.filter((lead) => lead.inMin > Math.max(0, present.inMin) && lead.class !== null)
  const last = ahead.at(-1)
  if (last === undefined) return texts.unseen
  const wet = (present.class ?? 0) > 0
  const turn = ahead.find((lead) => (lead.class ?? 0) > 0 !== wet)
  if (turn === undefined) return wet ? texts.rainsOn(last.inMin) : texts.dry(last.inMin)
  const sure = nowcast.horizonMin !== null && turn.leadMin <= nowcast.horizonMin
  if (wet) return sure ? texts.dryIn(turn.inMin) : texts.maybeDryIn(turn.inMin)
  return sure ? texts.rainIn(turn.inMin) : texts.maybeRainIn(turn.inMin)
}
