// The sewer's inner loops, on one thread.
export { GRAVITY } from './gravity'
export { flows, move, openBalances, stored } from './sewer/balances'
export { bind } from './sewer/memory'
export { prepare } from './sewer/momentum'
export { addReaches, bindReaches, startReaches, updateReaches } from './sewer/reaches'
export {
  acceptConduits,
  acceptNodes,
  acceptPart,
  bend,
  bindSteps,
  enter,
  heapsUp,
  shareOut,
  solvePart,
} from './sewer/steps'
