import type { Product } from '@radx/contracts/radar'
import { queryOptions } from '@tanstack/react-query'
import { callJson } from './api/client.ts'

export const productsQuery = queryOptions({
  queryKey: ['products'],
  queryFn: ({ signal }) => callJson<Product[]>('/api/products', { signal }),
})
