import { Button, Pagination, Skeleton } from '@mantine/core'
import { CASE_STUDIES } from '@radx/contracts/simulation'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense } from 'react'
import { Link } from 'react-router'
import { useAddressParams } from '../../../app/address-params.ts'
import { genericErrorText } from '../../../app/api/errors.ts'
import { part } from '../../../app/part.tsx'
import { batteryTexts } from '../../../texts/battery.ts'
import { simulationTexts, listTexts as texts } from '../../../texts/simulation.ts'
import { Message } from '../../../ui/Message.tsx'
import { simulationsQuery } from '../api.ts'
import { LuseGround } from '../parts/LuseImage.tsx'
import { IntroVideo } from './IntroVideo.tsx'
import {
  type Listing,
  pageOf,
  readListing,
  type SortKey,
  toggleSort,
  toggleStudy,
  writeListing,
} from './listing.ts'
import { Scenarios } from './Scenarios.tsx'
import { SimulationCard } from './SimulationCard.tsx'
import classes from './SimulationListScreen.module.css'

const Batteries = part(() => import('../battery/BatteryList.tsx'), 'nothing')

export default function SimulationListScreen() {
  return (
    <div className={classes.root}>
      <header className={classes.intro}>
        <div>
          <h1>{texts.heading}</h1>
          <p>
            {texts.lead} <Link to="/aide/hydrologue">{texts.guide}</Link>&nbsp;·{' '}
            <Link to="/bassins">{texts.catchments}</Link>&nbsp;·{' '}
            <Link to="/multihydro/comparer">{texts.compare}</Link>&nbsp;·{' '}
            <Link to="/multihydro/batterie">{batteryTexts.link}</Link>
          </p>
        </div>
        <IntroVideo />
      </header>
      <section aria-labelledby="scenarios">
        <h2 id="scenarios">{texts.scenarios}</h2>
        <Scenarios />
      </section>
      <Suspense fallback={null}>
        <Batteries />
      </Suspense>
      <Results />
      <LuseGround />
    </div>
  )
}

function Results() {
  const [params, setParams] = useAddressParams()
  const listing = readListing(params)
  const simulations = useQuery(simulationsQuery)
  const change = (next: Listing) => setParams(() => writeListing(next))
  const shown = pageOf(simulations.data ?? [], listing)
  return (
    <section aria-labelledby="results">
      <div className={classes.bar}>
        <h2 id="results">{texts.results}</h2>
        {simulations.data && <span className={classes.count}>{texts.count(shown.total)}</span>}
        <fieldset className={classes.group} aria-label={texts.filter}>
          {CASE_STUDIES.map((study) => (
            <button
              key={study}
              type="button"
              aria-pressed={listing.study === study}
              onClick={() => change(toggleStudy(listing, study))}
            >
              {study.toUpperCase()}
            </button>
          ))}
        </fieldset>
        <fieldset className={classes.group} aria-label={texts.sort}>
          <SortButton sort="date" label={texts.byDate} listing={listing} onChange={change} />
          <SortButton sort="title" label={texts.byTitle} listing={listing} onChange={change} />
        </fieldset>
      </div>
      {simulations.isPending ? (
        <div className={classes.cards} aria-busy="true">
          <p className={classes.wait} role="status">
            {texts.loading}
          </p>
          {Array.from({ length: 4 }, (_, k) => (
            <Skeleton key={k} height={312} radius={12} />
          ))}
        </div>
      ) : simulations.isError ? (
        <Message
          kind="error"
          action={
            <Button size="compact-sm" variant="default" onClick={() => void simulations.refetch()}>
              {simulationTexts.retry}
            </Button>
          }
        >
          {genericErrorText(simulations.error)}
        </Message>
      ) : shown.total === 0 ? (
        <p className={classes.empty}>{simulations.data.length === 0 ? texts.empty : texts.emptyFiltered}</p>
      ) : (
        <div className={classes.cards}>
          {shown.items.map((simulation) => (
            <SimulationCard key={simulation._id} simulation={simulation} />
          ))}
        </div>
      )}
      {shown.pages > 1 && (
        <nav className={classes.pager} aria-label={texts.pager}>
          <Pagination
            total={shown.pages}
            value={shown.page}
            onChange={(page) => change({ ...listing, page })}
            getItemProps={(page) => ({ 'aria-label': `Page ${page}` })}
          />
        </nav>
      )}
    </section>
  )
}

interface SortProps {
  sort: SortKey
  label: string
  listing: Listing
  onChange: (listing: Listing) => void
}

function SortButton({ sort, label, listing, onChange }: SortProps) {
  const active = listing.sort === sort
  const Icon = listing.direction === 'asc' ? IconArrowUp : IconArrowDown
  const order = listing.direction === 'asc' ? texts.ascending : texts.descending
  return (
    <button
      type="button"
      aria-pressed={active}
      aria-label={active ? `${label}, ${order}` : label}
      onClick={() => onChange(toggleSort(listing, sort))}
    >
      {label}
      {active && <Icon size={14} stroke={2} aria-hidden />}
    </button>
  )
}
