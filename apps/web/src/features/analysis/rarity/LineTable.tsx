import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { stormTexts as texts } from '../../../texts/storms.ts'
import { LINE_FIELDS, type LineField, type LineIssue, type LineText, nextLine } from './lines.ts'
import classes from './Rarity.module.css'

interface Props {
  lines: readonly LineText[]
  /** Shown at their fields. */
  issues: readonly LineIssue[]
  onChange: (lines: LineText[]) => void
}

/** A table of Montana coefficients line by line. */
export function LineTable({ lines, issues, onChange }: Props) {
  const set = (at: number, field: LineField, value: string) =>
    onChange(lines.map((line, k) => (k === at ? { ...line, [field]: value } : line)))
  return (
    <div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways is reached by the keyboard */}
      <section className={classes.table} aria-label={texts.lines} tabIndex={0}>
        <table>
          <caption>{texts.lines}</caption>
          <thead>
            <tr>
              {LINE_FIELDS.map((field) => (
                <th key={field} scope="col">
                  {texts.lineHead[field]}
                </th>
              ))}
              <th scope="col">
                <span className="rx-visually-hidden">{texts.removeLine}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line, k) => (
              <tr key={String(k)}>
                {LINE_FIELDS.map((field) => (
                  <td key={field}>
                    <TextInput
                      size="xs"
                      aria-label={texts.cell(texts.lineHead[field], k + 1)}
                      inputMode="decimal"
                      value={line[field]}
                      error={issues.some((issue) => issue.line === k && issue.field === field)}
                      onChange={({ currentTarget }) => set(k, field, currentTarget.value)}
                    />
                  </td>
                ))}
                <td>
                  <ActionIcon
                    variant="subtle"
                    aria-label={texts.removeLineAt(k + 1)}
                    disabled={lines.length === 1}
                    onClick={() => onChange(lines.filter((_, other) => other !== k))}
                  >
                    <IconTrash size={16} stroke={1.75} />
                  </ActionIcon>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      {issues.length > 0 && (
        <ul className={classes.issues} role="alert">
          {issues.map(({ line, field, message }) => (
            <li key={`${line} ${field}`}>{texts.issue(line + 1, texts.lineHead[field], message)}</li>
          ))}
        </ul>
      )}
      <Button size="compact-sm" variant="default" onClick={() => onChange([...lines, nextLine(lines)])}>
        {texts.addLine}
      </Button>
    </div>
  )
}
