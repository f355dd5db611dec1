/**
 * Handlers that try a search out before it is tracked: an expression as it is typed, and the filters on posts that are
 * stored. Nothing is written, no credit is charged.
 */
import type { Answer, Input, SessionOperationOf } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { Refusal, refuse } from '../../platform/refusal.ts'
import type { Vault } from '../../platform/secrets.ts'
import { AiFailure, type AiJudge, type AiVerdict } from '../../providers/ai/port.ts'
import { comeBackHeaders } from '../../providers/ports.ts'
import { readCredential, type SessionHandlers } from '../accounts/index.ts'
import { findSource, type Source } from '../sources/index.ts'
import { judgeAll } from './ask-judge.ts'
import {
  canonicalText,
  judgeByExpression,
  missesBy,
  parseExpression,
  requiredTerms,
  warningsOf,
  type Expression,
} from './rules/expression.ts'
import type { Judgement } from './rules/terms.ts'
import { listJudgedPosts, listNewestPosts, type StoredPost } from './stored-posts.ts'
import { compareWords, type WordDifference } from './word-difference.ts'

/** What the handlers ask. */
export type TryOutDeps = { readonly judge: Pick<AiJudge, 'judge'>; readonly vault: Vault }

type Sent = Input<SessionOperationOf<'backtestKeyword'>>
type Asked = NonNullable<Sent['ai']>

/** Characters shown of a post; it is judged by all of its text. */
const shownText = 600

function readExpression(text: string): Expression {
  const parsed = parseExpression(text)
  return parsed.ok ? parsed.expression : refuse('invalid_request', {}, `\`expression\` is malformed. ${parsed.message}`)
}

/** The search that is named, if any, and the posts: those it has judged, or the newest of the team. */
async function readPosts(
  db: Reader,
  teamId: string,
  { sourceId, compareWith, posts }: Sent,
): Promise<{ posts: StoredPost[]; search: Source | undefined }> {
  const id = sourceId ?? compareWith
  if (id === undefined)
    return { posts: await listNewestPosts(db, { teamId, sourceId: null, limit: posts }), search: undefined }
  const search =
    (await findSource(db, teamId, { id, type: 'keyword' })) ?? refuse('not_found', {}, 'No such keyword search')
  return {
    posts:
      sourceId === undefined
        ? await listNewestPosts(db, { teamId, sourceId: search.id, limit: posts })
        : await listJudgedPosts(db, { teamId, sourceId: search.id, limit: posts }),
    search,
  }
}

/** What the vendor's silence means to whoever asked. */
function refuseFailure(failure: AiFailure): never {
  if (failure.kind === 'key')
    return refuse('credential_rejected', {}, `${failure.message} Store a working key under Settings.`)
  if (failure.kind === 'model') return refuse('invalid_request', {}, failure.message)
  throw new Refusal(
    'provider_unavailable',
    {},
    `${failure.message} Nothing was changed and nothing was charged: try again.`,
    comeBackHeaders(failure),
  )
}

async function askVendor({
  judge,
  ai,
  key,
  posts,
}: {
  readonly judge: TryOutDeps['judge']
  readonly ai: Asked
  readonly key: string
  readonly posts: readonly StoredPost[]
}): Promise<Map<string, AiVerdict>> {
  const asked = posts.map(({ urn, text, author, headline }) => ({ id: urn, text: text ?? '', author, headline }))
  try {
    return await judgeAll(judge, { vendor: ai.provider, model: ai.model, key, prompt: ai.prompt }, asked)
  } catch (error) {
    if (error instanceof AiFailure) return refuseFailure(error)
    throw error
  }
}

type Judged = { readonly post: StoredPost; readonly judgement: Judgement; readonly missesBy: string | null }

/** Posts as an expression judges them; without one all are kept. */
const judgeByWords = (posts: readonly StoredPost[], expression: Expression | null): Judged[] =>
  posts.map((post) => ({
    post,
    judgement: expression === null ? { kept: true } : judgeByExpression(expression, post.text ?? ''),
    missesBy: expression === null ? null : missesBy(expression, post.text ?? ''),
  }))

const presentPost = (
  { post: { urn, url, text, author, postedAt, before, engagement }, judgement, missesBy }: Judged,
  verdict: AiVerdict | undefined,
  keepsNow: WordDifference['keepsNow'] | undefined,
) => ({
  urn,
  url,
  author,
  postedAt: postedAt?.toISOString() ?? null,
  text: (text ?? '').slice(0, shownText).toWellFormed(),
  kept: judgement.kept && (verdict?.keep ?? true),
  reason: judgement.kept ? verdict?.reason || null : judgement.reason,
  before,
  now: keepsNow?.get(urn) ?? null,
  engagement,
  missesBy,
})

/** A difference as the answer has it. */
function presentDifference({ people, keepsNow: _, ...difference }: WordDifference) {
  const { gained, lost, near, isWhole, shown } = people
  return {
    ...difference,
    people: { gained, lost, near },
    isWhole,
    gainedPeople: [...shown.gained],
    lostPeople: [...shown.lost],
    nearPeople: [...shown.near],
  }
}

/** An expression as it was read, or where it is malformed. */
function presentParsed(text: string): Answer<SessionOperationOf<'parseExpression'>> {
  const parsed = parseExpression(text)
  if (!parsed.ok)
    return {
      ok: false,
      canonical: null,
      terms: [],
      warnings: [],
      error: { message: parsed.message, token: parsed.token, position: parsed.position },
    }
  return {
    ok: true,
    canonical: canonicalText(parsed.expression),
    terms: requiredTerms(parsed.expression),
    warnings: warningsOf(parsed.expression),
    error: null,
  }
}

/** Makes the handlers. */
export function tryOutOperations({ judge, vault }: TryOutDeps): SessionHandlers<'parseExpression' | 'backtestKeyword'> {
  return {
    parseExpression: (input, { unitOfWork }) => unitOfWork(async () => presentParsed(input.expression)),
    backtestKeyword: async (input, { caller, db, unitOfWork }) => {
      const expression = input.expression === undefined ? null : readExpression(input.expression)
      const { posts, search } = await readPosts(db, caller.teamId, input)
      const { ai } = input
      const key =
        ai === undefined
          ? null
          : ((await readCredential(db, { vault, teamId: caller.teamId, kind: ai.provider })) ??
            refuse('credential_missing', {}, `No key of ${ai.provider} is stored: add it under Settings`))
      const judged = judgeByWords(posts, expression)
      const passed = judged.filter(({ judgement }) => judgement.kept).map(({ post }) => post)
      const verdicts =
        ai === undefined || key === null
          ? new Map<string, AiVerdict>()
          : await askVendor({ judge, ai, key, posts: passed })
      const tried = judged.map((each) => ({
        ...each.post,
        kept: each.judgement.kept && (verdicts.get(each.post.urn)?.keep ?? true),
        near: each.missesBy !== null,
      }))
      const difference =
        search === undefined ? null : await compareWords(db, { source: search, tried, hasAi: ai !== undefined })
      const shown = judged.map((each) => presentPost(each, verdicts.get(each.post.urn), difference?.keepsNow))
      return unitOfWork(async () => ({
        considered: shown.length,
        kept: shown.filter((post) => post.kept).length,
        posts: shown,
        difference: difference === null ? null : presentDifference(difference),
      }))
    },
  }
}
