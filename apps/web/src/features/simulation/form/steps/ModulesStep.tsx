import { ActionIcon, NumberInput, Select, Switch, TextInput } from '@mantine/core'
import type { CatchmentSummary } from '@radx/contracts/simulation'
import { IconDice5 } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { callJson } from '../../../../app/api/client.ts'
import { formTexts as texts } from '../../../../texts/simulation.ts'
import { Message } from '../../../../ui/Message.tsx'
import { CityScene } from '../CityScene.tsx'
import { changeForm, useForm } from '../store.ts'
import { EquationsSelect } from './EquationsSelect.tsx'
import classes from './ModulesStep.module.css'
import { ParameterSetSelect } from './ParameterSetSelect.tsx'

export function ModulesStep({ catchments = [] }: { catchments: CatchmentSummary[] | undefined }) {
  const soil = useForm((state) => state.soilModule)
  const drainage = useForm((state) => state.drainageModule)
  return (
    <div className={classes.root}>
      <div className={classes.fields}>
        <CatchmentSelect catchments={catchments} />
        <TitleInput />
        <fieldset className={classes.group}>
          <legend>{texts.modules}</legend>
          <Switch
            label={texts.soil}
            description={texts.soilHelp}
            checked={soil}
            onChange={({ currentTarget: { checked } }) =>
              changeForm((state) => ({ ...state, soilModule: checked }))
            }
          />
          <Switch
            label={texts.drainage}
            description={texts.drainageHelp}
            checked={drainage}
            onChange={({ currentTarget: { checked } }) =>
              changeForm((state) => ({ ...state, drainageModule: checked }))
            }
          />
          <EquationsSelect />
          <ParameterSetSelect />
        </fieldset>
        <Resilience />
      </div>
      <CityScene soil={soil} drainage={drainage} />
      <div className={classes.model}>
        <h2>{texts.model.title}</h2>
        {texts.model.text.map((paragraph) => (
          <p key={paragraph}>{paragraph}</p>
        ))}
        <section className={classes.info} aria-label={texts.models.title}>
          <h3>{texts.models.title}</h3>
          <dl>
            {[texts.models.surface, texts.models.soil, texts.models.drainage].map(([name, text]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd>{text}</dd>
              </div>
            ))}
          </dl>
        </section>
      </div>
    </div>
  )
}

function CatchmentSelect({ catchments }: { catchments: CatchmentSummary[] }) {
  const catchmentId = useForm((state) => state.catchmentId)
  const chosen = catchments.find(({ id }) => id === catchmentId)
  return (
    <div>
      <Select
        rightSectionProps={{ 'aria-hidden': true }}
        label={texts.catchment}
        allowDeselect={false}
        value={catchmentId}
        data={catchments.map(({ id, display, cellSizeM }) => ({
          value: id,
          label: `${display}, ${texts.resolution(cellSizeM)}`,
        }))}
        onChange={(id) => {
          const next = catchments.find((entry) => entry.id === id)
          if (next)
            changeForm((state) => ({
              ...state,
              catchmentId: next.id,
              catchmentDisplay: next.display,
              // A set is of one catchment.
              parameterSet: '',
            }))
        }}
        description={chosen?.statement || undefined}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
      />
      <p className={classes.elsewhere}>
        <Link to="/bassins">{texts.otherCatchments}</Link>
      </p>
    </div>
  )
}

function TitleInput() {
  const title = useForm((state) => state.title)
  const [touched, setTouched] = useState(false)
  const dice = useMutation({
    mutationFn: () => callJson<{ name: string }>('/api/random'),
    onSuccess: ({ name }) => changeForm((state) => ({ ...state, title: name })),
  })
  return (
    <div>
      <TextInput
        label={texts.titleLabel}
        placeholder={texts.titlePlaceholder}
        withAsterisk
        required
        maxLength={200}
        value={title}
        onChange={({ currentTarget: { value } }) => changeForm((state) => ({ ...state, title: value }))}
        onBlur={() => setTouched(true)}
        error={touched && title.trim() === '' ? texts.required : undefined}
        rightSection={
          <ActionIcon
            size={30}
            aria-label={texts.dice}
            title={texts.dice}
            loading={dice.isPending}
            onClick={() => dice.mutate()}
          >
            <IconDice5 size={20} stroke={1.75} />
          </ActionIcon>
        }
      />
      {dice.isError && <Message kind="error">{texts.diceFailed}</Message>}
    </div>
  )
}

function Resilience() {
  const { barrier, barrierHeight, bassin, bassinDepth, greenRoof } = useForm()
  return (
    <fieldset className={classes.group} disabled>
      <legend>{texts.resilience}</legend>
      <p>{texts.resilienceNote}</p>
      <div className={classes.measure}>
        <Switch label={texts.barrier} checked={barrier} disabled readOnly />
        <NumberInput
          aria-label={`${texts.barrier}, ${texts.barrierHeight}`}
          value={barrierHeight}
          suffix=" m"
          disabled
          hideControls
        />
      </div>
      <div className={classes.measure}>
        <Switch label={texts.bassin} checked={bassin} disabled readOnly />
        <NumberInput
          aria-label={`${texts.bassin}, ${texts.bassinDepth}`}
          value={bassinDepth}
          suffix=" m"
          disabled
          hideControls
        />
      </div>
      <Switch label={texts.greenRoof} checked={greenRoof} disabled readOnly />
    </fieldset>
  )
}
