import { ConfigError } from './config-error.ts'

/** An S3-compatible bucket. Holds a secret: never log it. */
export interface ObjectStoreSettings {
  bucket: string
  /** Before every key: empty, or ends in `/`. */
  prefix: string
  /** Base address of a service other than Amazon's, with the bucket in the path; null for Amazon's. */
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** Variables that describe the bucket; the names are those of the AWS tools. */
export const OBJECT_STORE_VARIABLES = [
  'STORE_URL',
  'AWS_ENDPOINT_URL',
  'AWS_REGION',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
] as const

/** @throws ConfigError; its message never holds a key */
export function readObjectStore(env: Record<string, string | undefined>): ObjectStoreSettings | null {
  const { STORE_URL: url, AWS_ENDPOINT_URL: endpoint } = env
  if (url === undefined) return null
  const fail = (variable: string, message: string) =>
    new ConfigError('environment', `Variable ${variable} : ${message}`, { variable })
  const parts = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]*))?$/.exec(url)
  if (!parts || parts[2]?.split('/').includes('..'))
    throw fail('STORE_URL', 'une adresse s3://seau/préfixe est attendue.')
  if (endpoint !== undefined && !/^https?:\/\/[^/?#@\s]+(\/[^?#\s]*)?$/.test(endpoint))
    throw fail('AWS_ENDPOINT_URL', 'une adresse http(s)://machine:port sans identifiants est attendue.')
  const [accessKeyId, secretAccessKey] = (['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'] as const).map(
    (name) => {
      if (env[name] === undefined) throw fail(name, 'elle manque ; STORE_URL en a besoin.')
      return env[name]
    },
  )
  const path = (parts[2] ?? '').replace(/^\/+|(?<!\/)\/+$/g, '')
  return {
    bucket: parts[1],
    prefix: path === '' ? '' : `${path}/`,
    endpoint: endpoint?.replace(/(?<!\/)\/+$/, '') ?? null,
    region: env.AWS_REGION ?? 'us-east-1',
    accessKeyId,
    secretAccessKey,
  }
}
