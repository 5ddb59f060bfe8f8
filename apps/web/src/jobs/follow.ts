import type { JobProgress } from '@radx/contracts/jobs'

/** What has been heard of a job. */
export interface JobFollow {
  progress: JobProgress | null
  /** Messages in their order, each once. */
  messages: { at: string; text: string }[]
  /** Why nothing more may come. */
  error: string | null
}

export const NO_FOLLOW: JobFollow = { progress: null, messages: [], error: null }

const KEEP = 200

/** A message that comes twice, e.g. after the line was lost, counts once. */
export function addMessage(follow: JobFollow, progress: JobProgress): JobFollow {
  const last = follow.messages.at(-1)
  const isNew = progress.msg !== '' && (last?.text !== progress.msg || last.at !== progress.msgDate)
  return {
    progress,
    error: null,
    messages: isNew
      ? [...follow.messages, { at: progress.msgDate, text: progress.msg }].slice(-KEEP)
      : follow.messages,
  }
}
