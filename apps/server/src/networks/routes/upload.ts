import { rm } from 'node:fs/promises'
import { NETWORK_UPLOAD_MAX, networkUploadedSchema } from '@radx/contracts'
import type { FastifyRequest } from 'fastify'
import { tellMore } from '../../audit/api.ts'
import { answersOf } from '../../threads/answers.ts'
import { takeAnswer } from '../answers.ts'
import { one, type Parts, receiveUpload, tags, uploadName, userOf } from './parts.ts'

export function registerUpload({ app, deps, networks }: Parts): void {
  const answers = answersOf(app, deps)
  /** Takes a body in and apart, and keeps it. */
  const take = async (request: FastifyRequest, file: string, into: string | null) => {
    const user = userOf(request)
    return receiveUpload(request, deps, NETWORK_UPLOAD_MAX, async (path) => {
      const dir = networks.stagingDir()
      try {
        const taken = await answers.make(takeAnswer, { path, name: file, dir }, request)
        tellMore(request, { name: file })
        return await networks.keep(user, nameOf(file), dir, taken, into)
      } finally {
        await rm(dir, { recursive: true, force: true })
      }
    })
  }
  const schema = {
    tags,
    consumes: ['application/octet-stream', 'application/zip'],
    querystring: uploadName,
    response: { 200: networkUploadedSchema },
  }
  app.post(
    '/api/networks',
    {
      schema: {
        ...schema,
        summary: 'Ajoute un réseau : un .inp, ou un zip d’un .inp et des fichiers qu’il nomme',
        description:
          'Un de ses réseaux qui porte déjà ce nom reçoit une nouvelle version, sauf si rien n’a changé.',
      },
    },
    (request) => take(request, request.query.name, null),
  )
  app.post(
    '/api/networks/:id/versions',
    { schema: { ...schema, summary: 'Ajoute une version à un réseau', params: one } },
    async (request) => {
      await networks.get(request.params.id, userOf(request))
      return take(request, request.query.name, request.params.id)
    },
  )
}

/** The name that a person gave a file, without folders and its ending. */
const nameOf = (file: string): string => {
  const name = file
    .replace(/^.*[/\\]/, '')
    .replace(/\.(inp|zip)$/i, '')
    .trim()
  return (name || 'Réseau').slice(0, 120)
}
