/** Tries a search out before it is tracked: parses it, and compares it on stored posts. Writes and charges nothing. */
import type { Answer, Input, SessionOperationOf } from '@les/contract'
import type { Reader } from '../../platform/db/unit-of-work.ts'
import { Refusal, refuse } from '../../platform/refusal.ts'
import type { Vault } from '../../platform/secrets.ts'
import {
  AiFailure,
  postsPerCall,
  type AiJudge,
  type AiPost,
  type AiQuestion,
  type AiVerdict,
} from '../../providers/ai/port.ts'
import { retryAfterHeaders } from '../../providers/ports.ts'
import { readCredential, type SessionHandlers } from '../accounts/index.ts'
import { comparePeopleOfPosts } from '../leads/index.ts'
import { findSource, type Source } from '../sources/index.ts'
import { expectedCredits } from './rules/expected-credits.ts'
import { canonicalText, parseExpression, requiredTerms, warningsOf } from './rules/expression.ts'
import { expressionJudge, type Judgement } from './rules/judge-post.ts'
import { findSearch, listJudgedPosts, listNewestPosts, type KeywordSearch, type StoredPost } from './store.ts'

type TryOutDeps = { readonly judge: Pick<AiJudge, 'judge'>; readonly vault: Vault }

type Sent = Input<SessionOperationOf<'backtestKeyword'>>
type Shown = Answer<SessionOperationOf<'backtestKeyword'>>
type Judge = (text: string) => Judgement

/** Characters shown of a post; all of its text is judged. */
const shownText = 600
/** Concurrent questions: a vendor counts them against the team. */
const maxQuestions = 4
const questionMs = 30_000
/** Most leads of one comparison, the newest: it then takes some tenths of a second. */
const maxLeads = 50_000
const maxPeopleShown = 25

const keepsAll: Judge = () => ({ kept: true })

function readJudge(text: string | undefined): Judge {
  if (text === undefined) return keepsAll
  const parsed = parseExpression(text)
  return parsed.ok
    ? expressionJudge(parsed.expression)
    : refuse('invalid_request', {}, `\`expression\` is malformed. ${parsed.message}`)
}

async function readPosts(
  db: Reader,
  teamId: string,
  { sourceId, compareWith, posts: limit }: Sent,
): Promise<{ posts: StoredPost[]; source: Source | undefined }> {
  const id = sourceId ?? compareWith
  if (id === undefined)
    return { posts: await listNewestPosts(db, { teamId, sourceId: null, limit }), source: undefined }
  const source =
    (await findSource(db, teamId, { id, type: 'keyword' })) ?? refuse('not_found', {}, 'No such keyword search')
  const list = sourceId === undefined ? listNewestPosts : listJudgedPosts
  return { posts: await list(db, { teamId, sourceId: source.id, limit }), source }
}

function refuseFailure(failure: AiFailure): never {
  if (failure.kind === 'key')
    return refuse('credential_rejected', {}, `${failure.message} Store a working key under Settings.`)
  if (failure.kind === 'model') return refuse('invalid_request', {}, failure.message)
  throw new Refusal(
    'provider_unavailable',
    {},
    `${failure.message} Nothing was changed and nothing was charged: try again.`,
    retryAfterHeaders(failure),
  )
}

/** The AI's verdicts by post id; the first failure ends all. Calls the network, so never inside a unit of work. */
async function judgeAll(
  judge: TryOutDeps['judge'],
  about: Pick<AiQuestion, 'vendor' | 'model' | 'key' | 'prompt'>,
  posts: readonly AiPost[],
): Promise<Map<string, AiVerdict>> {
  const questions = Array.from({ length: Math.ceil(posts.length / postsPerCall) }, (_, index) =>
    posts.slice(index * postsPerCall, (index + 1) * postsPerCall),
  )
  const verdicts = new Map<string, AiVerdict>()
  const cancelling = new AbortController()
  const { signal } = cancelling
  const askNext = async (): Promise<void> => {
    for (let asked = questions.shift(); asked !== undefined; asked = questions.shift())
      for (const verdict of await judge.judge({ ...about, posts: asked, timeoutMs: questionMs, signal }))
        verdicts.set(verdict.id, verdict)
  }
  try {
    await Promise.all(Array.from({ length: maxQuestions }, askNext))
  } catch (error) {
    questions.length = 0
    cancelling.abort()
    throw error
  }
  return verdicts
}

async function askVendor(
  judge: TryOutDeps['judge'],
  { provider, model, prompt, key }: NonNullable<Sent['ai']> & { readonly key: string },
  posts: readonly StoredPost[],
): Promise<Map<string, AiVerdict>> {
  const asked = posts.map(({ urn, text, author, headline }) => ({ id: urn, text: text ?? '', author, headline }))
  try {
    return await judgeAll(judge, { vendor: provider, model, key, prompt }, asked)
  } catch (error) {
    if (error instanceof AiFailure) return refuseFailure(error)
    throw error
  }
}

