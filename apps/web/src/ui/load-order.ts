/**
 * What a screen shows first loads first: while it holds the heavy extras back, charts and dialogs wait with
 * their libraries. A screen that holds nothing makes nobody wait.
 */
let gate: Promise<void> = Promise.resolve()
let open: () => void = () => undefined

/**
 * The screen that holds lets go when its first thing is there, when it fails, and when it is left. This is
 * for what tells neither, such as a window in the background, which draws nothing: extras come even then.
 * Long, because on a slow machine the first thing would otherwise share its line with everything else.
 */
export const LONGEST_MS = 20_000

/** Holds the extras back until `releaseExtras`. */
export function holdExtras(): void {
  open()
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
