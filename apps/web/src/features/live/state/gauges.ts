import { create } from 'zustand'
import type { Gauges } from '../../../gauges/useGauges.ts'

/** Gauges of the live map; null while nobody is signed in. */
export const useLiveGauges = create<{ gauges: Gauges | null }>()(() => ({ gauges: null }))
