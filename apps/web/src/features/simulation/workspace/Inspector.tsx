import { IconDownload, IconPin, IconPinFilled, IconX } from '@tabler/icons-react'
import { Link } from 'react-router'
import { Curves } from '../../../sewer/Curves.tsx'
import { csvText, saveCsv } from '../../../sewer/csv.ts'
import { workspaceTexts as texts } from '../../../texts/workspace.ts'
import type { TownGrid } from '../../../town/api.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import { QueryState } from '../../../ui/QueryState.tsx'
import { TextButton } from '../../../ui/TextButton.tsx'
import type { SimulationJob } from '../api.ts'
import { type Kept, pickKey } from './address.ts'
import { endsOf } from './ends.ts'
import { CellFacts, nameOf, SectionFacts, SewerFacts } from './Facts.tsx'
import type { Sewer } from './SewerOverlay.tsx'
import { type CurveGroup, curvesTable, useCurves } from './useCurves.ts'
import { useWorkspace } from './useWorkspace.ts'
import classes from './Workspace.module.css'

interface Props {
  job: SimulationJob
  town: TownGrid | undefined
  sewer: Sewer
}

/** What was clicked: facts of each, and what happened there over time, side by side. */
export function Inspector({ job, town, sewer }: Props) {
  const { picks, profile, keep, drop, go } = useWorkspace()
  const groups = useCurves(job, picks, sewer)
  if (picks.length === 0)
    return (
      <aside className={classes.inspector} aria-label={texts.inspector} data-empty>
        <p>{texts.inspectorHelp}</p>
      </aside>
    )
  return (
    <aside className={classes.inspector} aria-label={texts.inspector}>
      <header>
        <h2>{texts.inspector}</h2>
        <button type="button" onClick={() => go({ picks: [] })}>
          {texts.clear}
        </button>
      </header>
      <ol className={classes.cards}>
        {picks.map((pick) => (
          <li key={pickKey(pick)}>
            <header>
              <h3>{nameOf(pick)}</h3>
              <IconButton
                label={pick.kept ? texts.letGo : texts.keep}
                aria-pressed={pick.kept}
                size={32}
                tip="left"
                onClick={() => keep(pick, !pick.kept)}
              >
                {pick.kept ? <IconPinFilled size={16} /> : <IconPin size={16} stroke={1.75} />}
              </IconButton>
              <IconButton label={texts.remove} size={32} tip="left" onClick={() => drop(pick)}>
                <IconX size={16} stroke={1.75} />
              </IconButton>
            </header>
            {pick.kind === 'cell' ? (
              <CellFacts job={job} town={town} row={pick.row} col={pick.col} />
            ) : pick.kind === 'section' ? (
              <SectionFacts job={job} line={pick} />
            ) : (
              <SewerFacts sewer={sewer} kind={pick.kind} name={pick.name} />
            )}
            <AlertLink job={job} town={town} pick={pick} />
          </li>
        ))}
      </ol>
      {endsOf(picks) && !profile && (
        <button type="button" className={classes.action} onClick={() => go({ profile: true })}>
          {texts.openProfile}
        </button>
      )}
      <AllCurves groups={groups} />
      {groups.map(({ of, title, filename, data, pending, query }) =>
        data.curves.length > 0 ? (
          <Curves key={of} {...{ title, data, filename, pending }} height={220} />
        ) : (
          query && <QueryState key={of} query={query} there={query.data !== undefined} />
        ),
      )}
    </aside>
  )
}

/** Every curve that stands here in one file. */
function AllCurves({ groups }: { groups: readonly CurveGroup[] }) {
  const shown = groups.filter(({ data }) => data.curves.length > 0)
  if (shown.length < 2) return null
  const save = () => {
    const [columns, ...rows] = curvesTable(shown)
    saveCsv(csvText(columns, rows), 'courbes.csv')
  }
  return (
    <TextButton className={classes.allCurves} onClick={save} disabled={groups.some(({ pending }) => pending)}>
      <IconDownload size={16} stroke={1.75} aria-hidden /> {texts.allCurves}
    </TextButton>
  )
}

/** To a rule on what the live forecast says of the same place. */
function AlertLink({ job, town, pick }: { job: SimulationJob; town: TownGrid | undefined; pick: Kept }) {
  const name =
    pick.kind === 'cell'
      ? town && String(pick.row * town.place.ncols + pick.col)
      : pick.kind === 'node' || pick.kind === 'link'
        ? pick.name
        : undefined
  if (name === undefined) return null
  const asked = { r: `flood-${pick.kind}`, c: job.input.catchmentId, n: name, t: nameOf(pick) }
  return (
    <Link to={`/alertes?${new URLSearchParams(asked)}`} className={classes.action}>
      {texts.alert}
    </Link>
  )
}
