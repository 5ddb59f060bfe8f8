import { Button } from '@mantine/core'
import { CASE_STUDIES } from '@radx/contracts/simulation'
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'
import { Link, useLocation, useParams } from 'react-router'
import { useAddressParams } from '../../../app/address-params.ts'
import { genericErrorText } from '../../../app/api/errors.ts'
import { WhileSignedIn } from '../../../app/auth/RequireAuth.tsx'
import { part } from '../../../app/part.tsx'
import { ScreenTitle } from '../../../app/ScreenTitle.tsx'
import { shellTexts } from '../../../texts/shell.ts'
import { formTexts as texts } from '../../../texts/simulation.ts'
import { LeaveGuard } from '../../../ui/LeaveGuard.tsx'
import { Message } from '../../../ui/Message.tsx'
import { Waiting } from '../../../ui/Waiting.tsx'
import { catchmentsQuery } from '../api.ts'
import { LuseGround } from '../parts/LuseImage.tsx'
import { NoCatchment } from '../parts/NoCatchment.tsx'
import { DraftOffer } from './DraftOffer.tsx'
import { hasPainting } from './drafts.ts'
import { usePreset } from './preset.ts'
import classes from './SimulationFormScreen.module.css'
import { StepBar } from './StepBar.tsx'
import { isStepValid, type Step, stepsOf } from './state.ts'
import { IntroStep } from './steps/IntroStep.tsx'
import { ModulesStep } from './steps/ModulesStep.tsx'
import { changeForm, useForm } from './store.ts'
import { useDraft } from './useDraft.ts'
import { useLandUse } from './useLandUse.ts'

const LandUseStep = part(() => import('./steps/LandUseStep.tsx'))
const RainStep = part(() => import('./steps/RainStep.tsx'))

export default function SimulationFormScreen() {
  const { caseStudyId = '' } = useParams()
  const { key } = useLocation()
  const known = caseStudyId === '' || (CASE_STUDIES as readonly string[]).includes(caseStudyId)
  return (
    <div className={classes.root}>
      <LuseGround />
      <p className={classes.back}>
        <Link to="/multihydro">{texts.back}</Link>
      </p>
      {!known ? (
        <>
          <ScreenTitle />
          <Message kind="error">{texts.unknownStudy}</Message>
        </>
      ) : (
        <WhileSignedIn
          otherwise={
            <>
              <ScreenTitle />
              <Message kind="nfo" action={<Link to="/compte">{texts.signInLink}</Link>} key={key}>
                {texts.signIn}
              </Message>
            </>
          }
        >
          <Form key={caseStudyId} caseStudyId={caseStudyId} />
        </WhileSignedIn>
      )}
    </div>
  )
}

function Form({ caseStudyId }: { caseStudyId: string }) {
  const draft = useDraft(caseStudyId)
  if (!draft.ready)
    return (
      <>
        <ScreenTitle />
        <Waiting className={classes.loader} label={shellTexts.loading} />
      </>
    )
  return (
    <>
      {draft.offered !== null && (
        <DraftOffer draft={draft.offered} onTake={draft.take} onDiscard={draft.discard} />
      )}
      <Steps key={draft.id} caseStudyId={caseStudyId} id={draft.id} restored={draft.restored} />
    </>
  )
}

interface StepsProps {
  caseStudyId: string
  /** Of the form, for its history entries. */
  id: string
  restored: boolean
}

function Steps({ caseStudyId, id, restored }: StepsProps) {
  const catchments = useQuery(catchmentsQuery)
  const preset = usePreset(restored)
  const land = useLandUse()
  const state = useForm()
  const [params, setParams] = useAddressParams()
  const heading = useRef<HTMLHeadingElement>(null)
  const wanted = params.get('bassin')

  useEffect(() => {
    const [first, ...others] = catchments.data ?? []
    const chosen = others.find(({ id }) => id === wanted) ?? first
    if (chosen && useForm.getState().catchmentId === '')
      changeForm((s) => ({ ...s, catchmentId: chosen.id, catchmentDisplay: chosen.display }))
  }, [catchments.data, wanted])

  const steps = stepsOf(state)
  const blocked = steps.findIndex((step) => !isStepValid(state, step))
  const reachable = blocked === -1 ? steps : steps.slice(0, blocked + 1)
  const asked = params.get('etape') as Step | null
  const current = asked !== null && reachable.includes(asked) ? asked : steps[0]
  const at = steps.indexOf(current)

  const go = (step: Step) => {
    setParams(
      (next) => {
        next.set('etape', step)
        return next
      },
      { replace: false, state: { form: id } },
    )
    window.scrollTo({ top: 0 })
    heading.current?.focus({ preventScroll: true })
  }

  if (catchments.isError || catchments.data?.length === 0)
    return (
      <>
        <ScreenTitle />
        {catchments.isError ? (
          <Message kind="error">{genericErrorText(catchments.error)}</Message>
        ) : (
          <NoCatchment />
        )}
      </>
    )
  return (
    <>
      <LeaveGuard active={hasPainting(state)} title={texts.leave.title} text={texts.leave.text} />
      <header className={classes.head}>
        <h1 ref={heading} tabIndex={-1}>
          {texts.steps[current]}
        </h1>
        <StepBar
          steps={steps}
          current={current}
          reachable={reachable}
          valid={(step) => isStepValid(state, step)}
          onStep={go}
        />
      </header>
      {preset.error !== null && <Message kind="error">{genericErrorText(preset.error)}</Message>}
      {preset.outdated && state.luseIdArr.length === 0 && (
        <Message kind="warning">{texts.outdatedLandUse}</Message>
      )}
      {land.error !== null && <Message kind="error">{genericErrorText(land.error)}</Message>}
      <div className={classes.step}>
        <Suspense fallback={<Waiting className={classes.loader} label={shellTexts.loading} />}>
          {current === 'intro' && <IntroStep caseStudyId={caseStudyId} />}
          {current === 'modules' && <ModulesStep catchments={catchments.data} />}
          {current === 'landUse' && <LandUseStep />}
          {current === 'rain' && (
            <RainStep catchment={catchments.data?.find(({ id }) => id === state.catchmentId)} />
          )}
        </Suspense>
      </div>
      <footer className={classes.foot}>
        <Button
          variant="default"
          leftSection={<IconArrowLeft size={18} stroke={1.75} aria-hidden />}
          disabled={at === 0}
          onClick={() => go(steps[at - 1])}
        >
          {texts.previous}
        </Button>
        {at < steps.length - 1 && (
          <Button
            rightSection={<IconArrowRight size={18} stroke={1.75} aria-hidden />}
            disabled={!isStepValid(state, current)}
            onClick={() => go(steps[at + 1])}
          >
            {texts.next}
          </Button>
        )}
      </footer>
    </>
  )
}
