import { Autocomplete, Button, NativeSelect, TextInput } from '@mantine/core'
import type { AheadCycle, AheadNetwork, WhatIfBody } from '@radx/contracts/ahead'
import type { LiveSetting } from '@radx/contracts/simulation'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { serverErrorText } from '../../app/api/errors.ts'
import { whatIfTexts as texts } from '../../texts/what-if.ts'
import { Message } from '../../ui/Message.tsx'
import { Section } from '../../ui/Section.tsx'
import { TextButton } from '../../ui/TextButton.tsx'
import classes from './AheadScreen.module.css'
import type { Address } from './address.ts'
import { Tried } from './Tried.tsx'
import { byUse, landUsesQuery, SETTINGS, startWhatIf, withSetting } from './what-if.ts'

/** Names that are offered at once. */
const OFFERED = 30

interface Props {
  cycle: AheadCycle
  network: AheadNetwork | undefined
  address: Address
  /** Whether the state of this forecast is still there. */
  isKept: boolean
  change(values: Partial<Address>): void
}

/** From the state of this forecast: what would happen with a pump, a gate or the land use changed. */
export default function WhatIf({ cycle, network, address, isKept, change }: Props) {
  return (
    <Section title={texts.title}>
      {address.tried ? (
        <Tried key={address.tried.changed} tried={address.tried} onAgain={() => change({ tried: null })} />
      ) : isKept ? (
        <Form
          {...{ cycle, network }}
          picked={address.place?.kind === 'link' ? address.place.name : ''}
          onStarted={(tried) => change({ tried })}
        />
      ) : (
        <p className={classes.note}>{texts.gone}</p>
      )}
    </Section>
  )
}

interface FormProps {
  cycle: AheadCycle
  network: AheadNetwork | undefined
  /** A pipe that was picked on the map. */
  picked: string
  onStarted(tried: NonNullable<Address['tried']>): void
}

function Form({ cycle, network, picked, onStarted }: FormProps) {
  const { catchment, issued } = cycle
  const landUses = useQuery(landUsesQuery(catchment.id))
  const [settings, setSettings] = useState<LiveSetting[]>([])
  const [luseId, setLuseId] = useState('')
  const [title, setTitle] = useState('')
  const [asked, setAsked] = useState(false)
  // Of this form as it is: sent twice it is one.
  const [key, setKey] = useState(newKey)
  const start = useMutation({
    mutationFn: (body: WhatIfBody) => startWhatIf(body, key),
    onSuccess: onStarted,
    onError: () => setKey(newKey()),
  })
  const links = network?.links ?? []
  const isEmpty = settings.length === 0 && luseId === ''
  return (
    <form
      className={classes.whatIf}
      aria-label={texts.title}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setAsked(true)
        if (isEmpty || start.isPending) return
        const named = title.trim()
        start.mutate({
          ...{ catchmentId: catchment.id, issued, settings, luseId: luseId || null },
          ...(named !== '' && { title: named }),
        })
      }}
    >
      <p className={classes.note}>{texts.intro}</p>
      <Setter
        key={picked}
        {...{ links, picked }}
        onAdd={(setting) => setSettings(withSetting(settings, setting))}
      />
      <Settings
        {...{ links, settings }}
        onRemove={(name) => setSettings(settings.filter((one) => one.name !== name))}
      />
      <div className={classes.bar}>
        <NativeSelect
          label={texts.landUse}
          value={luseId}
          data={[
            { value: '', label: texts.ownLandUse },
            ...(landUses.data ?? []).map(({ _id, desc, username }) => ({
              value: _id,
              label: texts.landUseOf(desc, username),
            })),
          ]}
          onChange={({ currentTarget }) => setLuseId(currentTarget.value)}
        />
        <TextInput
          label={texts.name}
          value={title}
          maxLength={200}
          onChange={({ currentTarget }) => setTitle(currentTarget.value)}
        />
        <Button type="submit" loading={start.isPending}>
          {texts.run}
        </Button>
      </div>
      {asked && isEmpty && <Message kind="error">{texts.nothing}</Message>}
      {start.error && <Message kind="error">{serverErrorText(start.error)}</Message>}
    </form>
  )
}

interface SetterProps {
  links: AheadNetwork['links']
  picked: string
  onAdd(setting: LiveSetting): void
}

/** One link and how it is set. */
function Setter({ links, picked, onAdd }: SetterProps) {
  const [name, setName] = useState(picked)
  const [chosen, setChosen] = useState<number | null>(null)
  const [missing, setMissing] = useState('')
  const kind = links.find((link) => link.name === name.trim())?.kind
  const values = SETTINGS[kind ?? 'conduit']
  const setting = chosen !== null && values.includes(chosen) ? chosen : values[0]
  return (
    <>
      <div className={classes.bar}>
        <Autocomplete
          label={texts.element}
          placeholder={texts.elementHint}
          value={name}
          data={byUse(links).map((link) => link.name)}
          limit={OFFERED}
          maxLength={200}
          onChange={(value) => {
            setName(value)
            setMissing('')
          }}
        />
        <NativeSelect
          label={texts.setting}
          value={String(setting)}
          data={values.map((value) => ({
            value: String(value),
            label: texts.setTo(kind ?? 'conduit', value),
          }))}
          onChange={({ currentTarget }) => setChosen(Number(currentTarget.value))}
        />
        <Button
          variant="default"
          disabled={name.trim() === ''}
          onClick={() => {
            if (kind === undefined) return setMissing(name.trim())
            onAdd({ name: name.trim(), setting })
            setName('')
          }}
        >
          {texts.add}
        </Button>
      </div>
      {missing !== '' && <Message kind="error">{texts.unknown(missing)}</Message>}
    </>
  )
}

interface SettingsProps {
  links: AheadNetwork['links']
  settings: readonly LiveSetting[]
  onRemove(name: string): void
}

function Settings({ links, settings, onRemove }: SettingsProps) {
  if (settings.length === 0) return null
  const kindOf = (name: string) => links.find((link) => link.name === name)?.kind ?? 'conduit'
  return (
    <ul className={classes.settings} aria-label={texts.settings}>
      {settings.map(({ name, setting }) => (
        <li key={name}>
          {texts.kinds[kindOf(name)]} {name} {texts.setTo(kindOf(name), setting)}{' '}
          <TextButton aria-label={texts.remove(name)} onClick={() => onRemove(name)}>
            {texts.removeShort}
          </TextButton>
        </li>
      ))}
    </ul>
  )
}

const newKey = (): string => crypto.getRandomValues(new Uint32Array(4)).join('-')
