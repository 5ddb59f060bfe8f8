import { Button, Switch, TextInput } from '@mantine/core'
import type { AlertRule } from '@radx/contracts/alerts'
import { ALERT_UNITS } from '@radx/contracts/alerts-constants'
import { formatDateTimeFr, formatNumberFr } from '@radx/locale/format-fr'
import { useState } from 'react'
import { serverErrorText } from '../../app/api/errors.ts'
import { useSite } from '../../app/site.ts'
import { alertTexts as texts } from '../../texts/alerts.ts'
import { AskedRemoval } from '../../ui/AskedRemoval.tsx'
import { useInlineForm } from '../../ui/inline-form.ts'
import { Message } from '../../ui/Message.tsx'
import classes from './Alerts.module.css'
import { useRemoveRule, useSaveRule } from './api.ts'
import type { Draft } from './draft.ts'
import type { Choices } from './MeasureFields.tsx'
import { AT_ONCE, More, useFirst } from './More.tsx'
import { RuleForm } from './RuleForm.tsx'
import { matches, whereOf } from './where.ts'

interface Props {
  rules: AlertRule[]
  empty: Draft
  choices: Choices
  /** Id of the rule whose form is open, `new`, or null. */
  open: string | null
  onOpen(id: string | null): void
}

export function Rules({ rules, empty, choices, open, onOpen }: Props) {
  const root = useInlineForm<HTMLElement>(open)
  const remove = useRemoveRule()
  const save = useSaveRule()
  const error = remove.error ?? save.error
  const [words, setWords] = useState('')
  const isLong = rules.length > AT_ONCE
  const found = isLong ? rules.filter((rule) => matches(rule, whereOf(rule.measure, choices), words)) : rules
  const { first, ...rest } = useFirst(found)
  // The one that is open stays, wherever it stands and whatever is looked for.
  const opened = rules.find(({ id }) => id === open)
  const shown = opened && !first.includes(opened) ? [...first, opened] : first
  return (
    <section ref={root} aria-labelledby="rules">
      <h2 id="rules">{texts.rules}</h2>
      {error && <Message kind="error">{serverErrorText(error)}</Message>}
      {open === 'new' ? (
        <RuleForm rule={null} empty={empty} choices={choices} onDone={() => onOpen(null)} />
      ) : (
        <div className={classes.find}>
          <Button data-opens="new" onClick={() => onOpen('new')}>
            {texts.add}
          </Button>
          {isLong && (
            <TextInput
              type="search"
              label={texts.find}
              description={texts.found(found.length, rules.length)}
              value={words}
              onChange={({ currentTarget }) => setWords(currentTarget.value)}
            />
          )}
        </div>
      )}
      <ul className={classes.list} hidden={shown.length === 0}>
        {shown.map((rule) =>
          open === rule.id ? (
            <li key={rule.id}>
              <RuleForm rule={rule} empty={empty} choices={choices} onDone={() => onOpen(null)} />
            </li>
          ) : (
            <li key={rule.id} data-phase={rule.phase}>
              <Line rule={rule} where={whereOf(rule.measure, choices)} />
              <div className={classes.actions}>
                <Switch
                  label={texts.on}
                  aria-label={texts.onLabel(rule.name)}
                  checked={rule.enabled}
                  disabled={save.isPending}
                  onChange={() => save.mutate({ id: rule.id, body: { ...rule, enabled: !rule.enabled } })}
                />
                <Button
                  size="compact-md"
                  variant="default"
                  data-opens={rule.id}
                  aria-label={texts.editLabel(rule.name)}
                  onClick={() => onOpen(rule.id)}
                >
                  {texts.edit}
                </Button>
                <AskedRemoval
                  label={texts.remove}
                  name={texts.removeLabel(rule.name)}
                  ask={texts.removeAsk}
                  onYes={() => remove.mutate(rule.id)}
                />
              </div>
            </li>
          ),
        )}
      </ul>
      <More {...rest} />
    </section>
  )
}

function Line({ rule, where }: { rule: AlertRule; where: string }) {
  const { timeZone } = useSite()
  const { kind } = rule.measure
  const unit = ALERT_UNITS[kind]
  const quantity = (value: number) => `${formatNumberFr(value, 2, true)}\u00a0${unit}`
  return (
    <div>
      <h3>{rule.name}</h3>
      <p>
        <b>{texts.phase[rule.phase]}</b>
        <span>{texts.kind[kind]}</span>
        <span>{where}</span>
        <span>{texts.threshold(quantity(rule.threshold))}</span>
        <span>{texts.severity[rule.severity]}</span>
        <span>
          {rule.value === null || rule.valueAt === null
            ? texts.unseen
            : texts.last(quantity(rule.value), formatDateTimeFr(rule.valueAt, timeZone))}
        </span>
      </p>
    </div>
  )
}
