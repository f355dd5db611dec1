import { createPrivateKey, createSign } from 'node:crypto'
import { z } from 'zod'
import { parseJson } from '../../calls.ts'
import { commonFailure, platformFailure, type Platform } from '../http.ts'
import type { AdapterParts, DestinationTrouble } from '../port.ts'

const scope = 'https://www.googleapis.com/auth/spreadsheets'
const usualTokenUrl = 'https://oauth2.googleapis.com'

const howTo = 'give the JSON key file of a service account as Google Cloud makes it, as an object or as its text'

const account = z
  .looseObject(
    {
      client_email: z.email(`${howTo}: \`client_email\` is missing`).max(320),
      private_key: z.string(`${howTo}: \`private_key\` is missing`).max(10_000),
      private_key_id: z.string().max(200).optional(),
    },
    howTo,
  )
  .transform(({ client_email, private_key, private_key_id }) => ({
    client_email,
    // Copied from JSON by hand it contains escaped line breaks.
    private_key: private_key.replaceAll('\\n', '\n'),
    private_key_id,
  }))
  .refine(({ private_key }) => isRsaKey(private_key), `${howTo}: \`private_key\` is no RSA key in PEM`)

export type ServiceAccount = z.output<typeof account>

/** Reads a key file, as an object or JSON text. */
export const serviceAccount = z.preprocess((value) => {
  if (typeof value !== 'string') return value
  return value.length > 20_000 ? undefined : parseJson(value)
}, account)

function isRsaKey(pem: string): boolean {
  try {
    return createPrivateKey(pem).asymmetricKeyType === 'rsa'
  } catch {
    return false
  }
}

/** The secrets that messages must not repeat. */
export const secretsOf = ({ private_key, private_key_id = '' }: ServiceAccount): readonly string[] => [
  private_key,
  private_key_id,
]

const tokenShape = z.object({ access_token: z.string().min(1).max(4_000) })
const errorShape = z.looseObject({ error: z.string(), error_description: z.string().optional() })

const troubles: Readonly<Record<string, DestinationTrouble>> = {
  invalid_grant: 'auth_revoked',
  invalid_client: 'auth_revoked',
  unauthorized_client: 'auth_revoked',
  account_disabled: 'auth_revoked',
  access_denied: 'auth_revoked',
  invalid_scope: 'scope_missing',
}

/** Exchanges a signed JWT of the service account for a token of one hour. */
export async function accessToken({ call, tokenUrl, now }: AdapterParts, by: ServiceAccount): Promise<string> {
  const url = tokenAddress(tokenUrl ?? usualTokenUrl)
  const assertion = statement(by, { audience: url, now })
  const platform: Platform = { name: 'Google', secrets: [assertion, ...secretsOf(by)] }
  const answer = await call({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
    body: new URLSearchParams({ grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion }).toString(),
    isRead: true,
  })
  const json = parseJson(answer.body)
  const refusal = errorShape.safeParse(json)
  const trouble = refusal.success ? troubles[refusal.data.error] : undefined
  if (refusal.success && trouble && answer.status < 500) {
    const words = refusal.data.error_description ?? refusal.data.error
    const missing = trouble === 'scope_missing' ? [scope] : []
    throw platformFailure(platform, trouble, 'refuses the service account', { words, missing })
  }
  const failure = commonFailure(platform, answer, now)
  if (failure) throw failure
  const read = tokenShape.safeParse(json)
  if (answer.status < 300 && read.success) return read.data.access_token
  const isRefused = refusal.success && answer.status >= 400
  const what = `gives no token (HTTP ${answer.status})`
  throw platformFailure(platform, isRefused ? 'auth_revoked' : 'unavailable', what)
}

/** The setting may be Google's host or the whole URL. */
const tokenAddress = (base: string): string => (base.endsWith('/token') ? base : `${base}/token`)

function statement(by: ServiceAccount, { audience, now }: { readonly audience: string; readonly now: Date }): string {
  const seconds = Math.floor(now.getTime() / 1_000)
  const head = { alg: 'RS256', typ: 'JWT', ...(by.private_key_id === undefined ? {} : { kid: by.private_key_id }) }
  const claims = { iss: by.client_email, scope, aud: audience, iat: seconds, exp: seconds + 3_600 }
  const text = [head, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')).join('.')
  return `${text}.${createSign('RSA-SHA256').update(text).sign(by.private_key, 'base64url')}`
}
