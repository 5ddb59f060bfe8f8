import type { LuseData } from '@radx/contracts/simulation'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { luseDataQuery } from '../api.ts'
import { setCodes } from './land-use.ts'
import { changeForm, useForm } from './store.ts'

/** Grid and table of the chosen file; the table goes into the form once it is here. */
export function useLandUse(): { data: LuseData | undefined; error: unknown } {
  const fileId = useForm((state) => state.luseIdArr[0])
  const { data, error } = useQuery({ ...luseDataQuery(fileId ?? ''), enabled: fileId !== undefined })
  useEffect(() => {
    const { luseIdArr, ownConfigs } = useForm.getState()
    if (data?.codes && luseIdArr[0] === fileId && ownConfigs.length === 0)
      changeForm((state) => setCodes(state, data.codes ?? []))
  }, [data, fileId])
  return { data, error }
}
