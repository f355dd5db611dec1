/** Handlers of the dashboard's settings: team, third-party keys, signing secret (AUT-17, AIF-02, OUT-01; DSH-02..DSH-04). */
import type { Answer, SessionOperationOf } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import type { SessionHandlers } from './handler.ts'
import type { Ids } from '../../platform/random.ts'
import { refuse } from '../../platform/refusal.ts'
import type { Vault } from '../../platform/secrets.ts'
import { closeTeam } from './closing.ts'
import { changeTeam, rotateSigningSecret } from './actions.ts'
import { findTeam } from './team.ts'
import {
  clearCredential,
  credentialKinds,
  storeCredential,
  findTeamSecrets,
  listCredentials,
  type CredentialKind,
} from './secrets.ts'
import { AiFailure, type AiJudge } from '../../providers/ai/port.ts'
import { OutreachFailure, type OutreachPlatform } from '../../providers/outreach/port.ts'

type Settings = Answer<SessionOperationOf<'getSettings'>>

/** `readCredits` is injected, because credits is a higher module. */
type SettingsDeps = KeyCheckers & {
  readonly vault: Vault
  readonly ids: Ids
  readonly readCredits: (db: Reader, teamId: string, now: Date) => Promise<Settings['credits']>
}

const kindOf = (text: string): CredentialKind =>
  credentialKinds.find((known) => known === text) ??
  refuse('not_found', {}, `No such key: it is one of ${credentialKinds.join(', ')}`)

async function presentSettings(
  db: Reader,
  { deps, teamId, now }: { deps: SettingsDeps; teamId: string; now: Date },
): Promise<Settings> {
  const team = (await findTeam(db, teamId)) ?? refuse('not_found')
  const { previousSecretUntil } = (await findTeamSecrets(db, teamId)) ?? refuse('not_found')
  const stored = new Map((await listCredentials(db, teamId)).map((each) => [each.kind, each.storedAt]))
  return {
    team,
    credits: await deps.readCredits(db, teamId, now),
    credentials: credentialKinds.map((kind) => ({
      kind,
      stored: stored.has(kind),
      storedAt: stored.get(kind) ?? null,
    })),
    signing: {
      rotatingUntil: previousSecretUntil !== null && previousSecretUntil > now ? previousSecretUntil : null,
    },
  }
}

export function settingsOperations(deps: SettingsDeps) {
  return {
    getSettings: (_input, { caller, db, now }) => presentSettings(db, { deps, teamId: caller.teamId, now }),
    renameTeam: (input, { caller, unitOfWork }) =>
      unitOfWork(async (tx) => {
        const changed = (await changeTeam(tx, caller.teamId, { name: input.name })) ?? refuse('not_found')
        return { name: changed.after.name }
      }),
    closeTeam: (_input, { caller, unitOfWork }) =>
      unitOfWork(async (tx) => {
        const { closedAt, endsAt } = (await closeTeam(tx, caller.teamId, { now: false })) ?? refuse('not_found')
        return { closedAt: closedAt!, endsAt: endsAt! }
      }),
    putCredential: async (input, { caller, unitOfWork }) => {
      const kind = kindOf(input.kind)
      const verdict = await tryKey(deps, kind, input.key)
      if (verdict === 'rejected') return refuse('credential_rejected')
      return unitOfWork(async (tx) => {
        if (!(await storeCredential(tx, { vault: deps.vault, teamId: caller.teamId, kind, key: input.key })))
          return refuse('not_found')
        return { credential: { kind, stored: true, storedAt: tx.now }, checked: verdict === 'good' }
      })
    },
    deleteCredential: (input, { caller, unitOfWork }) =>
      unitOfWork(async (tx) => {
        const kind = kindOf(input.kind)
        await clearCredential(tx, caller.teamId, kind)
        return { credential: { kind, stored: false, storedAt: null } }
      }),
    rotateSecret: (_input, { caller, unitOfWork }) =>
      unitOfWork(async (tx) => {
        const signingSecret =
          (await rotateSigningSecret(tx, { vault: deps.vault, ids: deps.ids, teamId: caller.teamId })) ??
          refuse('not_found')
        const { previousSecretUntil } = (await findTeamSecrets(tx.db, caller.teamId))!
        return { signingSecret, rotatingUntil: previousSecretUntil! }
      }),
  } satisfies Partial<SessionHandlers>
}

type KeyCheckers = {
  readonly judge: Pick<AiJudge, 'check'>
  readonly platform: Pick<OutreachPlatform, 'checkKey'>
}

/** `unknown`: the third party gave no verdict. */
type KeyVerdict = 'good' | 'rejected' | 'unknown'

/** Checks a key with the third party's cheapest call. */
async function tryKey({ judge, platform }: KeyCheckers, kind: CredentialKind, key: string): Promise<KeyVerdict> {
  try {
    await (kind === 'outreach' ? platform.checkKey(key) : judge.check(kind, key))
    return 'good'
  } catch (error) {
    if (error instanceof AiFailure) return error.kind === 'key' ? 'rejected' : 'unknown'
    if (error instanceof OutreachFailure) return error.kind === 'invalid_key' ? 'rejected' : 'unknown'
    throw error
  }
}
