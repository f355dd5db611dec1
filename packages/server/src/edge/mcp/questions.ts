/**
 * Questions before a tool spends. The question travels sealed under the team's data key, with a hash of the exact arguments and
 * an end; PostgreSQL remembers which were answered with yes, so that a yes counts once over all processes.
 */
import { canonical, type SpendQuestion, type SpendQuestions } from '@les/mcp'
import { openForTeam, sealForTeam } from '../../modules/accounts/index.ts'
import type { Tx } from '../../platform/db/unit-of-work.ts'
import { sha256 } from '../../platform/secrets.ts'
import type { DispatchParts } from '../dispatch.ts'

/** How long a question waits for its answer, in service time. */
export const questionMs = 600_000

const place = 'tool-spend-question'

type Sealed = { readonly id: string; readonly about: string; readonly until: number }

const aboutOf = (question: SpendQuestion) =>
  sha256(JSON.stringify([question.operationId, canonical(question.input)])).toString('hex')

/** The questions of one team. */
export function questionsOf(
  parts: Pick<DispatchParts, 'db' | 'clock' | 'vault' | 'ids' | 'unitOfWork'>,
  teamId: string,
): SpendQuestions {
  return {
    ask: async (question) => {
      const now = await parts.clock.now(parts.db)
      const sealed: Sealed = { id: parts.ids.uuid(now), about: aboutOf(question), until: now.getTime() + questionMs }
      return (await sealForTeam(parts.db, parts.vault, teamId, place, JSON.stringify(sealed))).toString('base64url')
    },
    take: async (state, question) => {
      const opened = await openForTeam(parts.db, parts.vault, teamId, place, Buffer.from(state, 'base64url'))
      if (opened === null) return 'other'
      const asked = JSON.parse(opened) as Sealed
      if (asked.about !== aboutOf(question)) return 'other'
      return await parts.unitOfWork(async (tx) => {
        if (asked.until <= tx.now.getTime()) return 'expired'
        const { numInsertedOrUpdatedRows } = await tx.db
          .insertInto('tool_spend_answer')
          .values({ team_id: teamId, question_id: asked.id, expires_at: new Date(asked.until) })
          .onConflict((conflict) => conflict.columns(['team_id', 'question_id']).doNothing())
          .executeTakeFirst()
        return numInsertedOrUpdatedRows === 1n ? 'yours' : 'used'
      })
    },
  }
}

/** Forgets at most `limit` answers whose questions have ended: sealed ends are judged first, so they can never count again. */
export async function purgeSpendAnswers(tx: Tx, limit = 10_000): Promise<number> {
  const { numDeletedRows } = await tx.db
    .deleteFrom('tool_spend_answer')
    .where((of) =>
      of(
        of.refTuple('team_id', 'question_id'),
        'in',
        of
          .selectFrom('tool_spend_answer')
          .select(['team_id', 'question_id'])
          .where('expires_at', '<=', tx.now)
          .orderBy('expires_at')
          .limit(limit)
          .$asTuple('team_id', 'question_id'),
      ),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
