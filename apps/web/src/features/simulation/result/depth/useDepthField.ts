import { OUTPUT_MAX_DEPTH } from '@radx/contracts/simulation-constants'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { outputQuery } from '../state.ts'
import { type DepthField, depthField } from './field.ts'

/** The largest depths of a run; an empty id asks for nothing. */
export function useDepthField(jobId: string) {
  const { data, error, isPending, refetch } = useQuery({
    ...outputQuery(jobId, OUTPUT_MAX_DEPTH),
    enabled: jobId !== '',
  })
  const field = useMemo((): DepthField | null => (data ? depthField(data) : null), [data])
  return { field, error, isPending: jobId !== '' && isPending, refetch }
}
