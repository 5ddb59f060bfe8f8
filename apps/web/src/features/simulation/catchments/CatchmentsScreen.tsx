import { Button, SegmentedControl, Skeleton } from '@mantine/core'
import type { KeptCatchment } from '@radx/contracts/own-catchments'
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { genericErrorText } from '../../../app/api/errors.ts'
import { isManager, mayBringCatchments, useAuth } from '../../../app/auth/store.ts'
import { catchmentTexts as texts } from '../../../texts/catchments.ts'
import { Message } from '../../../ui/Message.tsx'
import page from '../../../ui/Page.module.css'
import { LuseGround } from '../parts/LuseImage.tsx'
import { keptCatchmentsQuery } from './api.ts'
import { CatchmentCard } from './CatchmentCard.tsx'
import classes from './Catchments.module.css'
import { UploadZone } from './UploadZone.tsx'
import { useUploads } from './useUploads.ts'

/** Catchments that can be simulated, and the place to bring another. */
export default function CatchmentsScreen() {
  const manager = useAuth(isManager)
  const mayBring = useAuth(mayBringCatchments)
  const [all, setAll] = useState(false)
  const catchments = useQuery(keptCatchmentsQuery(manager && all))
  const zone = useRef<HTMLDivElement>(null)
  const uploads = useUploads((catchments.data ?? []).map(({ id }) => id))
  const addVersion = (files: readonly File[], into: string) => {
    // Its progress is told there.
    zone.current?.scrollIntoView({ block: 'nearest' })
    uploads.send(files, into)
  }
  return (
    <div className={page.root}>
      <header className={classes.intro}>
        <h1>{texts.title}</h1>
        <p>
          {texts.lead}
          {mayBring && (
            <>
              {' '}
              <Link to="/bassins/nouveau">{texts.build}</Link>
            </>
          )}
        </p>
      </header>
      <div ref={zone}>
        {mayBring ? <UploadZone uploads={uploads} /> : <Message kind="hint">{texts.noRight}</Message>}
      </div>
      {manager && (
        <SegmentedControl
          className={classes.scope}
          aria-label={texts.scope}
          value={all ? 'all' : 'seen'}
          onChange={(value) => setAll(value === 'all')}
          data={[
            { value: 'seen', label: texts.seen },
            { value: 'all', label: texts.all },
          ]}
        />
      )}
      {catchments.isPending ? (
        <div aria-busy="true">
          <p role="status">{texts.loading}</p>
          <Skeleton height={320} radius={12} />
        </div>
      ) : catchments.isError ? (
        <Message
          kind="error"
          action={
            <Button size="compact-sm" variant="default" onClick={() => void catchments.refetch()}>
              {texts.retry}
            </Button>
          }
        >
          {genericErrorText(catchments.error)}
        </Message>
      ) : (
        <Sections catchments={catchments.data} mayBring={mayBring} onVersion={addVersion} />
      )}
      <LuseGround />
    </div>
  )
}

interface SectionsProps {
  catchments: readonly KeptCatchment[]
  mayBring: boolean
  onVersion: (files: readonly File[], into: string) => void
}

function Sections({ catchments, mayBring, onVersion }: SectionsProps) {
  const me = useAuth((state) => state.name)
  const mine = catchments.filter(({ owner }) => owner === me)
  const shared = catchments.filter(({ owner }) => owner !== null && owner !== me)
  const site = catchments.filter(({ owner }) => owner === null)
  if (catchments.length === 0 && !mayBring) return <p className={classes.dim}>{texts.none}</p>
  return (
    <>
      {(mayBring || mine.length > 0) && (
        <Group title={texts.sections.mine} catchments={mine} empty={texts.noneMine} onVersion={onVersion} />
      )}
      {shared.length > 0 && <Group title={texts.sections.shared} catchments={shared} onVersion={onVersion} />}
      {site.length > 0 && <Group title={texts.sections.site} catchments={site} onVersion={onVersion} />}
    </>
  )
}

interface GroupProps extends Omit<SectionsProps, 'mayBring'> {
  title: string
  empty?: string
}

function Group({ title, catchments, empty, onVersion }: GroupProps) {
  const id = useId()
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {catchments.length === 0 ? (
        <p className={classes.dim}>{empty}</p>
      ) : (
        <ul className={classes.cards}>
          {catchments.map((catchment) => (
            <CatchmentCard key={catchment.id} catchment={catchment} onVersion={onVersion} />
          ))}
        </ul>
      )}
    </section>
  )
}
