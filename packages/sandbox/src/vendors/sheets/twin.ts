import { createPublicKey, createVerify } from 'node:crypto'
import { z } from 'zod'
import { objectIn, ok, readBody, type Exchange, type Reply } from '../exchange.ts'
import { playCall } from '../serve.ts'
import type { Twin } from '../twin.ts'
import type { Answering } from '../vendor.ts'
import { serveSheets, SHEETS_BASE } from './serve.ts'
import { openDrive, type Drive } from './workbooks.ts'

const TOKEN_BASE = '/google-oauth'

const GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer'
const MAX_BODY = 64 * 1024

/** A manual change of a service account; registering its public key turns signature checks on. */
const accountChange = z.union([z.strictObject({ publicKey: z.string() }), z.strictObject({ revoked: z.boolean() })])
const bookChange = z.union([
  z.strictObject({ rename: z.string(), to: z.string() }),
  z.strictObject({ remove: z.string() }),
  z.strictObject({ tab: z.string(), rows: z.array(z.array(z.union([z.string(), z.number(), z.boolean()]))) }),
])

/** Two twins on one drive: sheets (by spreadsheet id) and tokens (by service account address). */
export function createGoogle() {
  const drive = openDrive()
  return {
    google_sheets: {
      prefix: SHEETS_BASE,
      serve: (exchange) => serveSheets(drive, exchange),
      view: (id) => ({ tabs: drive.book(id).tabs }),
      change(id, change) {
        const read = bookChange.parse(change)
        const book = drive.book(id)
        if ('rename' in read) for (const tab of book.tabs) tab.title = tab.title === read.rename ? read.to : tab.title
        else if ('remove' in read) book.tabs = book.tabs.filter(({ title }) => title !== read.remove)
        else {
          const tab = book.tabs.find(({ title }) => title === read.tab)
          if (tab) tab.rows = read.rows
          else book.tabs.push({ title: read.tab, rows: read.rows })
        }
      },
      clear: () => drive.clear(),
    } satisfies Twin,
    google_token: {
      prefix: TOKEN_BASE,
      serve: (exchange) => serveToken(drive, exchange),
      view: (email) => ({ tokens: [...drive.tokens.values()].filter((token) => token.email === email) }),
      change(email, change) {
        const read = accountChange.parse(change)
        if ('publicKey' in read) drive.keys.set(email, read.publicKey)
        else if (read.revoked) drive.revoked.add(email)
        else drive.revoked.delete(email)
      },
      clear: () => drive.clear(),
    } satisfies Twin,
  }
}

/**
 * Google's token endpoint: exchanges a service account's signed assertion for an hour's access. Any account works, but one with
 * `revoked` in its address is unknown, and one with `no-sheets-scope` gets tokens without the scope.
 */
async function serveToken(drive: Drive, exchange: Exchange): Promise<void> {
  const { inside, request } = exchange
  const { clock } = inside
  const form = new URLSearchParams(await readBody(request, MAX_BODY))
  const refused = (error: string, error_description: string): Reply => ({
    status: 400,
    body: { error, error_description },
  })
  const answer = (): Reply => {
    if (form.get('grant_type') !== GRANT) return refused('unsupported_grant_type', 'Invalid grant_type')
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.')
    const { alg } = part(head)
    const { iss, scope, aud, iat, exp } = part(claims)
    const now = clock.now().getTime() / 1_000
    if (alg !== 'RS256' || typeof iss !== 'string' || !iss.includes('@') || signature.length < 300)
      return refused('invalid_grant', 'Invalid JWT Signature.')
    if (typeof iat !== 'number' || typeof exp !== 'number' || exp - iat > 3_600 || Math.abs(iat - now) > 300)
      return refused('invalid_grant', 'Invalid JWT: Token must be a short-lived token in a reasonable timeframe.')
    if (typeof aud !== 'string' || !aud.endsWith(`${TOKEN_BASE}/token`))
      return refused('invalid_grant', 'Invalid JWT: bad audience.')
    if (iss.includes('revoked') || drive.revoked.has(iss)) return refused('invalid_grant', 'account not found')
    const key = drive.keys.get(iss)
    const isSigned =
      key === undefined ||
      createVerify('RSA-SHA256')
        .update(`${head}.${claims}`)
        .verify(createPublicKey(key), Buffer.from(signature, 'base64url'))
    if (!isSigned) return refused('invalid_grant', 'Invalid JWT Signature.')
    const token = `ya29.sandbox-${drive.tokens.size + 1}`
    const scopes = iss.includes('no-sheets-scope') ? '' : String(scope)
    drive.tokens.set(token, { email: iss, scopes, expiresAt: now + 3_600 })
    return ok({ access_token: token, expires_in: 3_599, token_type: 'Bearer' })
  }
  const vendor: Answering = {
    name: 'google-token',
    answer,
    failure: (status, message) => ({ status, body: { error: 'internal_failure', error_description: message } }),
    failureIn200: () => ok({ error: 'invalid_grant' }),
    notFound: () => refused('invalid_grant', 'not found'),
  }
  await playCall(vendor, exchange, { operation: 'token', query: {}, refusal: undefined })
}

const part = (text: string): Record<string, unknown> => objectIn(Buffer.from(text, 'base64url').toString()) ?? {}
