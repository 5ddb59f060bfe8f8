import { closeModal } from '../../../app/modals.ts'
import { eventTexts as texts } from '../../../texts/events.ts'
import { AppModal } from '../../../ui/AppModal.tsx'
import classes from './EventsSection.module.css'

/** Asks before an event is deleted. */
export function DeleteDialog({ title, onYes }: { title: string; onYes: () => void }) {
  return (
    <AppModal type="userEventDeleteConfirm" title={texts.deleteTitle} size="sm">
      <p className={classes.confirm}>{texts.confirm}</p>
      <p className={classes.confirmTitle}>{title}</p>
      <div className={classes.answers}>
        <button type="button" className={classes.secondary} onClick={closeModal} data-autofocus>
          {texts.no}
        </button>
        <button
          type="button"
          className={classes.danger}
          onClick={() => {
            closeModal()
            onYes()
          }}
        >
          {texts.yes}
        </button>
      </div>
    </AppModal>
  )
}
