import { Button, FileButton, TextInput } from '@mantine/core'
import { CATCHMENT_NAME_MAX, type KeptCatchment } from '@radx/contracts/own-catchments'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import {
  IconAdjustments,
  IconLock,
  IconPencil,
  IconPlayerPlay,
  IconShare,
  IconTrash,
  IconUpload,
  IconUsers,
  IconWorld,
} from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { Link } from 'react-router'
import { serverErrorText } from '../../../app/api/errors.ts'
import { mayBringCatchments, useAuth } from '../../../app/auth/store.ts'
import { useSite } from '../../../app/site.ts'
import { catchmentTexts as texts } from '../../../texts/catchments.ts'
import { onEscape, questionKeys, useInlineForm } from '../../../ui/inline-form.ts'
import { Message } from '../../../ui/Message.tsx'
import { DownloadButton } from '../parts/DownloadButton.tsx'
import { LuseImage } from '../parts/LuseImage.tsx'
import { pictureQuery, removeCatchment, renameCatchment, zipPath } from './api.ts'
import classes from './Catchments.module.css'
import { SharingDialog } from './SharingDialog.tsx'

const SHARING_ICONS = { private: IconLock, named: IconUsers, all: IconWorld } as const
const icon = { size: 16, stroke: 1.75, 'aria-hidden': true } as const

interface Props {
  catchment: KeptCatchment
  /** Sends files as versions of it. */
  onVersion: (files: readonly File[], into: string) => void
}

export function CatchmentCard({ catchment, onVersion }: Props) {
  const { id, name, attribution } = catchment
  const picture = useQuery(pictureQuery(catchment))
  const [part, setPart] = useState<'rename' | 'remove' | null>(null)
  const root = useInlineForm<HTMLLIElement>(part)
  return (
    <li ref={root} className={classes.card}>
      <LuseImage base64={picture.isError ? '' : picture.data} alt="" />
      <div className={classes.text}>
        {part === 'rename' ? <Rename catchment={catchment} onClose={() => setPart(null)} /> : <h3>{name}</h3>}
        <Sharing catchment={catchment} />
        <Facts catchment={catchment} />
        {attribution !== '' && <p className={classes.source}>{attribution}</p>}
        <div className={classes.actions}>
          <Button
            component={Link}
            to={`/multihydro/form?bassin=${encodeURIComponent(id)}`}
            size="compact-sm"
            aria-label={texts.runOn(name)}
            leftSection={<IconPlayerPlay {...icon} />}
          >
            {texts.run}
          </Button>
          <Button
            component={Link}
            to={`/multihydro/calage?bassin=${encodeURIComponent(id)}`}
            size="compact-sm"
            variant="default"
            aria-label={texts.fitOf(name)}
            leftSection={<IconAdjustments {...icon} />}
          >
            {texts.fit}
          </Button>
          <DownloadButton
            path={zipPath(id)}
            filename={`${name}.zip`}
            label={texts.download}
            describe={texts.downloadOf(name)}
          />
        </div>
        {catchment.mayChange && (
          <Changes catchment={catchment} part={part} onPart={setPart} onVersion={onVersion} />
        )}
      </div>
    </li>
  )
}

/** Whose it is, and who sees it. */
function Sharing({ catchment: { owner, sharing, sharedWith, mayChange } }: Pick<Props, 'catchment'>) {
  const me = useAuth((state) => state.name)
  if (owner === null) return null
  const Icon = SHARING_ICONS[sharing]
  const told =
    sharing !== 'named'
      ? texts.sharings[sharing]
      : mayChange
        ? texts.sharedWith(sharedWith.length)
        : texts.sharedWithMe
  return (
    <p className={classes.badge}>
      <Icon {...icon} />
      {told}
      {owner !== me && ` ${texts.owner(owner)}`}
    </p>
  )
}

function Facts({ catchment }: Pick<Props, 'catchment'>) {
  const { timeZone } = useSite()
  const { ncols, nrows, cellSizeM, activeCells, runs, versions, bytes, updatedAt, synthetic } = catchment
  return (
    <p className={classes.facts}>
      <span>{texts.cells(ncols, nrows, cellSizeM)}</span>
      <span>{texts.area((activeCells * cellSizeM ** 2) / 1e6)}</span>
      <span>{texts.runs(runs)}</span>
      {versions > 1 && <span>{texts.versions(versions)}</span>}
      {bytes !== null && <span>{texts.size(bytes)}</span>}
      {synthetic && <span>{texts.synthetic}</span>}
      <time dateTime={updatedAt}>{texts.changed(formatDateTimeFr(updatedAt, timeZone))}</time>
    </p>
  )
}

