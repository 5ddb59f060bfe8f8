import { NETWORK_RESULT_MAX, networkComparisonSchema } from '@radx/contracts'
import { z } from 'zod'
import { held, ofRun, type Parts, receiveUpload, tags, uploadName } from './parts.ts'

export function registerComparison({ app, deps, networks, sendJson }: Parts): void {
  const response = { 200: networkComparisonSchema }
  app.get(
    '/api/networks/runs/:jobId/compare',
    {
      schema: {
        summary: 'Compare un calcul à un autre, par les noms des nœuds et des liens',
        tags,
        params: ofRun,
        querystring: z.object({ with: z.uuid() }),
        response,
      },
    },
    async (request, reply) => {
      const { files: run } = await held(networks, request.params.jobId, request)
      const { files, run: other } = await held(networks, request.query.with, request)
      const name = `calcul du ${other.createdAt.slice(0, 10)}`
      return sendJson({ of: 'compare', run, other: { run: files, name } }, request, reply)
    },
  )
  app.post(
    '/api/networks/runs/:jobId/compare',
    {
      schema: {
        summary: 'Compare un calcul à un résultat d’EPA SWMM (.rpt ou .out), qui n’est pas gardé',
        tags,
        consumes: ['application/octet-stream'],
        params: ofRun,
        querystring: uploadName,
        response,
      },
    },
    async (request, reply) => {
      const { files: run } = await held(networks, request.params.jobId, request)
      return receiveUpload(request, deps, NETWORK_RESULT_MAX, async (path) =>
        sendJson({ of: 'compare', run, other: { path, name: request.query.name } }, request, reply),
      )
    },
  )
}
