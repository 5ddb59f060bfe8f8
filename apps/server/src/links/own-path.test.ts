import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ownPath } from './own-path.ts'

test.each([
  ['/', '/'],
  ['/?p=sri&t=2021-07-04T15:50:00Z', '/?p=sri&t=2021-07-04T15:50:00Z'],
  ['/analyse?c=melun&v=1#bas', '/analyse?c=melun&v=1#bas'],
  ['/multihydro/5c3f5d7e-0000-4000-8000-000000000000/espace?lieu=2.6,48.5,13', null],
  ['/analyse?retour=//ailleurs.example', '/analyse?retour=//ailleurs.example'],
  ['/x/../analyse', '/analyse'],
])('%s is a screen of this site', (path, kept) => {
  expect(ownPath(path)).toBe(kept ?? path)
})

test.each([
  'https://ailleurs.example/',
  '//ailleurs.example/',
  '/\\ailleurs.example',
  '\\\\ailleurs.example',
  '/..//ailleurs.example',
  '/%2e%2e//ailleurs.example',
  '/.//ailleurs.example',
  '/\t/ailleurs.example',
  '/\n/ailleurs.example',
  '/analyse\u0000',
  '/multihydro/%00',
  '/multihydro/%5c%5cailleurs.example',
  '/%2f/ailleurs.example',
  'javascript:alert(1)',
  'analyse',
  '',
  '/api/products',
  '/l/autre',
  '/embed/direct',
  '/images/mrr/x.png',
  '/inconnu',
  '/multihydro/%E0%A4%A',
  `/analyse?x=${'a'.repeat(2_000)}`,
])('%j is none', (path) => {
  expect(ownPath(path)).toBeNull()
})

test('whatever is kept stays on this site, as browsers read addresses', () => {
  const bits = fc.constantFrom(
    '/',
    '\\',
    '.',
    '..',
    '%2f',
    '%5c',
    '%2e',
    '@',
    ':',
    '?',
    '#',
    'analyse',
    'evil.example',
    '\t',
  )
  fc.assert(
    fc.property(fc.array(bits, { maxLength: 8 }), (parts) => {
      const kept = ownPath(`/${parts.join('')}`)
      if (kept === null) return
      const led = new URL(kept, 'https://radx.example/l/nom')
      expect(led.origin).toBe('https://radx.example')
      expect(led.pathname.startsWith('//')).toBe(false)
    }),
    { numRuns: 3_000 },
  )
})
