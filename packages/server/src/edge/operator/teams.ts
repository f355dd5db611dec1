/** Teams, their keys and their third-party credentials on the operator surface. */
import { isUuid } from '@les/contract'
import {
  changeTeam,
  clearCredential,
  createTeam,
  credentialKinds,
  makeKey,
  readKeepDays,
  readTeam,
  saveKeepDays,
  rotateSigningSecret,
  storeCredential,
  type Team,
} from '../../modules/accounts/index.ts'
import {
  closeAgentTrial,
  followStatus,
  openAccount,
  readCredits,
  setAllowance,
  topUp,
} from '../../modules/credits/index.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { credential, newInvitation, newKey, newTeam, teamChange, testEvent } from './fields.ts'
import { answer, readFields, type OperatorParts, type OperatorRoute } from './route.ts'

const noTeam = () => refuse('not_found', {}, 'No such team')

const brief = (team: Team) => ({
  id: team.id,
  name: team.name,
  plan: team.plan,
  status: team.status,
  trialEndsAt: team.trialEndsAt?.toISOString() ?? null,
})

const whole = async (db: Reader, team: Team, now: Date) => ({
  ...brief(team),
  limits: team.limits,
  keywordDailyCeiling: team.keywordDailyCeiling,
  leadCap: team.leadCap,
  captureAllowed: team.captureAllowed,
  sourceCap: team.sourceCap,
  vendorCallsPerDay: team.vendorCallsPerDay,
  keepDays: await readKeepDays(db, team.id),
  createdAt: team.createdAt.toISOString(),
  credits: await readCredits(db, team.id, now),
})

/** Adds credits that do not lapse. */
async function grant(tx: Tx, teamId: string, amount: number | undefined): Promise<void> {
  if (amount !== undefined) await topUp(tx, teamId, { amount, key: `operator:${tx.newId()}` })
}

async function openTeam(parts: OperatorParts, body: Record<string, unknown>) {
  const wanted = readFields(newTeam, body)
  return await parts.unitOfWork(async (tx) => {
    const made = await createTeam(tx, parts, wanted)
    await openAccount(tx, made.team.id, { status: made.team.status, allowance: wanted.credits })
    if (wanted.keepDays) await saveKeepDays(tx, made.team.id, wanted.keepDays)
    await grant(tx, made.team.id, wanted.grantCredits)
    return { ...made, team: brief(made.team) }
  })
}

async function editTeam(parts: OperatorParts, id: string, body: Record<string, unknown>) {
  const wanted = readFields(teamChange, body)
  return await parts.unitOfWork(async (tx) => {
    const changed = await changeTeam(tx, id, wanted)
    if (!changed) return noTeam()
    const { before, after } = changed
    await followStatus(tx, id, { from: before.status, to: after.status })
    const statusChanged =
      before.plan !== after.plan ||
      before.status !== after.status ||
      before.trialEndsAt?.getTime() !== after.trialEndsAt?.getTime()
    if (statusChanged && after.status === 'active') await closeAgentTrial(tx, id)
    if (wanted.credits !== undefined) await setAllowance(tx, id, wanted.credits)
    await grant(tx, id, wanted.grantCredits)
    if (wanted.keepDays) await saveKeepDays(tx, id, wanted.keepDays)
    return { team: await whole(tx.db, after, tx.now) }
  })
}

async function inviteInto(parts: OperatorParts, teamId: string, body: Record<string, unknown>) {
  const { email, role } = readFields(newInvitation, body)
  return await parts.unitOfWork(async (tx) => {
    if (!(await readTeam(tx.db, teamId))) return noTeam()
    const { id, expiresAt } = await parts.invite(tx, { teamId, email, role })
    return { invitation: { id, email: email.toLowerCase(), role, expiresAt: expiresAt.toISOString() } }
  })
}

async function putCredential(
  parts: OperatorParts,
  { id, kindText, body }: { id: string; kindText: string; body: Record<string, unknown> },
) {
  const kind =
    credentialKinds.find((known) => known === kindText) ??
    refuse('not_found', {}, `No such credential: it is one of ${credentialKinds.join(', ')}`)
  const { key } = readFields(credential, body)
  return await parts.unitOfWork(async (tx) => {
    if (!(await readTeam(tx.db, id))) return noTeam()
    if (key === null) await clearCredential(tx, id, kind)
    else await storeCredential(tx, { vault: parts.vault, teamId: id, kind, key })
    return { stored: key !== null }
  })
}

/** The routes about teams. */
export function teamRoutes(parts: OperatorParts): readonly OperatorRoute[] {
  const idOf = (params: Readonly<Record<string, string>>) => (isUuid(params.id!) ? params.id!.toLowerCase() : noTeam())
  return [
    { method: 'POST', path: '/teams', serve: async ({ body }) => answer(201, await openTeam(parts, await body())) },
    {
      method: 'GET',
      path: '/teams/{id}',
      serve: async ({ params }) => {
        const team = (await readTeam(parts.db, idOf(params))) ?? noTeam()
        return answer(200, { team: await whole(parts.db, team, await parts.clock.now(parts.db)) })
      },
    },
    {
      method: 'PATCH',
      path: '/teams/{id}',
      serve: async ({ params, body }) => answer(200, await editTeam(parts, idOf(params), await body())),
    },
    {
      method: 'POST',
      path: '/teams/{id}/keys',
      serve: async ({ params, body }) => {
        const { name } = readFields(newKey, await body())
        const { key } = await parts.unitOfWork((tx) => makeKey(tx, { ids: parts.ids, teamId: idOf(params), name }))
        return answer(201, { apiKey: key })
      },
    },
    {
      method: 'POST',
      path: '/teams/{id}/invitations',
      serve: async ({ params, body }) => answer(201, await inviteInto(parts, idOf(params), await body())),
    },
    {
      method: 'POST',
      path: '/teams/{id}/signing-secret',
      serve: async ({ params }) =>
        answer(200, {
          signingSecret:
            (await parts.unitOfWork((tx) =>
              rotateSigningSecret(tx, { vault: parts.vault, ids: parts.ids, teamId: idOf(params) }),
            )) ?? noTeam(),
        }),
    },
    {
      method: 'POST',
      path: '/teams/{id}/test-event',
      serve: async ({ params, body }) => {
        const { sourceId } = readFields(testEvent, await body())
        if (!(await readTeam(parts.db, idOf(params)))) noTeam()
        return answer(200, await parts.sendSample(idOf(params), sourceId))
      },
    },
    {
      method: 'PUT',
      path: '/teams/{id}/credentials/{kind}',
      serve: async ({ params, body }) =>
        answer(200, await putCredential(parts, { id: idOf(params), kindText: params.kind!, body: await body() })),
    },
  ]
}
