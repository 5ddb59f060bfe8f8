import { Button, Checkbox, NumberInput, Radio } from '@mantine/core'
import type { NetworkDetail, NetworkModel, NetworkRain } from '@radx/contracts/networks'
import { NETWORK_HOURS_MAX } from '@radx/contracts/networks-constants'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useRef, useState } from 'react'
import { serverErrorText } from '../../../app/api/errors.ts'
import { networkTexts } from '../../../texts/networks.ts'
import { Message } from '../../../ui/Message.tsx'
import { useOneAtATime } from '../../../ui/one-at-a-time.ts'
import { submitRun } from '../api.ts'
import classes from '../Networks.module.css'
import { CsvRain, DesignRain, RadarRain, TriangleRain } from './RainFields.tsx'

const texts = networkTexts.run

interface Props {
  network: NetworkDetail
  version: number
  model: NetworkModel
  onStarted: (jobId: string) => void
}

const CHOICES = ['own', 'none', 'csv', 'triangle', 'design', 'radar'] as const
type Choice = (typeof CHOICES)[number]

/** Which rain, how long, by which scheme. */
export function RunForm({ network: { id }, version, model, onStarted }: Props) {
  const hasGage = model.gages.length > 0 && model.subcatchments.length > 0
  const [choice, setChoice] = useState<Choice>('own')
  const [rain, setRain] = useState<NetworkRain | null>({ kind: 'own' })
  const [hours, setHours] = useState<number | string>('')
  const [implicit, setImplicit] = useState(false)
  const queries = useQueryClient()
  const oneAtATime = useOneAtATime()
  /** Names what is sent, so that a form that was sent twice is one run; a changed form is another. */
  const sent = useRef<{ form: string; key: string } | null>(null)
  const start = useMutation({
    mutationFn: (chosen: NetworkRain) => {
      const body = { version, rain: chosen, implicit, ...(typeof hours === 'number' ? { hours } : {}) }
      const form = JSON.stringify(body)
      if (sent.current?.form !== form) sent.current = { form, key: crypto.randomUUID() }
      return submitRun(id, body, sent.current.key)
    },
    onSuccess: async (made) => {
      sent.current = null
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['network-runs', id] }),
        queries.invalidateQueries({ queryKey: ['network', id] }),
      ])
      onStarted(made.id)
    },
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (rain) oneAtATime((ended) => start.mutate(rain, { onSettled: ended }))
  }
  const choose = (next: Choice) => {
    setChoice(next)
    setRain(next === 'own' || next === 'none' ? { kind: next } : null)
  }
  // A rain falls on gages; a CSV may also name nodes.
  const open = CHOICES.filter((one) => hasGage || one === 'own' || one === 'csv')
  return (
    <section aria-labelledby="run" className={classes.panel}>
      <h2 id="run">{texts.title}</h2>
      <form className={classes.form} onSubmit={submit}>
        {!hasGage && <Message kind="nfo">{texts.noRain}</Message>}
        <Radio.Group
          label={texts.rain}
          value={choice}
          onChange={(value) => choose(value as Choice)}
          description={texts.help[choice]}
          inputWrapperOrder={['label', 'input', 'description']}
        >
          <div className={classes.choices}>
            {open.map((one) => (
              <Radio key={one} value={one} label={texts.rains[one]} />
            ))}
          </div>
        </Radio.Group>
        {choice === 'csv' && <CsvRain onChange={setRain} />}
        {choice === 'triangle' && <TriangleRain onChange={setRain} />}
        {choice === 'design' && <DesignRain onChange={setRain} />}
        {choice === 'radar' && <RadarRain onChange={setRain} placed={model.placed === 'degrees'} />}
        <div className={classes.fields}>
          <NumberInput
            label={texts.hours}
            description={texts.hoursHelp}
            suffix={'\u00a0h'}
            decimalSeparator=","
            min={0.01}
            max={NETWORK_HOURS_MAX}
            value={hours}
            onChange={setHours}
          />
        </div>
        <Checkbox
          label={texts.implicit}
          checked={implicit}
          onChange={({ currentTarget }) => setImplicit(currentTarget.checked)}
        />
        {start.error && <Message kind="error">{serverErrorText(start.error)}</Message>}
        <Button type="submit" loading={start.isPending} disabled={rain === null}>
          {texts.go}
        </Button>
      </form>
    </section>
  )
}
