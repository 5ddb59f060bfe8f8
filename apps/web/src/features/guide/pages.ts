import type { GuidePage } from '../../../guide-plugin.ts'
import { guideTexts as texts } from '../../texts/guide.ts'

const modules = import.meta.glob<GuidePage>('../../../../../docs/guide/*.md', {
  eager: true,
  import: 'default',
})

export interface GuideEntry {
  /** Last part of its address, and the file's name. */
  id: string
  short: string
  about: string
  page: GuidePage
}

/** The pages of the guide, in the order in which they are offered. */
export const GUIDES: GuideEntry[] = Object.entries(texts.guides).map(([id, { short, about }]) => ({
  id,
  short,
  about,
  page: modules[`../../../../../docs/guide/${id}.md`],
}))
