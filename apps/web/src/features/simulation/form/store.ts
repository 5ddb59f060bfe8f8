import { create } from 'zustand'
import { type FormState, INITIAL_FORM } from './state.ts'

/** The form that is being filled in; it starts anew whenever the screen is entered. */
export const useForm = create<FormState>()(() => INITIAL_FORM)

/** Applies a transition of the form. What was sent and is then changed is another form. */
export function changeForm(transition: (state: FormState) => FormState): void {
  const before = useForm.getState()
  const next = transition(before)
  if (next === before) return
  const sent = next.submissionKey !== '' && next.submissionKey === before.submissionKey
  useForm.setState(
    sent && next.jobId === before.jobId ? { ...next, submissionKey: '', jobId: null } : next,
    true,
  )
}
