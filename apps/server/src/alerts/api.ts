/** What other features may use of the alerts; they import nothing else from this folder. */
export { ALERT_CHANNEL } from './raise.ts'
