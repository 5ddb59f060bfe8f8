import type { JobJoinAnswer, JobProgress } from '@radx/contracts/jobs'
import { useEffect, useState } from 'react'
import { io } from 'socket.io-client'
import { useAuth } from '../app/auth/store.ts'
import { addMessage, type JobFollow, NO_FOLLOW } from './follow.ts'

/**
 * Follows a job over the real-time channel while `active`: joins it on every connection, also after the line
 * was lost, and leaves it on exit.
 */
export function useJobProgress(jobId: string, active: boolean): JobFollow {
  const token = useAuth((state) => state.token)
  const [follow, setFollow] = useState<JobFollow>(NO_FOLLOW)

  useEffect(() => {
    if (!active || token === null) return
    setFollow(NO_FOLLOW)
    const socket = io({ auth: { token }, transports: ['websocket', 'polling'] })
    const fail = (kind: 'connect_error' | 'connect_failed') => (reason: unknown) => {
      const { type, message } = (reason ?? {}) as { type?: string; message?: string }
      setFollow((before) => ({ ...before, error: `${kind}: ${type ?? message ?? kind}` }))
    }
    socket.on('connect', () => {
      setFollow((before) => ({ ...before, error: null }))
      socket.emit('job-join', { socketId: socket.id, jobId }, (answer: JobJoinAnswer) => {
        if (!answer.ok) setFollow((before) => ({ ...before, error: answer.error }))
      })
    })
    socket.on('job-progress', (progress: JobProgress) => {
      if (progress.jobId === jobId) setFollow((before) => addMessage(before, progress))
    })
    socket.on('connect_error', fail('connect_error'))
    // Older servers and clients name it so.
    socket.on('connect_failed', fail('connect_failed'))
    return () => {
      if (socket.connected) socket.emit('job-leave', { socketId: socket.id, jobId })
      socket.disconnect()
    }
  }, [jobId, active, token])

  return follow
}
