/** What other features may use of the audit trail; they import nothing else from this folder. */
export { originOf } from './origin.ts'
export { type AuditLine, byProgram, type Origin, record } from './service.ts'
export { installAuditTrail, tellMore, tellOnce } from './told.ts'
