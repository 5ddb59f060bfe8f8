import { setConsoleFunction } from 'three'

/** What the scene's library says of its own use of the drawing library: no news for who looks at a town. */
const OWN_AFFAIR = /^THREE\.Clock: This module has been deprecated/

setConsoleFunction((kind: 'log' | 'warn' | 'error', message: string, ...more: unknown[]) => {
  if (!OWN_AFFAIR.test(message)) console[kind](message, ...more)
})
