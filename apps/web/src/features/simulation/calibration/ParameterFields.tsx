import { Button, NativeSelect, TextInput } from '@mantine/core'
import {
  CALIBRATED,
  CALIBRATED_LIMITS,
  CALIBRATION_LIMITS,
  type Calibrated,
} from '@radx/contracts/calibration-constants'
import { IconPlus, IconX } from '@tabler/icons-react'
import { fitTexts as texts } from '../../../texts/calibration.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import classes from './Calibration.module.css'
import { boundOf, type FittedClass, firstBounds, type ParameterDraft } from './fit-draft.ts'

interface Props {
  /** Land-use classes of the first event; empty while there is none. */
  classesOf: readonly FittedClass[]
  parameters: readonly ParameterDraft[]
  onChange: (parameters: ParameterDraft[]) => void
}

/** Which values are looked for, and between what. */
export function ParameterFields({ classesOf, parameters, onChange }: Props) {
  const add = () => onChange([...parameters, draftOf(nextKind(parameters), null, classesOf)])
  return (
    <fieldset className={classes.group}>
      <legend>{texts.parameters}</legend>
      <p className={classes.note}>
        {texts.parametersHelp} {classesOf.length === 0 && texts.noCodes}
      </p>
      <ul className={classes.parameters}>
        {parameters.map((parameter, k) => (
          <li key={k}>
            <ParameterRow
              classesOf={classesOf}
              parameter={parameter}
              onChange={(next) => onChange(parameters.map((one, i) => (i === k ? next : one)))}
            />
            <IconButton
              label={texts.removeParameter(k + 1)}
              onClick={() => onChange(parameters.filter((_, i) => i !== k))}
            >
              <IconX size={18} stroke={1.75} />
            </IconButton>
          </li>
        ))}
      </ul>
      <Button
        variant="default"
        className={classes.start}
        disabled={parameters.length >= CALIBRATION_LIMITS.parameters}
        leftSection={<IconPlus size={16} stroke={1.75} aria-hidden />}
        onClick={add}
      >
        {texts.add}
      </Button>
    </fieldset>
  )
}

/** One that is not there yet and needs no class. */
const nextKind = (parameters: readonly ParameterDraft[]): Calibrated =>
  CALIBRATED.find(
    (kind) => CALIBRATED_LIMITS[kind].code !== 'must' && !parameters.some((one) => one.kind === kind),
  ) ?? 'roughness'

function draftOf(kind: Calibrated, code: number | null, classesOf: readonly FittedClass[]): ParameterDraft {
  const { code: rule } = CALIBRATED_LIMITS[kind]
  const asked = rule === 'never' ? null : rule === 'must' ? (code ?? classesOf[0]?.code ?? null) : code
  const entry = asked === null ? undefined : classesOf.find((one) => one.code === asked)
  return { kind, code: asked, ...firstBounds(kind, entry) }
}

interface RowProps {
  classesOf: readonly FittedClass[]
  parameter: ParameterDraft
  onChange: (parameter: ParameterDraft) => void
}

function ParameterRow({ classesOf, parameter, onChange }: RowProps) {
  const { kind, code, min, max, scale } = parameter
  const { code: rule } = CALIBRATED_LIMITS[kind]
  const bound = (key: 'min' | 'max', label: string) => (
    <TextInput
      size="xs"
      label={label}
      value={parameter[key]}
      inputMode="text"
      autoComplete="off"
      spellCheck={false}
      error={boundOf(parameter[key]) === null}
      onChange={({ currentTarget }) => onChange({ ...parameter, [key]: currentTarget.value })}
    />
  )
  const [least, most] = [boundOf(min), boundOf(max)]
  return (
    <div className={classes.parameter} data-wrong={(least ?? 0) >= (most ?? 0) || undefined}>
      <NativeSelect
        size="xs"
        label={texts.kind}
        value={kind}
        data={CALIBRATED.map((value) => ({ value, label: texts.kinds[value] }))}
        onChange={({ currentTarget }) =>
          onChange(draftOf(currentTarget.value as Calibrated, code, classesOf))
        }
      />
      {rule === 'never' ? (
        <span />
      ) : (
        <NativeSelect
          size="xs"
          label={texts.code}
          value={code === null ? '' : String(code)}
          data={[
            ...(rule === 'may' || classesOf.length === 0 ? [{ value: '', label: texts.allCodes }] : []),
            ...classesOf.map((entry) => ({
              value: String(entry.code),
              label: `${entry.title} (${texts.codeOf(entry.code)})`,
            })),
          ]}
          onChange={({ currentTarget: { value } }) =>
            onChange(draftOf(kind, value === '' ? null : Number(value), classesOf))
          }
        />
      )}
      {bound('min', texts.least)}
      {bound('max', texts.most)}
      <NativeSelect
        size="xs"
        label={texts.scale}
        value={scale}
        data={[
          { value: 'linear', label: texts.scales.linear },
          { value: 'log', label: texts.scales.log },
        ]}
        onChange={({ currentTarget }) =>
          onChange({ ...parameter, scale: currentTarget.value as ParameterDraft['scale'] })
        }
      />
    </div>
  )
}
