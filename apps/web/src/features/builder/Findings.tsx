import type { BuilderFinding, BuilderPreview } from '@radx/contracts/builder'
import { formatSpan } from '@radx/locale/duration'
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { builderTexts } from '../../texts/builder.ts'
import { Message } from '../../ui/Message.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import { catchmentsQuery } from './api.ts'
import classes from './Builder.module.css'
import { useBuilder } from './useBuilder.ts'

const texts = builderTexts.preview
/** Places of a finding that are listed; the report has the others. */
const SHOWN = 8

/** What a preview says: the grid, what is wrong, what was assumed and found. */
export function Findings({ query }: { query: UseQueryResult<BuilderPreview> }) {
  const { preview } = useBuilder()
  return (
    <div className={classes.findings} aria-live="polite" data-testid="preview" aria-busy={query.isFetching}>
      {query.isFetching && <p role="status">{texts.making}</p>}
      {query.isError && <QueryState query={query} there={false} />}
      {!preview && !query.isFetching && !query.isError && <p className={classes.dim}>{texts.nothing}</p>}
      {preview && <Said preview={preview} />}
    </div>
  )
}

function Said({ preview: { problems, findings, grid } }: { preview: BuilderPreview }) {
  return (
    <>
      {grid && <Size grid={grid} />}
      {problems.length > 0 && (
        <Message kind="error">
          <strong>{texts.problems}</strong>
          <ul className={classes.problems}>
            {problems.map((problem) => (
              <li key={problem}>{problem}</li>
            ))}
          </ul>
        </Message>
      )}
      {findings.length > 0 && (
        <section aria-label={texts.findings}>
          <h3>{texts.findings}</h3>
          <ul className={classes.found}>
            {findings.map((finding) => (
              <Found key={`${finding.kind} ${finding.text}`} finding={finding} />
            ))}
          </ul>
        </section>
      )}
    </>
  )
}

function Found({ finding: { kind, text, places } }: { finding: BuilderFinding }) {
  const { setMark } = useBuilder()
  return (
    <li>
      {texts.kinds[kind]}
      {text}
      {places.length > 0 && (
        <ul className={classes.places}>
          {places.slice(0, SHOWN).map(({ lng, lat, text: what }, k) => (
            <li key={k}>
              <TextButton aria-label={texts.see(what)} onClick={() => setMark([lng, lat])}>
                {what}
              </TextButton>
            </li>
          ))}
          {places.length > SHOWN && <li>{texts.more(places.length - SHOWN)}</li>}
        </ul>
      )}
    </li>
  )
}

/** Cells of the grid, and how long runs on it would take by those that were made here. */
function Size({ grid: { place, inside } }: { grid: NonNullable<BuilderPreview['grid']> }) {
  const { data: catchments = [] } = useQuery(catchmentsQuery)
  const { nrows, ncols, cellSizeM } = place
  // A step is as long as a wave takes to cross a cell.
  const rates = catchments
    .flatMap(({ expectedMsPerHour, activeCells, cellSizeM: size }) =>
      expectedMsPerHour === null ? [] : [(expectedMsPerHour * size) / activeCells],
    )
    .sort((a, b) => a - b)
  const rate = rates[Math.floor((rates.length - 1) / 2)]
  return (
    <ul className={classes.facts} data-testid="grid-size">
      <li>{texts.grid(ncols, nrows, cellSizeM)}</li>
      <li>{texts.inside(inside, (inside * cellSizeM ** 2) / 1e4)}</li>
      {rate !== undefined && (
        <li>{texts.time(formatSpan(Math.max(1, Math.round((rate * inside) / cellSizeM / 1000))))}</li>
      )}
    </ul>
  )
}