type Tried = {
  readonly post: StoredPost
  readonly kept: boolean
  readonly reason: string | null
  readonly missesBy: string | null
}

/**
 * Whether a search keeps a post by its words. A search of terms keeps whatever the network finds, so posts it has not met count
 * as not kept. With an AI on trial, posts that the search's AI discarded are not kept either.
 */
function keepsNow(search: KeywordSearch, hasAi: boolean): (post: StoredPost) => boolean {
  const parsed = search.expression === null ? undefined : parseExpression(search.expression)
  const judge = parsed?.ok ? expressionJudge(parsed.expression) : undefined
  return ({ text, before }) =>
    (judge === undefined ? before !== null : judge(text ?? '').kept) && !(hasAi && before === 'discarded')
}

async function compareWords(
  db: Reader,
  { source, search, hasAi }: { source: Source; search: KeywordSearch; hasAi: boolean },
  tried: readonly Tried[],
): Promise<{ difference: NonNullable<Shown['difference']>; keptNow: ReadonlyMap<string, boolean> }> {
  const keeps = keepsNow(search, hasAi)
  const posts = tried.map(({ post, kept, missesBy }) => ({
    urn: post.urn,
    now: keeps(post),
    tried: kept,
    near: missesBy !== null,
    engagement: post.engagement,
  }))
  const people = await comparePeopleOfPosts(
    db,
    { teamId: source.teamId, sourceId: source.id },
    { posts, most: maxLeads, sample: maxPeopleShown },
  )
  const { gained, lost, near, isWhole, gainedPeople, lostPeople, nearPeople } = people
  const difference = {
    words: source.username,
    isExpression: search.expression !== null,
    posts: {
      gained: posts.filter((post) => post.tried && !post.now).length,
      lost: posts.filter((post) => post.now && !post.tried).length,
      near: posts.filter((post) => post.near && !post.tried).length,
    },
    people: { gained, lost, near },
    isWhole,
    gainedPeople,
    lostPeople,
    nearPeople,
    credits: expectedCredits(posts, people, { ...search, mode: source.settings.mode }),
    creditCap: search.creditCap,
  }
  return { difference, keptNow: new Map(posts.map((post) => [post.urn, post.now])) }
}

function presentParsed(text: string): Answer<SessionOperationOf<'parseExpression'>> {
  const parsed = parseExpression(text)
  if (!parsed.ok) {
    const { message, token, position } = parsed
    return { ok: false, canonical: null, terms: [], warnings: [], error: { message, token, position } }
  }
  return {
    ok: true,
    canonical: canonicalText(parsed.expression),
    terms: requiredTerms(parsed.expression),
    warnings: warningsOf(parsed.expression),
    error: null,
  }
}

export const tryOutOperations = ({
  judge,
  vault,
}: TryOutDeps): SessionHandlers<'parseExpression' | 'backtestKeyword'> => ({
  parseExpression: (input, { unitOfWork }) => unitOfWork(async () => presentParsed(input.expression)),
  backtestKeyword: async (input, { caller: { teamId }, db, unitOfWork }) => {
    const judgeText = readJudge(input.expression)
    const found = await readPosts(db, teamId, input)
    const { ai } = input
    const key =
      ai === undefined
        ? null
        : ((await readCredential(db, { vault, teamId, kind: ai.provider })) ??
          refuse('credential_missing', {}, `No key of ${ai.provider} is stored: add it under Settings`))
    const passed = found.posts.filter(({ text }) => judgeText(text ?? '').kept)
    const verdicts =
      ai === undefined || key === null ? new Map<string, AiVerdict>() : await askVendor(judge, { ...ai, key }, passed)
    // Read again: an erasure may have emptied some while the vendor was asked.
    const { posts, source } = ai === undefined ? found : await readPosts(db, teamId, input)
    const tried = posts.map((post): Tried => {
      const judgement = judgeText(post.text ?? '')
      if (!judgement.kept) return { post, ...judgement }
      const verdict = verdicts.get(post.urn)
      return { post, kept: verdict?.keep ?? true, reason: verdict?.reason || null, missesBy: null }
    })
    const search = source && (await findSearch(db, teamId, source.id))
    const compared =
      source && search ? await compareWords(db, { source, search, hasAi: ai !== undefined }, tried) : undefined
    return unitOfWork(async () => ({
      considered: tried.length,
      kept: tried.filter((each) => each.kept).length,
      posts: tried.map(({ post: { headline: _headline, ...post }, ...verdict }) => ({
        ...post,
        ...verdict,
        text: (post.text ?? '').slice(0, shownText).toWellFormed(),
        now: compared?.keptNow.get(post.urn) ?? null,
      })),
      difference: compared?.difference ?? null,
    }))
  },
})
