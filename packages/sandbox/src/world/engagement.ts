import { readActivityId } from './activity-id.ts'
import { COMPANY_COUNT } from './companies.ts'
import type { Actor } from './directory.ts'
import { PERSON_COUNT } from './people.ts'
import type { ActorRef, PostFacts } from './posts.ts'
import { hash32, pickWeighted, randomFrom, type Random } from './random.ts'
import type { REACTION_TYPES } from './seed-schemas.ts'
import { authorNote, commentText, replyText } from './texts.ts'

type ReactionType = (typeof REACTION_TYPES)[number]
/** Exists from `atMs` on. */
export type Reaction = { actor: ActorRef; type: ReactionType; atMs: number }
/** A comment or reply, which exists from `atMs` on; replies are oldest first and not nested. */
export type Comment = {
  id: string
  actor: ActorRef
  text: string
  atMs: number
  likes: number
  edited: boolean
  pinned: boolean
  replies: Comment[]
}
/** All engagement a post will ever get, newest first. */
export type Engagement = { reactions: Reaction[]; comments: Comment[] }

const HOUR = 3_600_000
const LIFE = 10 * 24 * HOUR
const TYPE_WEIGHTS: ReadonlyArray<{ type: ReactionType; weight: number }> = [
  { type: 'LIKE', weight: 68 },
  { type: 'EMPATHY', weight: 10 },
  { type: 'PRAISE', weight: 9 },
  { type: 'INTEREST', weight: 7 },
  { type: 'APPRECIATION', weight: 4 },
  { type: 'ENTERTAINMENT', weight: 2 },
]

/** The complete engagement of a generated post. */
export function engagementOf(seed: string, facts: PostFacts, author: ActorRef): Engagement {
  const { postedAtMs, code } = readActivityId(facts.id)
  const random = randomFrom(seed, 'life', facts.id)
  const pool = `${seed}:${code.kind}:${code.exact}:${code.tag}`
  const fans = Math.max(150 + (hash32(pool, 61) % 350), facts.finalReactions * 2)
  const choose = (): ActorRef => chooseActor(random, pool, fans)
  const life: Life = { random, facts, postedAtMs, author, choose }
  return { reactions: reactions(life), comments: comments(life) }
}

export function reactionType(random: Random): ReactionType {
  return pickWeighted(random, TYPE_WEIGHTS, 100).type
}

/** A comment id: like a post's, milliseconds and low bits; `serial` distinguishes comments of one post. */
export function commentId(postId: string, atMs: number, serial: number): string {
  return String((BigInt(Math.max(0, Math.floor(atMs))) << 22n) | BigInt((serial ^ hash32(postId, 62)) & 0x3fffff))
}

function chooseActor(random: Random, pool: string, fans: number): ActorRef {
  const draw = random.next()
  if (draw < 0.02) return { kind: 'company', key: Math.floor(COMPANY_COUNT * random.next() ** 2) }
  if (draw < 0.1) return { kind: 'person', key: (Math.floor(500 * random.next() ** 2) * 397) % PERSON_COUNT }
  if (draw < 0.22) return { kind: 'person', key: random.int(PERSON_COUNT) }
  return { kind: 'person', key: hash32(pool, 1000 + Math.floor(fans * random.next() ** 1.6)) % PERSON_COUNT }
}

type Life = {
  random: Random
  facts: PostFacts
  postedAtMs: number
  author: ActorRef
  choose: () => ActorRef
}

function reactions({ random, facts, postedAtMs, author, choose }: Life): Reaction[] {
  const taken = new Set<string>([keyOf(author)])
  const list: Reaction[] = []
  if (random.chance(0.03)) list.push({ actor: author, type: 'LIKE', atMs: postedAtMs + 60_000 })
  while (list.length < facts.finalReactions) {
    let actor = choose()
    for (let tries = 0; taken.has(keyOf(actor)); tries += 1)
      actor = tries < 4 ? choose() : { kind: 'person', key: random.int(PERSON_COUNT) }
    taken.add(keyOf(actor))
    const atMs = facts.instant ? postedAtMs : postedAtMs + delay(random, 18 * HOUR)
    list.push({ actor, type: reactionType(random), atMs })
  }
  return list.sort((a, b) => b.atMs - a.atMs)
}

