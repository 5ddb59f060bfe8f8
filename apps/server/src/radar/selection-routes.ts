import { daySummarySchema, hourRowSchema, WEIGHT_SECONDS_PER_SLIDE, weightSchema } from '@radx/contracts'
import { list, shortText } from '@radx/contracts/bounds'
import { z } from 'zod'
import type { Catchments } from '../config/catchments.ts'
import type { App } from '../http/app.ts'
import { catchmentQuery, periodQuery, productQuery, spanOf, zoneOf } from './requests.ts'
import type { RadarService } from './service.ts'

/** Longest period that is only counted. */
const WEIGHT_MAX_DAYS = 366 * 100

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
        summary: "Nombre d'images d'une période",
        tags: ['radar'],
        querystring: periodQuery,
        response: { 200: weightSchema },
      },
    },
    async ({ query }) => {
      const service = await radar()
      const slides = await service.count(service.product(query), spanOf(query, WEIGHT_MAX_DAYS))
      return { slides, weight: slides * WEIGHT_SECONDS_PER_SLIDE }
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
        params: z.object({ month: z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/) }),
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
