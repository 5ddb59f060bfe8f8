import { isManager, type Session } from '../http/sessions.ts'
import type { JobUser } from './queue.ts'

export const jobUser = (session: Session): JobUser => ({
  name: session.name,
  isManager: isManager(session),
  dates: session.restriction,
})
