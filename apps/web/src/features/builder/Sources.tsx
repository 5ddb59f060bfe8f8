import type { BuilderFile, BuilderSource } from '@radx/contracts/builder'
import { BUILDER_ENDINGS } from '@radx/contracts/builder-constants'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { serverErrorText } from '../../app/api/errors.ts'
import { builderTexts } from '../../texts/builder.ts'
import { sendingTexts } from '../../texts/sending.ts'
import { AskedRemoval } from '../../ui/AskedRemoval.tsx'
import { FileDrop } from '../../ui/FileDrop.tsx'
import { Message } from '../../ui/Message.tsx'
import { type Sent, useSending } from '../../ui/useSending.ts'
import { removeSource, uploadSource } from './api.ts'
import classes from './Builder.module.css'
import { useBuilder } from './useBuilder.ts'

const texts = builderTexts.sources

/** The files of the draft: taken by drop or by choice, one after another, each told with what it holds. */
export function Sources() {
  const { draft } = useBuilder()
  const queries = useQueryClient()
  const sending = useSending<unknown>()
  const refresh = () => queries.invalidateQueries({ queryKey: ['builder-draft', draft.id] })
  const remove = useMutation({
    mutationFn: (name: string) => removeSource(draft.id, name),
    onSettled: refresh,
  })
  const take = (files: readonly File[]) =>
    sending.send(
      files,
      (file, way) => uploadSource(draft.id, file, way).finally(refresh),
      () => undefined,
    )
  return (
    <fieldset className={classes.group}>
      <legend>{texts.title}</legend>
      <FileDrop
        accept={BUILDER_ENDINGS.map((ending) => `.${ending}`).join(',')}
        texts={texts}
        onFiles={take}
        sending={sending}
        testId="source-drop"
        isSmall
      />
      {sending.told.map((sent) => (
        <Told key={sent.file} sent={sent} />
      ))}
      {remove.isError && <Message kind="error">{serverErrorText(remove.error)}</Message>}
      {draft.files.length === 0 ? (
        <p className={classes.help}>{texts.none}</p>
      ) : (
        <ul className={classes.sources} data-testid="sources">
          {draft.files.map((file) => (
            <Source key={file.name} file={file} onRemove={() => remove.mutate(file.name)} />
          ))}
        </ul>
      )}
    </fieldset>
  )
}

function Told({ sent }: { sent: Sent<unknown> }) {
  if (sent.state === 'done') return null
  if (sent.state === 'cancelled') return <Message kind="nfo">{sendingTexts.cancelled(sent.file)}</Message>
  return (
    <Message kind="error">
      <span className={classes.lines}>
        {texts.refused(sent.file)} {serverErrorText(sent.error)}
      </span>
    </Message>
  )
}

function Source({ file: { name, holds }, onRemove }: { file: BuilderFile; onRemove: () => void }) {
  return (
    <li>
      <span>
        {name} <small>{about(holds)}</small>
      </span>
      <AskedRemoval
        label={builderTexts.remove}
        name={texts.removeFile(name)}
        ask={texts.removeAsk(name)}
        onYes={onRemove}
      />
    </li>
  )
}

function about({ raster, layers, network, table }: BuilderSource): string {
  if (raster)
    return [texts.raster(raster.ncols, raster.nrows, raster.cellSize), raster.crs ?? texts.noCrs].join(', ')
  if (layers)
    return layers
      .map(({ name, features, geometry, crs }) =>
        [
          ...(name === null ? [] : [name]),
          texts.layer(features, texts.geometries[geometry]),
          crs ?? texts.noCrs,
        ].join(', '),
      )
      .join(' ; ')
  if (network) return texts.network(network.nodes, network.links)
  return table ? texts.table(table.rows) : ''
}
