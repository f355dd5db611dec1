/** How strongly a person's engagement speaks, with reasons (specification «Agent lead», scoring; G102). */
import type { PostKinds } from './post-kinds.ts'

/** The strength of a person's signal. */
export type Signal = 'extra_strong' | 'strong' | 'medium' | 'weak'

/** Signals, the strongest first. */
export const signalOrder: readonly Signal[] = ['extra_strong', 'strong', 'medium', 'weak']

/** An engagement as the judgement sees it. */
export type SignalFacts = {
  readonly kind: 'comment' | 'reaction' | 'author'
  /** The topic that the post is about. */
  readonly topic: string | null
  readonly kinds: PostKinds
}

/** One engagement judged: strong 3, medium 2, weak 1. */
export type EngagementSignal = { readonly points: 1 | 2 | 3; readonly reasons: readonly string[] }

/** Judges one engagement of a person who fits by `percent`. A vacancy or personal news speak of the post, whatever else it is about. */
export function judgeEngagement({ kind, topic, kinds }: SignalFacts, percent: number | null): EngagementSignal {
  const did = { comment: 'Commented on', reaction: 'Reacted to', author: 'Wrote' }[kind]
  const comments = kind === 'comment'
  if (kinds.vacancy !== null) return { points: 1, reasons: [`${did} a hiring post ("${kinds.vacancy}")`] }
  if (kinds.personalNews !== null) return { points: 1, reasons: [`${did} personal news ("${kinds.personalNews}")`] }
  const strong = [
    ...(comments && topic !== null ? [`Commented on a post about "${topic}"`] : []),
    ...(comments && kinds.leadMagnet !== null ? [`Commented on a lead-magnet post ("${kinds.leadMagnet}")`] : []),
    ...(percent === 100 && topic !== null ? [`A full ICP match who engaged with a post about "${topic}"`] : []),
  ]
  if (strong.length > 0) return { points: 3, reasons: strong }
  return { points: 2, reasons: [topic === null ? `${did} a post` : `${did} a post about "${topic}"`] }
}

/** A person's signal from all their engagements, at least one: repeated engagement is the strongest, unless all of it was with vacancies and personal news. */
export function judgeSignal(engagements: readonly EngagementSignal[]): { readonly signal: Signal; readonly reasons: readonly string[] } {
  const best = engagements.reduce((most, one) => Math.max(most, one.points), 0)
  const reasons = [...new Set(engagements.toSorted((a, b) => b.points - a.points).flatMap((one) => one.reasons))].slice(0, 5)
  if (best <= 1) return { signal: 'weak', reasons }
  if (engagements.length >= 2) return { signal: 'extra_strong', reasons: [`Engaged ${engagements.length} times`, ...reasons] }
  return { signal: best === 3 ? 'strong' : 'medium', reasons }
}

/** Orders by ICP %, then signal, then newest (AGT-71). */
export function compareLeads(a: { icp: number | null; signal: Signal; detectedAt: Date; id: string }, b: { icp: number | null; signal: Signal; detectedAt: Date; id: string }): number {
  return (b.icp ?? -1) - (a.icp ?? -1) || signalOrder.indexOf(a.signal) - signalOrder.indexOf(b.signal) || b.detectedAt.getTime() - a.detectedAt.getTime() || (a.id < b.id ? 1 : -1)
}
