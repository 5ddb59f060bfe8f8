import { create } from 'zustand'

/** Key of the choice in local storage: 'true' or 'false'; absent until the visitor chooses. */
const CONSENT_KEY = 'allowCookie'

export interface ConsentState {
  /** What stands before the visitor now. */
  display: 'none' | 'dialog' | 'management'
  /** The stored choice; null until there is one. */
  allowCookie: boolean | null
  /** Switches of the management; the essential category cannot be turned off. */
  switch: { required: true; analytics: boolean }
}

/** Reads the stored choice: true and false are kept, anything else asks again. */
export function initialConsent(stored: string | null): ConsentState {
  const allowCookie = stored === 'true' ? true : stored === 'false' ? false : null
  return {
    display: allowCookie === null ? 'dialog' : 'none',
    allowCookie,
    switch: { required: true, analytics: allowCookie === true },
  }
}

function readChoice(): string | null {
  try {
    return localStorage.getItem(CONSENT_KEY)
  } catch {
    return null
  }
}

export const useConsent = create<ConsentState>()(() => initialConsent(readChoice()))

/** Keeps the choice and closes what asked for it. */
export function decideConsent(allow: boolean): void {
  try {
    localStorage.setItem(CONSENT_KEY, String(allow))
  } catch {
    // Without storage the choice lasts as long as the page.
  }
  useConsent.setState({
    display: 'none',
    allowCookie: allow,
    switch: { required: true, analytics: allow },
  })
}

/** Opens the management, from the dialog or, to change one's mind, from the about page. */
export function openConsentManagement(): void {
  useConsent.setState(({ allowCookie }) => ({
    display: 'management',
    switch: { required: true, analytics: allowCookie === true },
  }))
}

/** Leaves the management without a choice: back to the dialog where none was made yet. */
export function closeConsentManagement(): void {
  useConsent.setState(({ allowCookie }) => ({ display: allowCookie === null ? 'dialog' : 'none' }))
}

export function setAnalyticsSwitch(analytics: boolean): void {
  useConsent.setState({ switch: { required: true, analytics } })
}
