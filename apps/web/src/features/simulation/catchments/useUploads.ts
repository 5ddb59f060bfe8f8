import type { CatchmentUploaded } from '@radx/contracts/catchment-upload'
import { useQueryClient } from '@tanstack/react-query'
import { type Sending, useSending } from '../../../ui/useSending.ts'
import { uploadCatchment } from './api.ts'

export interface Uploaded extends CatchmentUploaded {
  isVersion: boolean
}
export interface Uploads extends Omit<Sending<Uploaded>, 'send'> {
  /** Sends files one after another. @param into the catchment that gets a version */
  send: (files: readonly File[], into?: string) => void
}

/** @param known ids of the catchments that are there, by which a version is told from a new one */
export function useUploads(known: readonly string[]): Uploads {
  const queries = useQueryClient()
  const { send, ...sending } = useSending<Uploaded>()
  return {
    ...sending,
    send: (files, into) =>
      send(
        files,
        async (file, way) => {
          const made = await uploadCatchment(file, into ?? null, way)
          return { ...made, isVersion: known.includes(made.id) }
        },
        () =>
          Promise.all([
            queries.invalidateQueries({ queryKey: ['kept-catchments'] }),
            queries.invalidateQueries({ queryKey: ['simulation-catchments'] }),
          ]),
      ),
  }
}
