import { FormatError } from '@radx/contracts/errors'

/** The error with which something is refused. Anything else that is thrown is thrown on, and so is nothing. */
export function refusal(run: () => unknown): FormatError {
  try {
    run()
  } catch (error) {
    if (error instanceof FormatError) return error
    throw error
  }
  throw new Error('not refused')
}

/** As `refusal`, of what answers later. */
export async function lateRefusal(answer: Promise<unknown>): Promise<FormatError> {
  const [{ status, ...settled }] = await Promise.allSettled([answer])
  return refusal(() => {
    if (status === 'rejected') throw (settled as PromiseRejectedResult).reason
  })
}