function comments(life: Life): Comment[] {
  const { random, facts, postedAtMs, author, choose } = life
  const count = Math.min(140, Math.floor(facts.finalReactions * (0.04 + random.next() * 0.14)) + random.int(3))
  const list: Comment[] = []
  for (let i = 0; i < count; i += 1) {
    const own = random.chance(0.04)
    const atMs = postedAtMs + delay(random, 20 * HOUR)
    const actor = own ? author : choose()
    const comment: Comment = {
      id: commentId(facts.id, atMs, i * 16),
      actor,
      atMs,
      text: own ? authorNote(random) : commentText(random),
      likes: Math.floor(random.next() ** 4 * 25),
      edited: random.chance(0.03),
      pinned: own && random.chance(0.3),
      replies: [],
    }
    const replies = random.chance(0.3) ? (random.chance(0.2) ? random.between(4, 8) : random.between(1, 3)) : 0
    for (let r = 0; r < replies; r += 1) comment.replies.push(reply(life, comment, i * 16 + r + 1))
    comment.replies.sort((a, b) => a.atMs - b.atMs)
    list.push(comment)
  }
  return list.sort((a, b) => b.atMs - a.atMs)
}

function reply({ random, facts, author, choose }: Life, parent: Comment, serial: number): Comment {
  const draw = random.next()
  const atMs = parent.atMs + delay(random, 5 * HOUR)
  return {
    id: commentId(facts.id, atMs, serial),
    atMs,
    actor: draw < 0.45 ? author : draw < 0.62 ? parent.actor : choose(),
    text: replyText(random),
    likes: random.int(3),
    edited: false,
    pinned: false,
    replies: [],
  }
}

function delay(random: Random, meanMs: number): number {
  return Math.min(LIFE, 60_000 + Math.floor(-Math.log(1 - random.next()) * meanMs))
}

function keyOf(actor: ActorRef): string {
  return `${actor.kind}:${actor.key}`
}

/** A post at one moment; `declared` are the counts that the network claims, the lists what exists. */
export type Post = PostFacts & {
  author: Actor
  declared: { reactions: number; comments: number; byType: Array<{ type: string; count: number }> }
  reactions: readonly Reaction[]
  /** Newest first (seeded ones in given order). */
  comments: readonly Comment[]
}

type WholePost = {
  facts: PostFacts
  engagement: Engagement
  declaredReactions?: number | undefined
  declaredComments?: number | undefined
}

export function postAt({ facts, engagement, ...overridden }: WholePost, author: Actor, nowMs: number): Post {
  const reactions = engagement.reactions.filter((reaction) => reaction.atMs <= nowMs)
  const comments = engagement.comments
    .filter((comment) => comment.atMs <= nowMs)
    .map((comment) => soFar(comment, nowMs))
  const declaredReactions = overridden.declaredReactions ?? reactions.length
  return {
    ...facts,
    author,
    reactions,
    comments,
    shares:
      facts.postedAtMs !== null && facts.finalReactions > 0
        ? Math.floor(facts.shares * (reactions.length / facts.finalReactions))
        : facts.shares,
    declared: {
      reactions: declaredReactions,
      comments: overridden.declaredComments ?? comments.reduce((sum, comment) => sum + 1 + comment.replies.length, 0),
      byType: byType(reactions, declaredReactions),
    },
  }
}

const soFar = (comment: Comment, nowMs: number): Comment =>
  comment.replies.length === 0
    ? comment
    : { ...comment, replies: comment.replies.filter((reply) => reply.atMs <= nowMs) }

/** Declared counts by type, highest first; all likes when the declared count is overridden. */
function byType(reactions: readonly Reaction[], declared: number): Array<{ type: string; count: number }> {
  if (declared !== reactions.length) return declared > 0 ? [{ type: 'LIKE', count: declared }] : []
  const counts = new Map<string, number>()
  for (const reaction of reactions) counts.set(reaction.type, (counts.get(reaction.type) ?? 0) + 1)
  return [...counts].map(([type, count]) => ({ type, count })).sort((a, b) => b.count - a.count)
}
