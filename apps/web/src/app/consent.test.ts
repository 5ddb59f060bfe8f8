import { expect, test } from 'vitest'
import { initialConsent } from './consent.ts'

test('[COOKIE-08] [COOKIE-10] only true and false are a choice; anything else shows the dialog', () => {
  expect(initialConsent('true')).toEqual({
    display: 'none',
    allowCookie: true,
    switch: { required: true, analytics: true },
  })
  expect(initialConsent('false')).toMatchObject({ display: 'none', allowCookie: false })
  for (const stored of [null, '', '1', 'TRUE', '{}', 'null'])
    expect(initialConsent(stored)).toMatchObject({ display: 'dialog', allowCookie: null })
})

test('[COOKIE-11] [COOKIE-07] measurement is off until it is chosen, the essential category always on', () => {
  for (const stored of [null, 'false', 'x'])
    expect(initialConsent(stored).switch).toEqual({ required: true, analytics: false })
})
