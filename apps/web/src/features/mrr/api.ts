import type { MrrBin, MrrDay, MrrRecord, MrrVariableName } from '@radx/contracts/mrr'
import { useQuery } from '@tanstack/react-query'
import { callJson, send } from '../../app/api/client.ts'

export const useCalendar = (enabled: boolean) =>
  useQuery({
    queryKey: ['mrr', 'calendar'],
    queryFn: ({ signal }) => callJson<MrrDay[]>('/api/mrr/calendar', { query: { rain: 1 }, signal }),
    enabled,
    staleTime: 60_000,
  })

export const useDay = (day: string | null) =>
  useQuery({
    queryKey: ['mrr', 'day', day],
    queryFn: ({ signal }) => callJson<MrrBin[]>(`/api/mrr/day/${day}`, { signal }),
    enabled: day !== null,
  })

export const useHour = (hour: string | null, variable: MrrVariableName) =>
  useQuery({
    queryKey: ['mrr', 'hour', hour, variable],
    queryFn: ({ signal }) =>
      callJson<MrrRecord[]>(`/api/mrr/hour/${encodeURIComponent(hour ?? '')}`, {
        query: { v: variable },
        signal,
      }),
    enabled: hour !== null,
  })

export const useDemoHour = (variable: MrrVariableName) =>
  useQuery({
    queryKey: ['mrr', 'demo', variable],
    queryFn: ({ signal }) => callJson<MrrRecord[]>('/api/mrr/demo', { query: { v: variable }, signal }),
    retry: false,
  })

export type DownloadFormat = 'csv' | 'netcdf' | 'png'

/** The hour as a file, saved by the browser under the server's name for it. */
export async function downloadHour(
  hour: string,
  variable: MrrVariableName,
  format: DownloadFormat,
): Promise<void> {
  const response = await send(`/api/mrr/export/${encodeURIComponent(hour)}`, {
    query: { v: variable, format },
  })
  const name =
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? `mrr.${format}`
  const address = URL.createObjectURL(await response.blob())
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  URL.revokeObjectURL(address)
}
