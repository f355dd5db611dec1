/** Keeps outside answers while their work fails unexpectedly: a paid page is not bought again. Keyed without the fence. */
import { sql, type Kysely } from 'kysely'
import type { Database } from '../platform/db/schema.ts'
import { countAffected } from '../platform/db/query.ts'
import type { Tx, UnitOfWork } from '../platform/db/unit-of-work.ts'
import { sha256 } from '../platform/secrets.ts'
import { currentStepContext, type Work } from '../platform/task-context.ts'
import type { AiJudge } from '../providers/ai/port.ts'
import type { Network } from '../providers/ports.ts'

/** Stores answers per piece of work, by the digest of their question. */
export type KeptAnswers = {
  /** In the unit that reschedules the work. */
  keep(tx: Tx, work: Work, answers: ReadonlyMap<string, unknown>): Promise<void>
  find(work: Work): Promise<ReadonlyMap<string, unknown>>
  forget(work: Work): Promise<void>
}

const maxBytes = 16 * 1_024 * 1_024
/** Far beyond the longest wait between two attempts, two hours. */
const keptForMs = 24 * 3_600_000

/** Opens the table `kept_answer`. */
export function openKeptAnswers(parts: {
  readonly db: Kysely<Database>
  readonly unitOfWork: UnitOfWork
}): KeptAnswers {
  return {
    keep: async (tx, { teamId, rowKind, id }, answers) => {
      // As bytes: text that a text or JSON column refuses may be why the work fails.
      const rows = [...answers].map(([question, answer]) => ({
        question: Buffer.from(question, 'hex'),
        answer: Buffer.from(JSON.stringify(answer)),
      }))
      if (rows.length === 0 || rows.reduce((sum, row) => sum + row.answer.length, 0) > maxBytes) return
      await sql`
        insert into kept_answer (team_id, work, work_id, question, answer, kept_at)
        select ${teamId}, ${rowKind}, ${id}, q, a, ${tx.now}
        from unnest(${rows.map((row) => row.question)}::bytea[],
            ${rows.map((row) => row.answer)}::bytea[]) as kept (q, a)
        on conflict (team_id, work, work_id, question) do update set kept_at = excluded.kept_at`.execute(tx.db)
    },
    find: async ({ teamId, rowKind, id }) => {
      const { rows } = await sql<{ question: Buffer; answer: Buffer }>`
        select question, answer from kept_answer
        where team_id = ${teamId} and work = ${rowKind} and work_id = ${id}`.execute(parts.db)
      return new Map(rows.map((row) => [row.question.toString('hex'), JSON.parse(row.answer.toString()) as unknown]))
    },
    forget: async ({ teamId, rowKind, id }) => {
      await parts.unitOfWork(async (tx) => {
        await sql`
          delete from kept_answer where team_id = ${teamId} and work = ${rowKind} and work_id = ${id}`.execute(tx.db)
      })
    },
  }
}

/** Deletes all kept answers of a team. */
export async function forgetAnswersOf(tx: Tx, teamId: string): Promise<void> {
  await sql`delete from kept_answer where team_id = ${teamId}`.execute(tx.db)
}

/** Deletes answers that are a day old, at most `limit`; returns how many. */
export const purgeKeptAnswers = (tx: Tx, limit: number) =>
  countAffected(tx.db)`
    delete from kept_answer k using (
      select team_id, work, work_id, question from kept_answer
      where kept_at <= ${new Date(tx.now.getTime() - keptForMs)} order by kept_at limit ${limit}) old
    where k.team_id = old.team_id and k.work = old.work and k.work_id = old.work_id
      and k.question = old.question`

/** Asks, unless an earlier attempt of the step's work got an answer to the same question. */
async function onceAnswered<T>(kept: KeptAnswers, question: readonly unknown[], ask: () => Promise<T>): Promise<T> {
  const context = currentStepContext()
  const work = context?.work
  if (!context || !work) return ask()
  const digest = sha256(JSON.stringify(question)).toString('hex')
  if (work.failures > 0) {
    const earlier = await (context.kept ??= kept.find(work))
    if (earlier.has(digest)) {
      const answer = earlier.get(digest) as T
      context.answers.set(digest, answer)
      return answer
    }
  }
  const answer = await ask()
  context.answers.set(digest, answer)
  return answer
}

/** A network that does not repeat a question after an unexpected failure; call options are not part of the question. */
export function cachingNetwork(network: Network, kept: KeptAnswers): Network {
  const once = <T>(question: readonly unknown[], ask: () => Promise<T>) => onceAnswered(kept, question, ask)
  return {
    roleOf: (source) => network.roleOf(source),
    callsAtOnce: () => network.callsAtOnce(),
    resolveHandle: (handle, options) => once(['resolveHandle', handle], () => network.resolveHandle(handle, options)),
    profile: (who, options) => once(['profile', who], () => network.profile(who, options)),
    company: (which, options) => once(['company', which], () => network.company(which, options)),
    posts: (of, at, options) => once(['posts', of, at], () => network.posts(of, at, options)),
    post: (urn, options) => once(['post', urn], () => network.post(urn, options)),
    reactions: (post, at, options) => once(['reactions', post.urn, at], () => network.reactions(post, at, options)),
    comments: (post, at, options) => once(['comments', post.urn, at], () => network.comments(post, at, options)),
    replies: (post, from, ref, options) =>
      once(['replies', post.urn, from, ref], () => network.replies(post, from, ref, options)),
    searchPosts: (search, at, options) =>
      once(['searchPosts', search, at], () => network.searchPosts(search, at, options)),
  }
}

/** A judge that does not repeat a question after an unexpected failure; the team's key is not part of the question. */
export function cachingJudge(judge: AiJudge, kept: KeptAnswers): AiJudge {
  return {
    judge: (question) =>
      onceAnswered(kept, ['judge', question.vendor, question.model, question.prompt, question.posts], () =>
        judge.judge(question),
      ),
    check: (vendor, key, options) => judge.check(vendor, key, options),
  }
}
