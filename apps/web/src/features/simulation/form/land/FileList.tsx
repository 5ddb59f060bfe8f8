import { Button, Pagination, Radio } from '@mantine/core'
import { DEFAULT_USER, LAND_USE_FILES_PER_PAGE, type LuseFile } from '@radx/contracts/simulation'
import { formatDateFr } from '@radx/locale/format-fr'
import { IconDownload, IconPaperclip, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { send } from '../../../../app/api/client.ts'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { hasManagerRole, useAuth } from '../../../../app/auth/store.ts'
import { useSite } from '../../../../app/site.ts'
import { listTexts, landUseTexts as texts } from '../../../../texts/simulation.ts'
import { useFocusOutlives } from '../../../../ui/focus-return.ts'
import { questionKeys, useInlineForm } from '../../../../ui/inline-form.ts'
import { Message } from '../../../../ui/Message.tsx'
import { Waiting } from '../../../../ui/Waiting.tsx'
import { luseFilesQuery } from '../../api.ts'
import { LuseImage } from '../../parts/LuseImage.tsx'
import { chooseFile, leaveFile } from '../land-use.ts'
import { changeForm, useForm } from '../store.ts'
import classes from './FileList.module.css'

/** Land-use files of the basin, 12 a page. */
export function FileList({ onExport }: { onExport: (fileId: string) => void }) {
  const catchmentId = useForm((state) => state.catchmentId)
  const chosen = useForm((state) => state.luseIdArr[0])
  const files = useQuery(luseFilesQuery(catchmentId))
  const [asked, setPage] = useState<number | null>(null)

  if (files.isPending) return <Waiting label={texts.loading} />
  if (files.isError) return <Message kind="error">{genericErrorText(files.error)}</Message>
  if (files.data.length === 0) return <Message kind="nfo">{texts.noFiles}</Message>
  const pages = Math.ceil(files.data.length / LAND_USE_FILES_PER_PAGE)
  const chosenAt = files.data.findIndex(({ _id }) => _id === chosen)
  const page = Math.min(asked ?? Math.floor(Math.max(0, chosenAt) / LAND_USE_FILES_PER_PAGE) + 1, pages)
  const shown = files.data.slice((page - 1) * LAND_USE_FILES_PER_PAGE, page * LAND_USE_FILES_PER_PAGE)
  return (
    <>
      <Radio.Group
        label={<span className="rx-visually-hidden">{texts.files}</span>}
        value={chosen ?? null}
        onChange={(id) => changeForm((state) => chooseFile(state, id))}
      >
        <ul className={classes.root}>
          {shown.map((file) => (
            <File key={file._id} file={file} onExport={onExport} />
          ))}
        </ul>
      </Radio.Group>
      {pages > 1 && (
        <nav className={classes.pager} aria-label={texts.pager}>
          <Pagination
            total={pages}
            value={page}
            onChange={setPage}
            size="sm"
            getItemProps={(n) => ({ 'aria-label': `Page ${n}` })}
          />
        </nav>
      )}
    </>
  )
}

function File({ file, onExport }: { file: LuseFile; onExport: (fileId: string) => void }) {
  const { timeZone } = useSite()
  const description = file.desc.trim() === '' ? texts.noDescription : file.desc
  const date = formatDateFr(file.creationDate, timeZone)
  const mine = useAuth((state) => state.name === file.username || hasManagerRole(state))
  // Those of the basin itself stay.
  const removable = mine && file.username !== DEFAULT_USER
  return (
    <li className={classes.file} data-outdated={file.outdated || undefined}>
      <Radio.Card
        value={file._id}
        disabled={file.outdated}
        className={classes.card}
        aria-label={[description, file.username, date, ...(file.outdated ? [listTexts.outdated] : [])].join(
          ', ',
        )}
      >
        <LuseImage base64={file.base64Image} alt="" />
        <span className={classes.text}>
          <Radio.Indicator size="xs" />
          <span>
            <span className={classes.desc} data-missing={file.desc.trim() === ''}>
              {description}
            </span>
            <span className={classes.facts}>
              {file.username === DEFAULT_USER && (
                <IconPaperclip size={13} stroke={1.75} role="img" aria-label={listTexts.referenceUser} />
              )}
              {file.username} · {date}
            </span>
            {file.outdated && <span className={classes.outdated}>{listTexts.outdated}</span>}
          </span>
        </span>
      </Radio.Card>
      {removable && <DeleteFile fileId={file._id} name={description} />}
      <Button
        className={classes.export}
        size="compact-sm"
        variant="subtle"
        color="gray"
        aria-label={`${texts.export} ${description}`}
        leftSection={<IconDownload size={16} stroke={1.75} aria-hidden />}
        onClick={() => onExport(file._id)}
      >
        {texts.export}
      </Button>
    </li>
  )
}

/** Deletes a file once asked twice; one that runs need is kept, and the answer says so. */
function DeleteFile({ fileId, name }: { fileId: string; name: string }) {
  const [asked, setAsked] = useState(false)
  const root = useInlineForm<HTMLDivElement>(asked ? 'remove' : null)
  useFocusOutlives(root)
  const queries = useQueryClient()
  const catchmentId = useForm((state) => state.catchmentId)
  const remove = useMutation({
    mutationFn: () => send(`/api/multihydro/file/${fileId}`, { method: 'DELETE' }),
    onSuccess: async () => {
      changeForm((state) => leaveFile(state, fileId))
      await queries.invalidateQueries({ queryKey: luseFilesQuery(catchmentId).queryKey })
    },
    onError: () => setAsked(false),
  })
  const label = `${texts.removeFile} ${name}`
  return (
    <div ref={root} className={classes.remove}>
      {asked ? (
        <fieldset aria-label={label} data-form="remove" {...questionKeys(() => setAsked(false))}>
          <p>{texts.removeFileAsk}</p>
          <Button size="compact-sm" color="red.9" loading={remove.isPending} onClick={() => remove.mutate()}>
            {texts.removeFile}
          </Button>
          <Button size="compact-sm" variant="default" data-autofocus onClick={() => setAsked(false)}>
            {texts.removeFileNo}
          </Button>
        </fieldset>
      ) : (
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          aria-label={label}
          data-opens="remove"
          leftSection={<IconTrash size={16} stroke={1.75} aria-hidden />}
          onClick={() => setAsked(true)}
        >
          {texts.removeFile}
        </Button>
      )}
      {remove.isError && <Message kind="error">{genericErrorText(remove.error)}</Message>}
    </div>
  )
}
