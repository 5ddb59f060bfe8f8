import { Button, NativeSelect, Switch, TextInput } from '@mantine/core'
import { formatDuration } from '@radx/locale/duration'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useId } from 'react'
import { useNavigate } from 'react-router'
import { genericErrorText } from '../../../app/api/errors.ts'
import { batteryTexts as texts } from '../../../texts/battery.ts'
import { formTexts } from '../../../texts/simulation.ts'
import { Message } from '../../../ui/Message.tsx'
import page from '../../../ui/Page.module.css'
import { catchmentsQuery } from '../api.ts'
import { randomKey } from '../form/drafts.ts'
import { SoilBefore } from '../form/rain/SoilBefore.tsx'
import submit from '../form/Submit.module.css'
import { INITIAL_FORM } from '../form/state.ts'
import { EquationsSelect } from '../form/steps/EquationsSelect.tsx'
import { changeForm, useForm } from '../form/store.ts'
import { LuseGround } from '../parts/LuseImage.tsx'
import { NoCatchment } from '../parts/NoCatchment.tsx'
import { batteriesQuery, orderBattery } from './api.ts'
import classes from './Battery.module.css'
import BatteryList from './BatteryList.tsx'
import { type BatteryDraft, keyOf, machineMs, missingOf, NO_DRAFT, orderOf } from './draft.ts'
import { LandUses } from './LandUses.tsx'
import { Rains } from './Rains.tsx'
import { useBatteryDraft } from './useBatteryDraft.ts'

export interface PartProps {
  draft: BatteryDraft
  change: (changes: Partial<BatteryDraft>) => void
}

/** Every rain on every land use as one order: what is ordered, how many runs that is, and one's orders of before. */
export default function OrderScreen() {
  const [draft, change] = useBatteryDraft()
  const catchments = useQuery(catchmentsQuery)
  const chosen = catchments.data?.find(({ id }) => id === draft.catchmentId) ?? catchments.data?.[0]
  const id = chosen?.id
  // The parts of the form that are shown here speak to the form.
  useEffect(() => changeForm(() => INITIAL_FORM), [])
  useEffect(() => {
    if (id !== undefined) changeForm((state) => ({ ...state, catchmentId: id }))
  }, [id])
  const bound = { ...draft, catchmentId: chosen?.id ?? '' }
  return (
    <div className={page.root}>
      <LuseGround />
      <header>
        <h1>{texts.heading}</h1>
        <p className={classes.note}>{texts.lead}</p>
      </header>
      <BatteryList />
      {catchments.error && <Message kind="error">{genericErrorText(catchments.error)}</Message>}
      {catchments.data?.length === 0 && <NoCatchment />}
      {chosen && (
        <>
          <section className={`${classes.part} ${classes.common}`} aria-labelledby="battery-new">
            <h2 id="battery-new">{texts.newOne}</h2>
            <TextInput
              label={texts.title}
              required
              maxLength={120}
              value={draft.title}
              onChange={({ currentTarget }) => change({ title: currentTarget.value })}
            />
            <NativeSelect
              label={formTexts.catchment}
              value={chosen.id}
              data={catchments.data?.map(({ id: value, display }) => ({ value, label: display }))}
              onChange={({ currentTarget }) =>
                change({
                  catchmentId: currentTarget.value,
                  landUses: [],
                  // Pictures were cut to the catchment before.
                  rains: draft.rains.filter(({ fields }) => fields.ownRain === undefined),
                })
              }
            />
            <Modules />
          </section>
          <Rains draft={bound} change={change} catchment={chosen} />
          <LandUses key={chosen.id} draft={bound} change={change} />
          <Order
            draft={bound}
            change={change}
            machine={machineMs(chosen, hoursOf(draft.rains) * draft.landUses.length)}
          />
        </>
      )}
    </div>
  )
}

const hoursOf = (rains: BatteryDraft['rains']) => rains.reduce((sum, { hours }) => sum + hours, 0)

/** What all runs have. */
function Modules() {
  const soil = useForm((state) => state.soilModule)
  const drainage = useForm((state) => state.drainageModule)
  return (
    <details className={classes.more}>
      <summary>{texts.common}</summary>
      <Switch
        label={formTexts.soil}
        checked={soil}
        onChange={({ currentTarget: { checked } }) =>
          changeForm((state) => ({ ...state, soilModule: checked }))
        }
      />
      <Switch
        label={formTexts.drainage}
        checked={drainage}
        onChange={({ currentTarget: { checked } }) =>
          changeForm((state) => ({ ...state, drainageModule: checked }))
        }
      />
      <EquationsSelect />
      <SoilBefore />
    </details>
  )
}

/** How many runs it is and how long they take, and off it goes: once, also when it is sent again. */
function Order({ draft, change, machine }: PartProps & { machine: number | null }) {
  const navigate = useNavigate()
  const queries = useQueryClient()
  const order = useMutation({
    mutationFn: (key: string) => {
      const body = orderOf(draft, useForm.getState())
      return orderBattery(body, keyOf(key, body))
    },
    onSuccess: ({ id }) => {
      change(NO_DRAFT)
      void queries.invalidateQueries({ queryKey: batteriesQuery.queryKey })
      void navigate(`/multihydro/batterie/${id}`)
    },
  })
  const missing = missingOf(draft)
  const runs = draft.rains.length * draft.landUses.length
  const reason = useId()
  const send = () => {
    const key = draft.key === '' ? randomKey() : draft.key
    change({ key })
    order.mutate(key)
  }
  return (
    <section className={submit.root} aria-label={texts.order(runs)}>
      <dl className={submit.times} aria-live="polite">
        <div>
          <dt>{texts.runs}</dt>
          <dd>
            {texts.count(draft.rains.length, draft.landUses.length)}
            {runs > 0 && ` = ${runs}`}
          </dd>
        </div>
        <div>
          <dt>{texts.time}</dt>
          <dd>{runs > 0 && machine !== null ? formatDuration(machine) : '–'}</dd>
        </div>
      </dl>
      <Button
        size="md"
        disabled={missing.length > 0 || order.isPending}
        aria-describedby={missing.length > 0 ? reason : undefined}
        onClick={send}
      >
        {order.isPending ? texts.sending : texts.order(runs)}
      </Button>
      <p id={reason} className={submit.open}>
        {missing.length > 0 ? missing.join(' ') : texts.behind}
      </p>
      {order.isError && (
        <div className={submit.error}>
          <Message kind="error">{genericErrorText(order.error)}</Message>
        </div>
      )}
    </section>
  )
}
