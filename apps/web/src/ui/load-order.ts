/**
 * What a screen shows first loads first: while it holds the heavy extras back, charts and dialogs wait with
 * their libraries. A screen that holds nothing makes nobody wait.
 */
let gate: Promise<void> = Promise.resolve()
let open: () => void = () => undefined

/** At most this long: extras come even when the first thing never does. */
const LONGEST_MS = 3_000

/** Holds the extras back until `releaseExtras`. */
export function holdExtras(): void {
  gate = new Promise((resolve) => {
    const timer = setTimeout(resolve, LONGEST_MS)
    open = () => {
      clearTimeout(timer)
      resolve()
    }
  })
}

export const releaseExtras = (): void => open()

/** Resolves when extras may load. */
export const extrasMayLoad = (): Promise<void> => gate