function Rename({ catchment: { id, name }, onClose }: { catchment: KeptCatchment; onClose: () => void }) {
  const refresh = useRefresh()
  const rename = useMutation({
    mutationFn: (next: string) => renameCatchment(id, next),
    onSuccess: async () => {
      await refresh()
      onClose()
    },
  })
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const next = String(new FormData(event.currentTarget).get('name') ?? '').trim()
    if (next === name) onClose()
    else if (!rename.isPending) rename.mutate(next)
  }
  return (
    <form className={classes.rename} data-form="rename" onSubmit={submit} onKeyDown={onEscape(onClose)}>
      <h3 className="rx-visually-hidden">{name}</h3>
      <TextInput
        name="name"
        aria-label={texts.name}
        defaultValue={name}
        maxLength={CATCHMENT_NAME_MAX}
        required
      />
      <div className={classes.actions}>
        <Button type="submit" size="compact-sm" loading={rename.isPending}>
          {texts.save}
        </Button>
        <Button variant="default" size="compact-sm" onClick={onClose}>
          {texts.cancel}
        </Button>
      </div>
      {rename.error && <Message kind="error">{serverErrorText(rename.error)}</Message>}
    </form>
  )
}

interface ChangesProps extends Props {
  part: 'rename' | 'remove' | null
  onPart: (part: ChangesProps['part']) => void
}

/** What its owner does with it. */
function Changes({ catchment, part, onPart, onVersion }: ChangesProps) {
  const { id, name, runs } = catchment
  const mayBring = useAuth(mayBringCatchments)
  const [sharing, setSharing] = useState(false)
  const refresh = useRefresh()
  const remove = useMutation({
    mutationFn: () => removeCatchment(id),
    onSuccess: refresh,
    onError: () => onPart(null),
  })
  const quiet = { size: 'compact-sm', variant: 'subtle', color: 'gray' } as const
  if (part === 'remove')
    return (
      <fieldset
        className={classes.confirm}
        aria-label={texts.removeOf(name)}
        data-form="remove"
        {...questionKeys(() => onPart(null))}
      >
        <p>{texts.removeAsk(name, runs)}</p>
        <div className={classes.actions}>
          <Button size="compact-sm" color="red.9" loading={remove.isPending} onClick={() => remove.mutate()}>
            {texts.remove}
          </Button>
          <Button size="compact-sm" variant="default" data-autofocus onClick={() => onPart(null)}>
            {texts.cancel}
          </Button>
        </div>
      </fieldset>
    )
  return (
    <>
      <fieldset className={classes.changes} aria-label={texts.more(name)}>
        <Button
          {...quiet}
          aria-label={texts.shareOf(name)}
          leftSection={<IconShare {...icon} />}
          onClick={() => setSharing(true)}
        >
          {texts.share}
        </Button>
        {mayBring && (
          <FileButton accept=".zip" onChange={(file) => file && onVersion([file], id)}>
            {(props) => (
              <Button {...props} {...quiet} leftSection={<IconUpload {...icon} />}>
                {texts.addVersion}
              </Button>
            )}
          </FileButton>
        )}
        <Button
          {...quiet}
          aria-label={texts.renameOf(name)}
          data-opens="rename"
          leftSection={<IconPencil {...icon} />}
          onClick={() => onPart('rename')}
        >
          {texts.rename}
        </Button>
        <Button
          {...quiet}
          aria-label={texts.removeOf(name)}
          data-opens="remove"
          leftSection={<IconTrash {...icon} />}
          onClick={() => onPart('remove')}
        >
          {texts.remove}
        </Button>
      </fieldset>
      {remove.error && <Message kind="error">{serverErrorText(remove.error)}</Message>}
      <SharingDialog catchment={catchment} opened={sharing} onClose={() => setSharing(false)} />
    </>
  )
}

/** Lists that a change of a catchment shows in. */
function useRefresh(): () => Promise<unknown> {
  const queries = useQueryClient()
  return () =>
    Promise.all([
      queries.invalidateQueries({ queryKey: ['kept-catchments'] }),
      queries.invalidateQueries({ queryKey: ['simulation-catchments'] }),
    ])
}
