/** What other features may use of the accounts; they import nothing else from this folder. */
export { nameKey } from './names.ts'
export { deviceLabel } from './user-agent.ts'
