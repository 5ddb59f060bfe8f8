import { expect, test } from 'vitest'
import { featureName } from './names.ts'

test('[MAP-17] a feature is named by its Text, else by its node_id', () => {
  expect(featureName({ Text: 'Rue A', node_id: 'J1' })).toBe('Rue A')
  expect(featureName({ Text: ' ', node_id: 12 })).toBe('12')
  expect(featureName({ Text: null, node_id: 0 })).toBe('0')
  expect(featureName({ name: 'x' })).toBeNull()
})
