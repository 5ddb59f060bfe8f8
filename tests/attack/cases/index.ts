import type { AttackCase } from '../attack-case.ts'
import { manyCharts } from './answers.ts'
import { stormCrowd } from './crowd.ts'
import { flippedBits } from './damage.ts'
import { rainOfOthers } from './dates.ts'
import { firstSeconds } from './first-seconds.ts'
import { closedFolder } from './folder.ts'
import { oddTexts, slowForms, wideForms } from './forms.ts'
import { endlessRuns, longLists } from './growth.ts'
import { jobFollowers } from './job-followers.ts'
import { botnetLogins } from './logins.ts'
import { hostileNetworks } from './networks.ts'
import { anybodysPictures } from './pictures.ts'
import { hostileStandards } from './standards.ts'

/**
 * Every attack, in the order in which they run; a new one adds its line. Those that measure the memory come once the rain
 * of the frames is followed, those that damage come last.
 */
export const CASES: readonly AttackCase[] = [
  jobFollowers,
  botnetLogins,
  endlessRuns,
  longLists,
  firstSeconds,
  oddTexts,
  manyCharts,
  anybodysPictures,
  hostileNetworks,
  hostileStandards,
  rainOfOthers,
  closedFolder,
  stormCrowd,
  wideForms,
  slowForms,
  flippedBits,
]
