import { ActionIcon, Button, TextInput } from '@mantine/core'
import type { LuseConfig } from '@radx/contracts/simulation'
import { IconInfoCircle } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { hasManagerRole, useAuth } from '../../../../app/auth/store.ts'
import { simulationTexts, landUseTexts as texts } from '../../../../texts/simulation.ts'
import { useFocusOutlives } from '../../../../ui/focus-return.ts'
import { CodeModal } from '../../parts/CodeModal.tsx'
import { Property } from '../../parts/PropertyText.tsx'
import { parseProperty, propertyIssue } from '../../parts/property.ts'
import { type LuseProperty, setProperty, toggleItem } from '../land-use.ts'
import { changeForm, useForm } from '../store.ts'
import classes from './CodesTable.module.css'
import { MeasureSettings } from './MeasureSettings.tsx'

const PROPERTIES: LuseProperty[] = ['kh', 'capsh', 'soilmd', 'nmanningov', 'interceptionclass']

/** Codes in use; while they are chosen, others can be added, and managers change what they stand for. */
export function CodesTable() {
  const { luseConfigs, ownConfigs, market, marketItems, stage } = useForm()
  const manager = useAuth(hasManagerRole)
  const [described, setDescribed] = useState<LuseConfig | null>(null)
  const choosing = stage === 'codes'
  const editable = choosing && manager
  const own = new Set(ownConfigs.map(({ id }) => id))
  const available = market.filter(({ id }) => !marketItems.some((item) => item.id === id && item.isSelected))
  return (
    <>
      <div className={classes.scroll}>
        <table className={classes.root}>
          <caption className="rx-visually-hidden">{texts.codes}</caption>
          <thead>
            <tr>
              <th scope="col">{texts.columns.code}</th>
              <th scope="col">{texts.columns.title}</th>
              {PROPERTIES.map((name) => (
                <th key={name} scope="col" title={texts.properties[name]}>
                  {texts.columns[name]} <span className="rx-unit">{texts.units[name]}</span>
                </th>
              ))}
              {choosing && (
                <th scope="col">
                  <span className="rx-visually-hidden">{texts.remove}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {luseConfigs.map((config) => (
              <tr key={config.id}>
                <td>
                  <span className={classes.swatch} style={{ background: config.color }} />
                  {config.code}
                </td>
                <th scope="row">
                  {config.title}
                  <ActionIcon
                    size={24}
                    aria-label={simulationTexts.describe(config.title)}
                    onClick={() => setDescribed(config)}
                  >
                    <IconInfoCircle size={16} stroke={1.75} />
                  </ActionIcon>
                </th>
                {PROPERTIES.map((name) => (
                  <td key={name}>
                    {editable ? (
                      <PropertyInput config={config} name={name} />
                    ) : (
                      <Property value={config[name]} />
                    )}
                  </td>
                ))}
                {choosing && (
                  <td>
                    {!own.has(config.id) && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        aria-label={`${texts.remove} ${config.title}`}
                        onClick={() => changeForm((state) => toggleItem(state, config.id))}
                      >
                        {texts.remove}
                      </Button>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {choosing && <MeasureSettings configs={luseConfigs} />}
      {editable && <p className={classes.note}>{texts.managerNote}</p>}
      {choosing && (
        <section className={classes.market} aria-label={texts.market}>
          <h3>{texts.market}</h3>
          <p className={classes.note}>{available.length === 0 ? texts.noMarket : texts.marketHelp}</p>
          <ul>
            {available.map((config) => (
              <Offered key={config.id} config={config} onDescribe={() => setDescribed(config)} />
            ))}
          </ul>
        </section>
      )}
      <CodeModal config={described} onClose={() => setDescribed(null)} />
    </>
  )
}

/** A code that may be taken; it goes with its button when it is. */
function Offered({ config, onDescribe }: { config: LuseConfig; onDescribe: () => void }) {
  const root = useRef<HTMLLIElement>(null)
  useFocusOutlives(root)
  return (
    <li ref={root}>
      <span className={classes.swatch} style={{ background: config.color }} />
      <span>
        {config.title}
        <small>{config.desc}</small>
      </span>
      <ActionIcon size={28} aria-label={simulationTexts.describe(config.title)} onClick={onDescribe}>
        <IconInfoCircle size={16} stroke={1.75} />
      </ActionIcon>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={`${texts.add} ${config.title}`}
        onClick={() => changeForm((state) => toggleItem(state, config.id))}
      >
        {texts.add}
      </Button>
    </li>
  )
}

function PropertyInput({ config, name }: { config: LuseConfig; name: LuseProperty }) {
  const [draft, setDraft] = useState<string | null>(null)
  const issue = propertyIssue(name, draft === null ? config[name] : parseProperty(draft))
  return (
    <TextInput
      size="xs"
      inputMode="decimal"
      aria-label={`${texts.columns[name]}, ${config.title}`}
      className={classes.property}
      value={draft ?? String(config[name]).replace('.', ',')}
      error={issue}
      onChange={({ currentTarget: { value: text } }) => {
        setDraft(text)
        const parsed = parseProperty(text)
        if (parsed !== null && propertyIssue(name, parsed) === null)
          changeForm((state) => setProperty(state, config.id, name, parsed))
      }}
      // What cannot be stays in sight with its reason; the table keeps the last good value.
      onBlur={() => issue === null && setDraft(null)}
    />
  )
}
