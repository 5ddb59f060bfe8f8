import type { CatchmentUploaded } from '@radx/contracts/catchment-upload'
import type { CatchmentSharingBody, KeptCatchment } from '@radx/contracts/own-catchments'
import type { LuseFile } from '@radx/contracts/simulation'
import { queryOptions } from '@tanstack/react-query'
import { callJson, send } from '../../../app/api/client.ts'
import { callPages } from '../../../app/api/pages.ts'
import { uploadJson } from '../../../app/api/upload.ts'
import type { Way } from '../../../ui/useSending.ts'

const PATH = '/api/catchment-packages'
const of = (id: string, part = '') => `${PATH}/${encodeURIComponent(id)}${part}`

/** @param all also private ones of others, for managers */
export const keptCatchmentsQuery = (all: boolean) =>
  queryOptions({
    queryKey: ['kept-catchments', all],
    queryFn: ({ signal }) => callPages<KeptCatchment>(PATH, { query: all ? { all: 1 } : {}, signal }),
    staleTime: 0,
  })

/** The picture of a catchment's own land use, base64; it changes with its versions. */
export const pictureQuery = ({ id, updatedAt }: Pick<KeptCatchment, 'id' | 'updatedAt'>) =>
  queryOptions({
    queryKey: ['catchment-picture', id, updatedAt],
    queryFn: async ({ signal }) => {
      // The first of the list is its reference.
      const [file] = await callJson<LuseFile[]>('/api/multihydro/files', {
        query: { c: id, limit: 1 },
        signal,
      })
      return file?.base64Image ?? ''
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

/** @param into the catchment that gets a version; null finds or makes one by the id in its catchment.json */
export const uploadCatchment = (file: File, into: string | null, way: Way) =>
  uploadJson<CatchmentUploaded>(PATH, file, {
    query: { name: file.name, into },
    ...way,
  })

export const renameCatchment = (id: string, name: string) =>
  send(of(id, '/name'), { method: 'PUT', body: { name } })
export const shareCatchment = (id: string, body: CatchmentSharingBody) =>
  send(of(id, '/sharing'), { method: 'PUT', body })
export const removeCatchment = (id: string) => send(of(id), { method: 'DELETE' })
export const zipPath = (id: string) => of(id, '/package.zip')
