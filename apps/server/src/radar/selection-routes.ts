import { daySummarySchema, hourRowSchema, PERIOD_MAX_DAYS, weightSchema } from '@radx/contracts'
import { list, shortText } from '@radx/contracts/bounds'
import { z } from 'zod'
import type { Catchments } from '../config/catchments.ts'
import type { App } from '../http/app.ts'
import {
  catchmentQuery,
  periodQuery,
  productQuery,
  spanOf,
  stepQuery,
  zoneOf,
} from '../http/rain-requests.ts'
import type { RadarService } from './service.ts'

/** What the choice of a period shows: months, days and hours that have images, and how many there are. */
export function registerSelection(
  app: App,
  catchments: Catchments,
  radar: () => Promise<RadarService>,
): void {
  app.get(
    '/api/products/weight',
    {
      schema: {
        summary: "Nombre d'images d'une période, et leur poids en octets",
        tags: ['radar'],
        querystring: periodQuery.extend(stepQuery),
        response: { 200: weightSchema },
      },
    },
    async ({ query }) => {
      const service = await radar()
      return service.weight(service.product(query), spanOf(query, PERIOD_MAX_DAYS), query.step)
    },
  )

  app.get(
    '/api/products/hours/:day',
    {
      schema: {
        summary: "Images d'un jour civil",
        tags: ['radar'],
        params: z.object({ day: z.iso.date() }),
        querystring: productQuery.extend(catchmentQuery),
        response: { 200: list(hourRowSchema) },
      },
    },
    async ({ params, query }) => {
      const service = await radar()
      return service.hours(service.product(query), params.day, zoneOf(catchments, query))
    },
  )

  app.get(
    '/api/products/month/:month',
    {
      schema: {
        summary: "Jours d'un mois civil qui ont des images",
        tags: ['radar'],
        params: z.object({
          month: z
            .string()
            .regex(/^[1-8]\d{3}-(0[1-9]|1[0-2])$/, 'un mois s’écrit AAAA-MM, par exemple 2026-06'),
        }),
        querystring: productQuery.extend(catchmentQuery),
        response: { 200: list(daySummarySchema) },
      },
    },
    async ({ params, query }) => {
      const service = await radar()
      zoneOf(catchments, query)
      return service.month(service.product(query), params.month)
    },
  )

  app.get(
    '/api/products/months',
    {
      schema: {
        summary: 'Mois civils qui ont des images (AAAA-MM)',
        tags: ['radar'],
        querystring: productQuery,
        response: { 200: list(shortText()) },
      },
    },
    async ({ query }) => {
      const service = await radar()
      return service.months(service.product(query))
    },
  )
}
