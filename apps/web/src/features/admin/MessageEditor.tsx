import '@mantine/tiptap/styles.layer.css'
import { Button, Switch } from '@mantine/core'
import { RichTextEditor, type RichTextEditorLabels } from '@mantine/tiptap'
import type { HomeMessage } from '@radx/contracts/articles'
import { IconCheck } from '@tabler/icons-react'
import Placeholder from '@tiptap/extension-placeholder'
import { useEditor } from '@tiptap/react'
import StarterKit from '@tiptap/starter-kit'
import { useEffect, useRef, useState } from 'react'
import { genericErrorText } from '../../app/api/errors.ts'
import { adminTexts } from '../../texts/admin.ts'
import { Message } from '../../ui/Message.tsx'
import { useSaveMessage } from './api.ts'
import classes from './MessageEditor.module.css'

const { tools } = adminTexts

const LABELS: Partial<RichTextEditorLabels> = {
  boldControlLabel: tools.bold,
  italicControlLabel: tools.italic,
  underlineControlLabel: tools.underline,
  strikeControlLabel: tools.strike,
  h2ControlLabel: tools.h2,
  h3ControlLabel: tools.h3,
  bulletListControlLabel: tools.bulletList,
  orderedListControlLabel: tools.orderedList,
  blockquoteControlLabel: tools.blockquote,
  hrControlLabel: tools.hr,
  linkControlLabel: tools.link,
  unlinkControlLabel: tools.unlink,
  undoControlLabel: tools.undo,
  redoControlLabel: tools.redo,
  linkEditorInputLabel: tools.linkInput,
  linkEditorInputPlaceholder: tools.linkPlaceholder,
  linkEditorSave: tools.linkSave,
}

// Only what the server's list of tags lets through (server: articles/clean.ts).
const EXTENSIONS = [
  StarterKit.configure({
    heading: { levels: [2, 3] },
    codeBlock: false,
    code: false,
    link: { openOnClick: false, protocols: ['http', 'https', 'mailto'], defaultProtocol: 'https' },
  }),
  Placeholder.configure({ placeholder: adminTexts.placeholder }),
]

interface Props {
  /** As the server has it now. */
  saved: HomeMessage
}

export function MessageEditor({ saved }: Props) {
  const [isPublished, setPublished] = useState(saved.isPublished)
  const [isDirty, setDirty] = useState(false)
  const save = useSaveMessage()
  // Read where the state may still be on its way: what was touched a moment ago must not be lost.
  const touched = useRef(false)
  const touch = () => {
    touched.current = true
    setDirty(true)
  }
  const editor = useEditor({
    extensions: EXTENSIONS,
    content: saved.main,
    // The policy of the page allows no script of its own; styles come from the style sheet.
    injectCSS: false,
    editorProps: {
      attributes: { 'aria-label': adminTexts.editorLabel, role: 'textbox', 'aria-multiline': 'true' },
    },
    onUpdate: touch,
  })

  // The editor starts with what was loaded. What comes later, after a save or from another manager, takes
  // its place only where nobody has touched it since.
  const shown = useRef(saved)
  useEffect(() => {
    if (editor === null || shown.current === saved) return
    shown.current = saved
    if (touched.current) return
    editor.commands.setContent(saved.main, { emitUpdate: false })
    setPublished(saved.isPublished)
  }, [editor, saved])

  const submit = () => {
    if (editor === null) return
    touched.current = false
    setDirty(false)
    save.mutate({ main: editor.isEmpty ? '' : editor.getHTML(), isPublished }, { onError: touch })
  }
  const changed = isDirty || isPublished !== saved.isPublished

  return (
    <div className={classes.root}>
      <RichTextEditor editor={editor} labels={LABELS} className={classes.editor}>
        <RichTextEditor.Toolbar className={classes.toolbar}>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Bold />
            <RichTextEditor.Italic />
            <RichTextEditor.Underline />
            <RichTextEditor.Strikethrough />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.H2 />
            <RichTextEditor.H3 />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.BulletList />
            <RichTextEditor.OrderedList />
            <RichTextEditor.Blockquote />
            <RichTextEditor.Hr />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Link />
            <RichTextEditor.Unlink />
          </RichTextEditor.ControlsGroup>
          <RichTextEditor.ControlsGroup>
            <RichTextEditor.Undo />
            <RichTextEditor.Redo />
          </RichTextEditor.ControlsGroup>
        </RichTextEditor.Toolbar>
        <RichTextEditor.Content />
      </RichTextEditor>
      {save.error && (
        <Message kind="error">
          {adminTexts.saveFailed} {genericErrorText(save.error)}
        </Message>
      )}
      <div className={classes.bar}>
        <Switch
          checked={isPublished}
          onChange={(event) => {
            touched.current = true
            setPublished(event.currentTarget.checked)
          }}
          label={isPublished ? adminTexts.published : adminTexts.unpublished}
          description={isPublished ? adminTexts.publishedHelp : adminTexts.unpublishedHelp}
        />
        <p className={classes.state} aria-live="polite">
          {save.isSuccess && !changed ? (
            <>
              <IconCheck size={18} stroke={2} aria-hidden />
              {adminTexts.saved}
            </>
          ) : changed ? (
            adminTexts.unsaved
          ) : null}
        </p>
        <Button onClick={submit} loading={save.isPending} disabled={editor === null}>
          {adminTexts.save}
        </Button>
      </div>
    </div>
  )
}
