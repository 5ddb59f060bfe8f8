import { EXPORT_TABLE_DAYS } from '@radx/contracts/constants'
import { DEFAULT_IMAGE_NAME, type GraphType, IMAGE_NAME_HEADER } from '@radx/contracts/exports'
import type { LatLng } from '@radx/contracts/site'
import { IconPhotoDown } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { ApiError } from '../../../app/api/errors.ts'
import { openMessage } from '../../../app/modals.ts'
import { useRainMethod } from '../../../player/rain-method.ts'
import { exportTexts as texts } from '../../../texts/exports.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { downloadExport } from './download.ts'
import { type ExportRequest, exportQuery, isOver } from './request.ts'

interface Props extends ExportRequest {
  graph: GraphType
  /** Title of the graph. */
  name: string
  /** The gauge's place, for a pixel's graph. */
  at?: LatLng
  /** What the map shows adjusted to gauges, `method.mode`: the image is of that product. */
  adjusted: string | null
}

/** Saves a graph as an image; a failure is told in a dialog. */
export function GraphExport({ graph, name, at, adjusted, ...request }: Props) {
  const save = useMutation({
    mutationFn: () =>
      downloadExport(
        '/api/products/graph',
        {
          ...exportQuery(request),
          method: useRainMethod.getState().method,
          t: graph,
          adjust: adjusted,
          ...at,
        },
        (headers) => headers.get(IMAGE_NAME_HEADER) ?? DEFAULT_IMAGE_NAME,
      ),
    onError: (error) =>
      openMessage({
        title: texts.errorTitle,
        text: texts.graphError((error instanceof ApiError && error.serverMessage) || error.message),
      }),
  })
  const over = isOver(request.period, EXPORT_TABLE_DAYS)
  const label = adjusted === null ? texts.graph(name) : texts.adjustedGraph(name)
  return (
    <IconButton
      label={over ? texts.overLimit(label, EXPORT_TABLE_DAYS) : label}
      disabled={over}
      tip="left"
      size={28}
      loading={save.isPending}
      onClick={() => save.mutate()}
    >
      <IconPhotoDown size={16} stroke={1.75} />
    </IconButton>
  )
}
