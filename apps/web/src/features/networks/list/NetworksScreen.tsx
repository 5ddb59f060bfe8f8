import { Button, SegmentedControl, Skeleton } from '@mantine/core'
import type { Network } from '@radx/contracts/networks'
import { formatDateTimeFr } from '@radx/locale/format-fr'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { genericErrorText } from '../../../app/api/errors.ts'
import { isManager, useAuth } from '../../../app/auth/store.ts'
import { useSite } from '../../../app/site.ts'
import { networkTexts as texts } from '../../../texts/networks.ts'
import { Message } from '../../../ui/Message.tsx'
import page from '../../../ui/Page.module.css'
import { networksQuery } from '../api.ts'
import classes from '../Networks.module.css'
import { DropZone } from './DropZone.tsx'

/** One's networks, and the place to drop another. */
export default function NetworksScreen() {
  const manager = useAuth(isManager)
  const [all, setAll] = useState(false)
  return (
    <div className={`${page.root} ${classes.root}`}>
      <header className={classes.intro}>
        <h1>{texts.title}</h1>
        <p>{texts.lead}</p>
      </header>
      <DropZone />
      <section aria-labelledby="networks">
        <div className={classes.bar}>
          <h2 id="networks">{texts.mine}</h2>
          {manager && (
            <SegmentedControl
              aria-label={texts.title}
              value={all ? 'all' : 'mine'}
              onChange={(value) => setAll(value === 'all')}
              data={[
                { value: 'mine', label: texts.mine },
                { value: 'all', label: texts.all },
              ]}
            />
          )}
        </div>
        <List all={manager && all} />
      </section>
    </div>
  )
}

function List({ all }: { all: boolean }) {
  const networks = useQuery(networksQuery(all))
  if (networks.isPending)
    return (
      <div aria-busy="true">
        <p role="status">{texts.loading}</p>
        <Skeleton height={160} radius={12} />
      </div>
    )
  if (networks.isError)
    return (
      <Message
        kind="error"
        action={
          <Button size="compact-sm" variant="default" onClick={() => void networks.refetch()}>
            {texts.retry}
          </Button>
        }
      >
        {genericErrorText(networks.error)}
      </Message>
    )
  if (networks.data.length === 0) return <p className={classes.dim}>{texts.empty}</p>
  return (
    <ul className={classes.list}>
      {networks.data.map((network) => (
        <Row key={network.id} network={network} all={all} />
      ))}
    </ul>
  )
}

function Row({
  network: { id, name, owner, newest, runs, updatedAt },
  all,
}: {
  network: Network
  all: boolean
}) {
  const { timeZone } = useSite()
  return (
    <li>
      <h3>
        <Link to={`/reseaux/${id}`}>{name}</Link>
      </h3>
      <p>
        <span>{texts.size(newest.nodes, newest.links, newest.subcatchments)}</span>
        <span>{texts.version(newest.version)}</span>
        <span>{texts.runs(runs)}</span>
        {all && <span>{texts.owner(owner)}</span>}
        <time dateTime={updatedAt}>{formatDateTimeFr(updatedAt, timeZone)}</time>
      </p>
    </li>
  )
}
