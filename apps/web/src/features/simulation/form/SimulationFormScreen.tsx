import { Button, Loader } from '@mantine/core'
import { CASE_STUDIES } from '@radx/contracts/simulation'
import { IconArrowLeft, IconArrowRight } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { Link, useLocation, useParams, useSearchParams } from 'react-router'
import { genericErrorText } from '../../../app/api/errors.ts'
import { isSignedIn, useAuth } from '../../../app/auth/store.ts'
import { ScreenTitle } from '../../../app/ScreenTitle.tsx'
import { formTexts as texts } from '../../../texts/simulation.ts'
import { Message } from '../../../ui/Message.tsx'
import { catchmentsQuery } from '../api.ts'
import { usePreset } from './preset.ts'
import classes from './SimulationFormScreen.module.css'
import { StepBar } from './StepBar.tsx'
import { enterForm, isStepValid, type Step, stepsOf } from './state.ts'
import { IntroStep } from './steps/IntroStep.tsx'
import { ModulesStep } from './steps/ModulesStep.tsx'
import { changeForm, useForm } from './store.ts'
import { useLandUse } from './useLandUse.ts'

const LandUseStep = lazy(() => import('./steps/LandUseStep.tsx'))
const RainStep = lazy(() => import('./steps/RainStep.tsx'))

export default function SimulationFormScreen() {
  const { caseStudyId = '' } = useParams()
  const { key } = useLocation()
  const signedIn = useAuth(isSignedIn)
  const known = caseStudyId === '' || (CASE_STUDIES as readonly string[]).includes(caseStudyId)
  return (
    <div className={classes.root}>
      <p className={classes.back}>
        <Link to="/multihydro">{texts.back}</Link>
      </p>
      {!known ? (
        <>
          <ScreenTitle />
          <Message kind="error">{texts.unknownStudy}</Message>
        </>
      ) : signedIn ? (
        <Form key={caseStudyId} caseStudyId={caseStudyId} />
      ) : (
        <>
          <ScreenTitle />
          <Message kind="nfo" action={<Link to="/compte">{texts.signInLink}</Link>} key={key}>
            {texts.signIn}
          </Message>
        </>
      )}
    </div>
  )
}

function Form({ caseStudyId }: { caseStudyId: string }) {
  const entered = useRef(false)
  if (!entered.current) {
    entered.current = true
    changeForm(() => enterForm(caseStudyId))
  }
  const catchments = useQuery(catchmentsQuery)
  const preset = usePreset()
  const land = useLandUse()
  const state = useForm()
  const [params, setParams] = useSearchParams()
  const heading = useRef<HTMLHeadingElement>(null)

  useEffect(() => {
    const [first] = catchments.data ?? []
    if (first && useForm.getState().catchmentId === '')
      changeForm((s) => ({ ...s, catchmentId: first.id, catchmentDisplay: first.display }))
  }, [catchments.data])

  const steps = stepsOf(state)
  const blocked = steps.findIndex((step) => !isStepValid(state, step))
  const reachable = blocked === -1 ? steps : steps.slice(0, blocked + 1)
  const asked = params.get('etape') as Step | null
  const current = asked !== null && reachable.includes(asked) ? asked : steps[0]
  const at = steps.indexOf(current)

  const go = (step: Step) => {
    setParams(
      (before) => {
        const next = new URLSearchParams(before)
        next.set('etape', step)
        return next
      },
      { preventScrollReset: true },
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
          <Message kind="warning">{texts.noCatchment}</Message>
        )}
      </>
    )
  return (
    <>
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
      {land.error !== null && <Message kind="error">{genericErrorText(land.error)}</Message>}
      <div className={classes.step}>
        <Suspense fallback={<Loader className={classes.loader} />}>
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
