import { Button, Switch, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { genericErrorText } from '../../../../app/api/errors.ts'
import { landUseTexts as texts } from '../../../../texts/simulation.ts'
import { Message } from '../../../../ui/Message.tsx'
import { Waiting } from '../../../../ui/Waiting.tsx'
import { maskQuery } from '../../api.ts'
import { GridEditor } from '../../editor/GridEditor.tsx'
import { ExportModal } from '../../parts/ExportModal.tsx'
import { CodesTable } from '../land/CodesTable.tsx'
import { FileList } from '../land/FileList.tsx'
import { backToCodes, confirmCodes, keepPainting, saveMatrix, setEditing, touchMatrix } from '../land-use.ts'
import { changeForm, useForm } from '../store.ts'
import { useLandUse } from '../useLandUse.ts'
import classes from './LandUseStep.module.css'

export default function LandUseStep() {
  const fileId = useForm((state) => state.luseIdArr[0])
  const ready = useForm((state) => state.luseConfigs.length > 0)
  const [exported, setExported] = useState<string | null>(null)
  return (
    <div className={classes.root}>
      <section aria-labelledby="luse-files">
        <h2 id="luse-files">{texts.files}</h2>
        <p className={classes.help}>{texts.filesHelp}</p>
        <FileList onExport={setExported} />
      </section>
      {fileId !== undefined && (ready ? <Codes /> : <Waiting label={texts.loading} />)}
      <ExportModal fileId={exported} onClose={() => setExported(null)} />
    </div>
  )
}

function Codes() {
  const { stage, luseUpdates, luseDesc, unsaved } = useForm()
  const [leaving, setLeaving] = useState(false)
  const painting = stage === 'grid' || stage === 'saved'
  const leave = () => {
    setLeaving(false)
    changeForm((state) => setEditing(state, false))
  }
  return (
    <>
      <section aria-labelledby="luse-codes">
        <header className={classes.head}>
          <h2 id="luse-codes">{texts.codes}</h2>
          <Switch
            label={texts.edit}
            checked={stage !== 'off'}
            onChange={({ currentTarget: { checked } }) => {
              if (!checked && (unsaved ?? luseUpdates).length > 0) setLeaving(true)
              else changeForm((state) => setEditing(state, checked))
            }}
          />
        </header>
        {stage === 'off' && <p className={classes.help}>{texts.editHelp}</p>}
        {leaving && (
          <Message
            kind="warning"
            action={
              <span className={classes.actions}>
                <Button size="compact-sm" variant="default" onClick={() => setLeaving(false)}>
                  {texts.abandon.no}
                </Button>
                <Button size="compact-sm" onClick={leave}>
                  {texts.abandon.yes}
                </Button>
              </span>
            }
          >
            {texts.abandon.text}
          </Message>
        )}
        <CodesTable />
        <div className={classes.confirm}>
          {/* One button, so that the focus stays; the second click of two is none on what it has become. */}
          {stage !== 'off' && (
            <Button
              variant={painting ? 'default' : 'filled'}
              onClick={({ detail }) => detail < 2 && changeForm(painting ? backToCodes : confirmCodes)}
            >
              {painting ? texts.changeCodes : texts.confirmCodes}
            </Button>
          )}
        </div>
      </section>
      {painting && <Editor />}
      {(stage === 'saved' || (painting && luseDesc !== '')) && (
        <Textarea
          label={texts.comment}
          description={texts.commentHelp}
          maxLength={4096}
          autosize
          minRows={2}
          value={luseDesc}
          onChange={({ currentTarget: { value } }) => changeForm((state) => ({ ...state, luseDesc: value }))}
        />
      )}
    </>
  )
}

function Editor() {
  const { caseStudyId, luseConfigs, luseIdSource, luseUpdates, stage, unsaved } = useForm()
  const { data, error } = useLandUse()
  const mask = useQuery(maskQuery(caseStudyId))
  const [painted, setPainted] = useState<Int16Array | null>(null)
  const exported = useMemo(
    () => (painted === null ? undefined : { codes: painted, configs: luseConfigs }),
    [painted, luseConfigs],
  )
  const failed = error ?? mask.error
  if (failed) return <Message kind="error">{genericErrorText(failed)}</Message>
  if (!data || (caseStudyId !== '' && !mask.data)) return <Waiting label={texts.loading} />
  return (
    <>
      <GridEditor
        key={luseIdSource}
        data={data}
        mask={caseStudyId === '' ? null : (mask.data ?? null)}
        configs={luseConfigs}
        updates={unsaved ?? luseUpdates}
        saved={stage === 'saved'}
        onTouch={() => changeForm(touchMatrix)}
        onPaint={(updates) => changeForm((state) => keepPainting(state, updates))}
        onSave={(updates) => changeForm((state) => saveMatrix(state, updates))}
        onExport={setPainted}
      />
      <ExportModal
        fileId={painted === null ? null : luseIdSource}
        painted={exported}
        onClose={() => setPainted(null)}
      />
    </>
  )
}
