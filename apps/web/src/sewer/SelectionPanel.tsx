import { Button } from '@mantine/core'
import { lineColor } from '@radx/charts/sewer-chart'
import { IconArrowBackUp } from '@tabler/icons-react'
import { sewerTexts as texts } from '../texts/sewer.ts'
import { useChartTheme } from '../ui/chart-theme.ts'
import { Message } from '../ui/Message.tsx'
import classes from './SelectionPanel.module.css'
import { type Analysis, limitOf } from './selection.ts'

interface Props {
  analysis: Analysis
  names: readonly string[]
  /** Names of the address that the network does not have. */
  unknown: readonly string[]
  hasReference: boolean
  onReset: () => void
}

/** What is chosen, what to do next, and the way back. */
export function SelectionPanel({ analysis, names, unknown, hasReference, onReset }: Props) {
  const theme = useChartTheme()
  const help = analysis === 'link' && hasReference ? texts.help.linkReference : texts.help[analysis]
  const step = Math.min(names.length, help.length - 1)
  return (
    <section className={classes.root} aria-label={texts.selection}>
      <div className={classes.row}>
        <h3>{texts.selection}</h3>
        {names.length === 0 ? (
          <p className={classes.none}>{texts.nothingSelected}</p>
        ) : (
          <ul>
            {names.map((name, k) => (
              <li key={name}>
                {analysis !== 'path' && <span style={{ background: lineColor(theme, k) }} />}
                {name}
              </li>
            ))}
          </ul>
        )}
        <Button
          size="compact-sm"
          variant="default"
          leftSection={<IconArrowBackUp size={16} stroke={1.75} aria-hidden />}
          disabled={names.length === 0 && unknown.length === 0}
          onClick={onReset}
        >
          {texts.reset}
        </Button>
      </div>
      <Message kind={names.length >= limitOf(analysis, hasReference) ? 'nfo' : 'hint'}>{help[step]}</Message>
      {hasReference && analysis !== 'link' && <Message kind="nfo">{texts.noComparison}</Message>}
      {unknown.length > 0 && <Message kind="warning">{texts.unknownNames(unknown.join(', '))}</Message>}
    </section>
  )
}
