import { useQuery } from '@tanstack/react-query'
import { NO_REFERENCE, type Reference } from '../address.ts'
import { useResult } from '../state.ts'
import { similarQuery } from './api.ts'

/** The reference that the address names; none when it is gone, or was computed on another version of the catchment. */
export function useReference(jobId: string): Reference {
  const { reference } = useResult()
  const similar = useQuery({ ...similarQuery(jobId), enabled: reference.id !== '' })
  const comparable = similar.data?.some(({ _id }) => _id === reference.id) ?? true
  return comparable ? reference : NO_REFERENCE
}
