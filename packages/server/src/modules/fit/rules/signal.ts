/** The strength of a person's engagement, with reasons (G102, G142). */
import type { PostKinds } from './post-kinds.ts'

export type Signal = 'extra_strong' | 'strong' | 'medium' | 'weak'

/** Signals, strongest first. */
export const signalOrder: readonly Signal[] = ['extra_strong', 'strong', 'medium', 'weak']

export type SignalFacts = {
  readonly kind: 'comment' | 'reaction' | 'author'
  readonly topic: string | null
  readonly kinds: PostKinds
}

/** A judged engagement: 3 is strong, 2 medium, 1 weak; `aside`: with a vacancy or personal news, even one about a topic. */
export type EngagementSignal = {
  readonly points: 1 | 2 | 3
  readonly reasons: readonly string[]
  readonly aside: boolean
}

/**
 * Judges an engagement of a person who fits by `percent`: strong by any of three conditions, else medium with a topic, weak with
 * a vacancy or personal news, else medium. A topic counts before the kind of the post.
 */
export function judgeEngagement({ kind, topic, kinds }: SignalFacts, percent: number | null): EngagementSignal {
  const did = { comment: 'Commented on', reaction: 'Reacted to', author: 'Wrote' }[kind]
  const comments = kind === 'comment'
  const aside = kinds.vacancy !== null || kinds.personalNews !== null
  const strong = [
    ...(comments && topic !== null ? [`Commented on a post about "${topic}"`] : []),
    ...(comments && kinds.leadMagnet !== null ? [`Commented on a lead-magnet post ("${kinds.leadMagnet}")`] : []),
    ...(percent === 100 && topic !== null ? [`A full ICP match who engaged with a post about "${topic}"`] : []),
  ]
  if (strong.length > 0) return { points: 3, reasons: strong, aside }
  if (topic !== null) return { points: 2, reasons: [`${did} a post about "${topic}"`], aside }
  if (kinds.vacancy !== null) return { points: 1, reasons: [`${did} a hiring post ("${kinds.vacancy}")`], aside }
  if (kinds.personalNews !== null)
    return { points: 1, reasons: [`${did} personal news ("${kinds.personalNews}")`], aside }
  return { points: 2, reasons: [`${did} a post`], aside }
}

const byPoints = { 3: 'strong', 2: 'medium', 1: 'weak' } as const

/** A person's signal. Two engagements are the strongest unless all are `aside`; else the best engagement decides. */
export function judgeSignal(engagements: readonly EngagementSignal[]): {
  readonly signal: Signal
  readonly reasons: readonly string[]
} {
  const ordered = engagements.toSorted((a, b) => b.points - a.points)
  const reasons = [...new Set(ordered.flatMap((one) => one.reasons))].slice(0, 5)
  if (engagements.length >= 2 && engagements.some((one) => !one.aside))
    return { signal: 'extra_strong', reasons: [`Engaged ${engagements.length} times`, ...reasons] }
  return { signal: byPoints[ordered[0]?.points ?? 1], reasons }
}

/** Orders by ICP %, then signal, then newest (AGT-71). */
export function compareLeads(
  a: { icp: number | null; signal: Signal; detectedAt: Date; id: string },
  b: { icp: number | null; signal: Signal; detectedAt: Date; id: string },
): number {
  return (
    (b.icp ?? -1) - (a.icp ?? -1) ||
    signalOrder.indexOf(a.signal) - signalOrder.indexOf(b.signal) ||
    b.detectedAt.getTime() - a.detectedAt.getTime() ||
    (a.id < b.id ? 1 : -1)
  )
}
