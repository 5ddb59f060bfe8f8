import { create } from 'zustand'
import { type FormState, INITIAL_FORM } from './state.ts'

/** The form that is being filled in; it starts anew whenever the screen is entered. */
export const useForm = create<FormState>()(() => INITIAL_FORM)

/** Applies a transition of the form. */
export const changeForm = (transition: (state: FormState) => FormState): void =>
  useForm.setState(transition(useForm.getState()), true)
