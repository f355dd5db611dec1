/** Tools for building a receiver: the signature debugger and a sample event. Neither touches leads, deliveries or endpoints. */
import type { Ids } from '../../platform/random.ts'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { type SessionHandlers, readSigningSecrets } from '../accounts/index.ts'
import type { Vault } from '../../platform/secrets.ts'
import type { z } from 'zod'
import { attemptPost, type AttemptDeps, type Post } from './sending/attempt.ts'
import { debugSignature } from './rules/debug-signature.ts'
import { eventExamples, type leadDetected } from '@les/contract'
import { findSources } from './present.ts'
import { findWebhook } from './settings/store.ts'
import { isAccepted } from './rules/outcome.ts'
import { refuse } from '../../platform/refusal.ts'

export type SampleDeps = AttemptDeps & {
  readonly db: Reader
  readonly vault: Vault
  readonly ids: Ids
  readonly serviceNow: (db: Reader) => Promise<Date>
}

/** The receiver's reaction: accepted or not, status (null without an answer), time, and the start of the response. */
export type SampleSent = {
  readonly id: string
  readonly delivered: boolean
  readonly status: number | null
  readonly reason: string | null
  readonly elapsedMs: number
  readonly response: string | null
}

/** Sends a sample to a source's webhook; refuses `not_tracked` and `no_webhook`. Call outside any unit of work. */
export async function sendSample(deps: SampleDeps, teamId: string, sourceId: string): Promise<SampleSent> {
  const source = (await findSources(deps.db, teamId, [sourceId])).get(sourceId) ?? refuse('not_tracked')
  const webhook = await findWebhook(deps.db, teamId, sourceId)
  const url = webhook?.url ?? refuse('no_webhook')
  // An agent's webhook may be http (C19).
  const schemes: Post['schemes'] = webhook?.origin.agentId === null ? ['https'] : ['https', 'http']
  const { id, type, username } = source
  return post(deps, teamId, { url, schemes }, { id, type, username })
}

/** Sends a sample to a receiver of the whole team; its source is made up too. */
export const sendSampleTo = (deps: SampleDeps, teamId: string, url: string): Promise<SampleSent> =>
  post(deps, teamId, { url, schemes: ['https'] }, eventExamples['lead.detected'].source)

async function post(
  deps: SampleDeps,
  teamId: string,
  to: Pick<Post, 'url' | 'schemes'>,
  source: z.input<typeof leadDetected>['source'],
): Promise<SampleSent> {
  const now = await deps.serviceNow(deps.db)
  const id = deps.ids.uuid(now)
  const sentAt = now.toISOString()
  const event: z.input<typeof leadDetected> = { ...eventExamples['lead.detected'], id, sentAt, sample: true, source }
  const secrets = await readSigningSecrets(deps.db, { vault: deps.vault, teamId, now })
  const request = { ...to, id, event: event.event, body: Buffer.from(JSON.stringify(event)), secrets }
  const { ending, elapsedMs, response } = await attemptPost(deps, request, now)
  const shown = { id, elapsedMs: Math.round(elapsedMs), response }
  if (ending === 'interrupted') return { ...shown, delivered: false, status: null, reason: 'interrupted' }
  if (ending.kind === 'unanswered') return { ...shown, delivered: false, status: null, reason: ending.why }
  return { ...shown, delivered: isAccepted(ending), status: ending.status, reason: null }
}

const anyTime = new Date(0)

/** Makes the handlers. */
export function troubleshootOperations(deps: SampleDeps) {
  return {
    sendTestEvent: async ({ sourceId }, { caller, unitOfWork }) => {
      const sent = await sendSample(deps, caller.teamId, sourceId)
      return await unitOfWork(async () => sent)
    },
    debugSignature: async (input, { caller, db, now, unitOfWork }) => {
      const { current, previous } = await readSigningSecrets(db, { vault: deps.vault, teamId: caller.teamId, now })
      // Read as of 1970, so that the previous secret is returned however long ago it was replaced.
      const before = (await readSigningSecrets(db, { vault: deps.vault, teamId: caller.teamId, now: anyTime })).previous
      const report = debugSignature(input, { current, previous, retired: previous === null ? before : null }, now)
      return await unitOfWork(async () => report)
    },
  } satisfies Partial<SessionHandlers>
}
