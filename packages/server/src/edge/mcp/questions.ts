/**
 * Questions asked before a tool spends. The token seals an expiry and hashes of arguments and costs under the team's data key;
 * PostgreSQL remembers answered ones, so that a yes counts once over all processes.
 */
import { sql } from 'kysely'
import { canonical, type SpendQuestion, type SpendQuestions } from '@les/mcp'
import { openForTeam, sealForTeam } from '../../modules/accounts/index.ts'
import { countAffected } from '../../platform/db/query.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { DispatchParts } from '../dispatch.ts'

/** How long a question can be answered, in service time. */
const questionMs = 600_000

const place = 'tool-spend-question'

/** 16 characters: 96 bits tell calls apart, and a model has to copy the token. */
const hashed = (value: unknown): string =>
  sha256(JSON.stringify(canonical(value)))
    .toString('base64url')
    .slice(0, 16)

const aboutOf = ({ operationId, input }: SpendQuestion): string => hashed([operationId, input])

/** The spend questions of one team. */
export function questionsOf(
  parts: Pick<DispatchParts, 'db' | 'clock' | 'vault' | 'ids' | 'unitOfWork'>,
  teamId: string,
): SpendQuestions {
  return {
    ask: async (question, costs) => {
      const now = await parts.clock.now(parts.db)
      const untilMs = now.getTime() + questionMs
      const sealed = [parts.ids.uuid(now), untilMs.toString(36), aboutOf(question), hashed(costs)].join(' ')
      return (await sealForTeam(parts.db, { vault: parts.vault, teamId, place, plain: sealed })).toString('base64url')
    },
    redeem: async (token, question) => {
      const opened = await openForTeam(parts.db, {
        vault: parts.vault,
        teamId,
        place,
        sealed: Buffer.from(token, 'base64url'),
      })
      const [id, until, about, costs] = opened?.split(' ') ?? []
      if (id === undefined || until === undefined || costs === undefined || about !== aboutOf(question)) return 'other'
      const expiresAt = new Date(Number.parseInt(until, 36))
      return await parts.unitOfWork(async (tx) => {
        if (expiresAt <= tx.now) return 'expired'
        const { numAffectedRows } = await sql`
          insert into tool_spend_answer (team_id, question_id, expires_at) values (${teamId}, ${id}, ${expiresAt})
          on conflict (team_id, question_id) do nothing`.execute(tx.db)
        return numAffectedRows === 1n ? { holdsFor: (now) => hashed(now) === costs } : 'used'
      })
    },
  }
}

/** Deletes at most `limit` answers of expired questions. `redeem` checks the sealed expiry first, so none can be used again. */
export const purgeSpendAnswers = (tx: Tx, limit = 10_000) =>
  countAffected(tx.db)`
    delete from tool_spend_answer where (team_id, question_id) in (
      select team_id, question_id from tool_spend_answer where expires_at <= ${tx.now}
      order by expires_at limit ${limit})`
