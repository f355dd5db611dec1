/** Teams, their keys and third-party credentials on the operator surface. */
import { isUuid } from '@les/contract'
import {
  changeTeam,
  closeTeam,
  clearCredential,
  createTeam,
  credentialKinds,
  makeKey,
  readKeepDays,
  readTeam,
  restoreTeam,
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
import { applyAll } from '../../modules/results/index.ts'
import type { Reader, Tx } from '../../platform/db/unit-of-work.ts'
import { refuse } from '../../platform/refusal.ts'
import { credential, newInvitation, newKey, newTeam, teamChange, testEvent } from './fields.ts'
import { serveTeamExport } from '../http/stream.ts'
import { answer, readFields, type OperatorParts, type OperatorRequest, type OperatorRoutes } from './route.ts'

const noTeam = () => refuse('not_found', {}, 'No such team')

/** A closed team cannot be changed until it is restored. */
async function openTeamOf(db: Reader, id: string): Promise<Team> {
  const team = (await readTeam(db, id)) ?? noTeam()
  return team.closedAt ? refuse('not_found', {}, 'This team is closed: POST /operator/teams/{id}/restore first') : team
}

const brief = (team: Team) => ({
  id: team.id,
  name: team.name,
  plan: team.plan,
  status: team.closedAt ? ('closed' as const) : team.status,
  trialEndsAt: team.trialEndsAt,
  ...(team.closedAt ? { closedAt: team.closedAt, endsAt: team.endsAt! } : {}),
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
  createdAt: team.createdAt,
  credits: await readCredits(db, team.id, now),
})

async function grant(tx: Tx, teamId: string, amount: number | undefined): Promise<void> {
  if (amount !== undefined) await topUp(tx, teamId, { amount, key: `operator:${tx.newId()}` })
}

async function makeTeam(parts: OperatorParts, body: Record<string, unknown>) {
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
    await openTeamOf(tx.db, id)
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
    await openTeamOf(tx.db, teamId)
    const { id, expiresAt } = await parts.invite(tx, { teamId, email, role })
    return { invitation: { id, email: email.toLowerCase(), role, expiresAt } }
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
    await openTeamOf(tx.db, id)
    if (key === null) await clearCredential(tx, id, kind)
    else await storeCredential(tx, { vault: parts.vault, teamId: id, kind, key })
    return { stored: key !== null }
  })
}

/** Closes a team; `?now=true` starts removing its rows, and the clock removes what this request does not reach. */
async function endTeam(parts: OperatorParts, id: string, query: OperatorRequest['query']) {
  const asked = new Map(query).get('now') ?? 'false'
  if (asked !== 'true' && asked !== 'false') return refuse('invalid_request', {}, '`now` must be true or false')
  const now = asked === 'true'
  const team = (await parts.unitOfWork((tx) => closeTeam(tx, id, { now }))) ?? noTeam()
  return { team: brief(team), gone: now && (await parts.endTeam(id)).gone }
}

/** The routes about teams. */
export function teamRoutes(parts: OperatorParts): OperatorRoutes {
  const idOf = (params: Readonly<Record<string, string>>) => (isUuid(params.id!) ? params.id!.toLowerCase() : noTeam())
  return {
    'POST /teams': async ({ body }) => answer(201, await makeTeam(parts, await body())),
    'GET /teams/{id}': async ({ params }) => {
      const team = (await readTeam(parts.db, idOf(params))) ?? noTeam()
      return answer(200, { team: await whole(parts.db, team, await parts.clock.now(parts.db)) })
    },
    'PATCH /teams/{id}': async ({ params, body }) => answer(200, await editTeam(parts, idOf(params), await body())),
    'DELETE /teams/{id}': async ({ params, query }) => answer(200, await endTeam(parts, idOf(params), query)),
    'POST /teams/{id}/restore': async ({ params }) => {
      const restored = await parts.unitOfWork(async (tx) => {
        const team = await restoreTeam(tx, idOf(params))
        if (team) await applyAll(tx, team.id)
        return team
      })
      return answer(200, { team: brief(restored ?? noTeam()) })
    },
    'GET /teams/{id}/export': async ({ params, raw, response }) => {
      const { id: teamId } = (await readTeam(parts.db, idOf(params))) ?? noTeam()
      await serveTeamExport(parts.exportTeam, { teamId, raw, response })
      return null
    },
    'POST /teams/{id}/keys': async ({ params, body }) => {
      const { name } = readFields(newKey, await body())
      const { key } = await parts.unitOfWork(async (tx) => {
        const { id: teamId } = await openTeamOf(tx.db, idOf(params))
        return await makeKey(tx, { ids: parts.ids, teamId, name })
      })
      return answer(201, { apiKey: key })
    },
    'POST /teams/{id}/invitations': async ({ params, body }) =>
      answer(201, await inviteInto(parts, idOf(params), await body())),
    'POST /teams/{id}/signing-secret': async ({ params }) => {
      const rotated = await parts.unitOfWork(async (tx) => {
        const { id: teamId } = await openTeamOf(tx.db, idOf(params))
        return await rotateSigningSecret(tx, { vault: parts.vault, ids: parts.ids, teamId })
      })
      return answer(200, { signingSecret: rotated ?? noTeam() })
    },
    'POST /teams/{id}/test-event': async ({ params, body }) => {
      const { sourceId } = readFields(testEvent, await body())
      await openTeamOf(parts.db, idOf(params))
      return answer(200, await parts.sendSample(idOf(params), sourceId))
    },
    'PUT /teams/{id}/credentials/{kind}': async ({ params, body }) =>
      answer(200, await putCredential(parts, { id: idOf(params), kindText: params.kind!, body: await body() })),
  }
}
