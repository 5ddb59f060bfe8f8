import { create } from 'zustand'

interface Written {
  title: string
  comment: string
}

export const NOTHING: Written = { title: '', comment: '' }

/** What its owner began to write of a period; it waits for him here until it is saved, wherever he goes meanwhile. */
export const useWritten = create<Written & { owner: string | null }>()(() => ({ owner: null, ...NOTHING }))
