import { expect, test } from 'vitest'
import { isManager, isSignedIn, SIGNED_OUT } from './store.ts'

test('[AUTH-07] the state has every field of the specification, all empty without a session', () => {
  expect(SIGNED_OUT).toEqual({
    name: null,
    token: null,
    csv: 'semicolon',
    roles: [],
    avatar: null,
    restriction: null,
    expiresIn: null,
    shapefiles: [],
    warning: null,
    error: null,
    redirectPath: null,
  })
  expect([isSignedIn(SIGNED_OUT), isManager({ ...SIGNED_OUT, roles: ['manager'] })]).toEqual([false, false])
})
