import { createContext } from 'react'

/** Whether what stands here waits unseen for its reader to sign in again. */
export const Waiting = createContext(false)
