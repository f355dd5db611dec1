/** How a caller of the agent tools authenticates: an API key in one of three places, or a sign-in token (MCP-02..MCP-04). */
import type { IncomingHttpHeaders } from 'node:http'
import { findKeyOwner, type Statements } from '../../modules/accounts/index.ts'
import type { SignIn } from '../../sign-in/index.ts'
import type { Admission, RateBuckets } from '../admission.ts'
import type { Dispatch } from '../dispatch.ts'

type Credential = { readonly kind: 'key'; readonly key: string } | { readonly kind: 'token'; readonly token: string }

/** A recognised caller; every call of an operation is admitted and counted separately. */
export type Principal = {
  readonly id: string
  readonly teamId: string
  admit(buckets: RateBuckets, now: Date): Promise<Admission>
}

/** Interactive sign-in (MCP-03); every 401 points clients to its metadata (RFC 9728). Null: only keys are accepted. */
export type ToolSignIn = SignIn['tools'] | null

const single = (header: string | string[] | undefined): string | undefined =>
  Array.isArray(header) ? header[0] : header

/** Reads the credential: `X-API-Key` first, then `Authorization: Bearer`, then the last path segment. */
export function readCredential(headers: IncomingHttpHeaders, pathKey: string | undefined): Credential | null {
  const key = single(headers['x-api-key'])
  if (key !== undefined && key !== '') return { kind: 'key', key }
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1]
  if (bearer !== undefined)
    return bearer.startsWith('cs_') ? { kind: 'key', key: bearer } : { kind: 'token', token: bearer }
  return pathKey === undefined || pathKey === '' ? null : { kind: 'key', key: pathKey }
}

/** Finds the caller; null for a credential that is unknown, revoked, or of a kind not served here. */
export async function recognise(
  credential: Credential,
  parts: { readonly pool: Statements; readonly dispatch: Dispatch; readonly signIn: ToolSignIn },
): Promise<Principal | null> {
  if (credential.kind === 'token') {
    const guest = await parts.signIn?.authenticate(credential.token)
    return guest
      ? {
          id: `person ${guest.member.id}`,
          teamId: guest.teamId,
          admit: (buckets, now) => parts.dispatch.admitMember(guest, buckets, now),
        }
      : null
  }
  const owner = await findKeyOwner(parts.pool, credential.key)
  return (
    owner && {
      id: `key ${owner.keyId}`,
      teamId: owner.teamId,
      admit: (buckets, now) => parts.dispatch.admit(credential.key, buckets, now),
    }
  )
}

/** The `WWW-Authenticate` value of a 401. */
export function challenge(signIn: ToolSignIn): string {
  return signIn === null
    ? 'Bearer realm="lead-engagement-service"'
    : `Bearer realm="lead-engagement-service", resource_metadata="${signIn.resourceMetadata}", scope="leads"`
}
