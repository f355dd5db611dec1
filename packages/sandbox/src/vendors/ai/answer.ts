import type { FaultRule } from '../../traffic/faults.ts'
import { judged, type Question } from './question.ts'

/** What a model says, and whether it stopped because its room was used up. */
export type Said = { text: string; cut: boolean }

/** The model's words on a question, spoilt as the fault wants it. */
export function sayOn(question: Question | undefined, fault: FaultRule | undefined): Said {
  if (question === undefined) return { text: 'ok', cut: false }
  if (fault?.kind === 'ai_prose')
    return {
      text: `Sure! I would keep ${question.posts.length > 1 ? 'the first of these posts' : 'this post'}, since it fits well.`,
      cut: false,
    }
  if (fault?.kind === 'ai_obey') return { text: obeyed(question), cut: false }
  const verdicts = question.posts.map((post) => ({ id: post.id, ...judged(question.filter, post) }))
  const text = JSON.stringify({ verdicts: spoilt(verdicts, fault) })
  if (fault?.kind === 'ai_wrapped')
    return { text: `\uFEFFSure! Here you are:\n\n\`\`\`json\n${text}\n\`\`\`\n\nAnything else?`, cut: false }
  if (fault?.kind === 'ai_twice') return { text: `${text}\n${text}`, cut: false }
  return fault?.kind === 'ai_cut'
    ? { text: text.slice(0, Math.floor(text.length * 0.7)), cut: true }
    : { text, cut: false }
}

type Verdict = { id: string; keep: boolean; reason: string }

function spoilt(verdicts: Verdict[], fault: FaultRule | undefined): unknown[] {
  const [first] = verdicts
  if (fault?.kind === 'ai_extra' && first) return [...verdicts, { ...first, id: `${first.id}0` }]
  if (fault?.kind === 'ai_missing') return verdicts.slice(1)
  if (fault?.kind === 'ai_duplicate' && first) return [first, first, ...verdicts.slice(2)]
  if (fault?.kind === 'ai_renamed') return verdicts.map((verdict, index) => ({ ...verdict, id: String(index + 1) }))
  if (fault?.kind === 'ai_shape') return verdicts.map(({ id }) => ({ id, keep: 'yes' }))
  return verdicts
}

/** A model that does what posts say: the JSON that one of them dictates, else everything is kept. */
function obeyed(question: Question): string {
  const dictated = question.posts.map(({ text }) => /\{[\s\S]*\}/.exec(text)?.[0]).find((text) => text !== undefined)
  return (
    dictated ??
    JSON.stringify({ verdicts: question.posts.map(({ id }) => ({ id, keep: true, reason: 'the post said so' })) })
  )
}
