import { Button, FileButton, NativeSelect, Textarea } from '@mantine/core'
import { FormatError } from '@radx/contracts/errors'
import { formatQuantityFr } from '@radx/locale/format-fr'
import type { RainUnit } from '@radx/rainfall/storms/rain-text'
import { useMemo } from 'react'
import { designTexts as texts } from '../../../../texts/design.ts'
import { rainTexts } from '../../../../texts/simulation.ts'
import { fileText } from '../../../../ui/file-text.ts'
import { Message } from '../../../../ui/Message.tsx'
import { applyOwn, type OwnText, releaseVirtualRain } from '../state.ts'
import { changeForm, useForm } from '../store.ts'
import { readOwn } from './own.ts'
import { ParameterInput } from './ParameterInput.tsx'
import { RainPreview } from './RainPreview.tsx'
import { UseRain } from './UseRain.tsx'
import classes from './VirtualRain.module.css'

/** A hyetogram pasted from a spreadsheet or read from a file; what is wrong with it stands below it. */
export function OwnHyetogram() {
  const own = useForm((state) => state.own)
  const used = useForm((state) => state.virtualData)
  const locked = used.length > 0
  const found = useMemo(() => (own.text.trim() === '' ? null : attempt(own)), [own])
  const rain = found && 'rain' in found ? found.rain : null
  const set = (change: Partial<OwnText>) =>
    changeForm((state) => ({ ...releaseVirtualRain(state), own: { ...state.own, ...change } }))
  return (
    <>
      <div className={classes.parameters}>
        <Textarea
          label={texts.own}
          description={texts.ownHelp}
          placeholder={texts.ownExample}
          autosize
          minRows={6}
          maxRows={14}
          spellCheck={false}
          value={own.text}
          disabled={locked}
          error={found && 'message' in found ? found.message : null}
          onChange={({ currentTarget }) => set({ text: currentTarget.value, file: '' })}
        />
        <FileButton
          accept=".csv,.txt,.tsv,text/csv"
          disabled={locked}
          onChange={(file) => file && void fileText(file).then((text) => set({ text, file: file.name }))}
        >
          {(props) => (
            <Button {...props} variant="default" disabled={locked}>
              {own.file === '' ? texts.ownFile : texts.ownFileNamed(own.file)}
            </Button>
          )}
        </FileButton>
        <div className={classes.fields}>
          <NativeSelect
            label={texts.ownUnit}
            value={own.unit ?? ''}
            disabled={locked}
            data={[
              { value: '', label: texts.ownUnits.heading },
              { value: 'mm/h', label: 'mm/h' },
              { value: 'mm', label: texts.ownUnits.mm },
            ]}
            onChange={({ currentTarget }) => set({ unit: (currentTarget.value || null) as RainUnit | null })}
          />
          <ParameterInput
            label={texts.fields.calmAfter}
            unit="min"
            value={own.calmAfter}
            disabled={locked}
            onChange={(calmAfter) => set({ calmAfter })}
          />
        </div>
        {rain && (
          <p className={classes.notes} role="status">
            {texts.ownRead(
              rain.lines,
              formatQuantityFr(rain.series.step, 'min', 2, true),
              formatQuantityFr(rain.series.iMax, 'mm/h', 1),
            )}
          </p>
        )}
        {rain?.remarksFr.map((remark) => (
          <Message key={remark} kind="warning">
            {remark}
          </Message>
        ))}
        <UseRain
          disabled={rain === null}
          onUse={() => rain && changeForm((state) => applyOwn(state, rain))}
        />
        <div className={classes.notes}>
          <span>{rainTexts.lead}</span>
        </div>
      </div>
      <RainPreview rateMmH={locked ? used : (rain?.minutes ?? [])} empty={texts.ownEmpty} />
    </>
  )
}

function attempt(own: OwnText): { rain: ReturnType<typeof readOwn> } | { message: string } {
  try {
    return { rain: readOwn(own) }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { message: error.message }
  }
}
