import { EXPORT_TABLE_DAYS } from '@radx/contracts/constants'
import type { SavedEvent } from '@radx/contracts/events'
import { IconGridDots } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { genericErrorText } from '../../../app/api/errors.ts'
import { isManager, useAuth } from '../../../app/auth/store.ts'
import { openMessage } from '../../../app/modals.ts'
import { exportTexts as texts } from '../../../texts/exports.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { downloadExport, nameInHeader } from './download.ts'
import { exportQuery, isOver } from './request.ts'

/** The raster of a saved event that has a basin, for managers. */
export function EventExports({ event }: { event: SavedEvent }) {
  const manager = useAuth(isManager)
  const { start: s, end: e } = event.selectionDates
  const save = useMutation({
    mutationFn: () =>
      downloadExport(
        '/api/products/raster',
        exportQuery({ selection: { selectedProduct: event.product, ...event.catchment }, period: { s, e } }),
        (headers) => nameInHeader(headers.get('content-disposition')) ?? 'radx-raster.json',
      ),
    onError: (error) => openMessage({ title: texts.errorTitle, text: genericErrorText(error) }),
  })
  if (!manager || event.catchment.catchment === null) return null
  const over = isOver({ s, e }, EXPORT_TABLE_DAYS)
  return (
    <IconButton
      label={
        over ? texts.overLimit(texts.rasterOf(event.title), EXPORT_TABLE_DAYS) : texts.rasterOf(event.title)
      }
      disabled={over}
      size={32}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      <IconGridDots size={16} stroke={1.75} />
    </IconButton>
  )
}
