import { Button, NumberInput } from '@mantine/core'
import type { LuseConfig } from '@radx/contracts/simulation'
import { IconDownload, IconPhoto } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../../app/api/client.ts'
import { saveBlob } from '../../../app/api/download.ts'
import { genericErrorText } from '../../../app/api/errors.ts'
import { landUseTexts } from '../../../texts/simulation.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Message } from '../../../ui/Message.tsx'
import { luseDataQuery } from '../api.ts'
import { flatten } from '../editor/model.ts'
import classes from './ExportModal.module.css'
import { CELL_PX, cellSizeOf, luseImage, withCodes } from './luse-image.ts'

const texts = landUseTexts.exportModal

interface Props {
  /** File to export; null closes. */
  fileId: string | null
  /** The map as it is painted, in place of the file's own; with its table. */
  painted?: { codes: Int16Array; configs: readonly LuseConfig[] }
  onClose: () => void
}

/** luse.asc and luse.png of a land-use file, or of what is painted on it. */
export function ExportModal({ fileId, painted, onClose }: Props) {
  return (
    <Dialog opened={fileId !== null} onClose={onClose} title={texts.title} size="md">
      {fileId !== null && <Exports fileId={fileId} painted={painted} />}
    </Dialog>
  )
}

function Exports({ fileId, painted }: { fileId: string; painted: Props['painted'] }) {
  const grid = useQuery(luseDataQuery(fileId))
  const [cellPx, setCellPx] = useState<number>(CELL_PX.default)
  const ncols = grid.data?.data[0]?.length ?? 0
  const nrows = grid.data?.data.length ?? 0
  const size = cellSizeOf(cellPx)

  const file = useMutation({
    mutationFn: async () => {
      const text = await (await send(`/api/multihydro/file/${fileId}/data`)).text()
      const asc = painted ? withCodes(text, painted.codes) : text
      saveBlob(new Blob([asc], { type: 'text/plain' }), 'luse.asc')
    },
  })
  const image = useMutation({
    mutationFn: async () => {
      if (!grid.data) return
      const codes = painted?.codes ?? flatten(grid.data.data, ncols)
      saveBlob(await luseImage(codes, ncols, painted?.configs ?? grid.data.codes ?? [], size), 'luse.png')
    },
  })
  const failed = file.error ?? image.error ?? grid.error
  return (
    <div className={classes.root}>
      <section>
        <h3>{texts.file}</h3>
        <p>{texts.fileHelp}</p>
        <Button
          variant="default"
          leftSection={<IconDownload size={18} stroke={1.75} aria-hidden />}
          loading={file.isPending}
          onClick={() => file.mutate()}
        >
          {texts.downloadFile}
        </Button>
      </section>
      <section>
        <h3>{texts.image}</h3>
        <p>{texts.imageHelp}</p>
        <div className={classes.image}>
          <NumberInput
            label={texts.cellSize}
            min={CELL_PX.min}
            max={CELL_PX.max}
            clampBehavior="blur"
            allowDecimal={false}
            value={cellPx}
            onChange={(value) => setCellPx(Number(value))}
            description={ncols > 0 ? texts.size(ncols * size, nrows * size) : undefined}
            inputWrapperOrder={['label', 'input', 'description']}
          />
          <Button
            variant="default"
            leftSection={<IconPhoto size={18} stroke={1.75} aria-hidden />}
            disabled={!grid.data || image.isPending}
            onClick={() => image.mutate()}
          >
            {image.isPending ? texts.generating : texts.generate}
          </Button>
        </div>
      </section>
      {failed && <Message kind="error">{genericErrorText(failed)}</Message>}
    </div>
  )
}
