import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { Link, useParams, useSearchParams } from 'react-router'
import { serverErrorText } from '../../app/api/errors.ts'
import { part } from '../../app/part.tsx'
import { ScreenTitle } from '../../app/ScreenTitle.tsx'
import { builderTexts as texts } from '../../texts/builder.ts'
import { Message } from '../../ui/Message.tsx'
import { QueryState } from '../../ui/QueryState.tsx'
import { type Draft, draftQuery, previewQuery } from './api.ts'
import classes from './Builder.module.css'
import { Findings } from './Findings.tsx'
import { StepNav } from './StepNav.tsx'
import { BuildStep } from './steps/BuildStep.tsx'
import { GulliesStep } from './steps/GulliesStep.tsx'
import { LandUseStep } from './steps/LandUseStep.tsx'
import { OutlineStep } from './steps/OutlineStep.tsx'
import { ParametersStep } from './steps/ParametersStep.tsx'
import { SewerStep } from './steps/SewerStep.tsx'
import { TerrainStep } from './steps/TerrainStep.tsx'
import { addressOf, madeOf, previewOf, SCREEN_STEPS, stepOf } from './steps.ts'
import { BuilderContext, type BuilderState, type LngLat } from './useBuilder.ts'
import { useRecipe } from './useRecipe.ts'

const BuilderMap = part(() => import('./map/BuilderMap.tsx'))

const FORMS = {
  outline: OutlineStep,
  terrain: TerrainStep,
  landUse: LandUseStep,
  sewer: SewerStep,
  gullies: GulliesStep,
  parameters: ParametersStep,
  build: BuildStep,
} as const

/** A catchment on its way: a step's form beside the map of what it makes. */
export default function BuilderScreen() {
  const { draft: id = '' } = useParams()
  const draft = useQuery(draftQuery(id))
  return (
    <div className={classes.page}>
      <p className={classes.dim}>
        <Link to="/bassins/nouveau">{texts.back}</Link>
      </p>
      {draft.data ? (
        <Loaded key={id} draft={draft.data} />
      ) : (
        <>
          <ScreenTitle />
          <QueryState query={draft} there={false} waits={texts.loading} />
        </>
      )}
    </div>
  )
}

function Loaded({ draft }: { draft: Draft }) {
  const [params] = useSearchParams()
  const step = stepOf(params)
  const state = useRecipe(draft)
  const asked = previewOf(step)
  const preview = useQuery({
    ...previewQuery(draft.id, asked, madeOf(asked, state.saved, draft.files)),
    enabled: state.saved.outline !== undefined,
  })
  // While the next one is made, the one before stays.
  const shown = useRef(preview.data)
  if (preview.data) shown.current = preview.data
  const [drawing, setDrawing] = useState<BuilderState['drawing']>(null)
  const [mark, setMark] = useState<LngLat | null>(null)
  const builder = { ...state, draft, preview: shown.current, drawing, setDrawing, mark, setMark }
  const Form = FORMS[step]
  const next = SCREEN_STEPS[SCREEN_STEPS.indexOf(step) + 1]
  return (
    <BuilderContext value={builder}>
      <header className={classes.head}>
        <h1>{state.recipe.display || draft.name}</h1>
        <p className={classes.dim} role="status" data-testid="draft-state">
          {state.error ? '' : state.saving ? texts.saving : texts.saved}
        </p>
      </header>
      {state.error !== null && (
        <Message kind="error">
          <span className={classes.lines}>
            {texts.notSaved} {serverErrorText(state.error)}
          </span>
        </Message>
      )}
      <StepNav current={step} />
      <div className={classes.split}>
        <section className={classes.form} aria-labelledby="step">
          <h2 id="step">{texts.titles[step]}</h2>
          <Form />
          {next && (
            <Link className={classes.next} to={addressOf(next)}>
              {texts.next}
            </Link>
          )}
        </section>
        <div className={classes.view}>
          <Suspense fallback={<Skeleton height={480} radius={12} />}>
            <BuilderMap step={step} busy={preview.isFetching} />
          </Suspense>
          <Findings query={preview} />
        </div>
      </div>
    </BuilderContext>
  )
}
