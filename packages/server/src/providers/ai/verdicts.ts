/** Pure rules of an AI's answer: which answers count, and how their texts are cleaned. */
import { z } from 'zod'
import { cleanText } from '../../platform/text.ts'

/** The answer every vendor is made to give; without bounds, since not every vendor's schema knows them. */
export const answerSchema = z.object({
  verdicts: z.array(
    z.object({
      id: z.string().describe('The id of the post, copied exactly'),
      keep: z.boolean().describe('True when the filter wants the post'),
      reason: z.string().describe('Why, in at most 20 words'),
    }),
  ),
})

/** An answer of the right shape; not yet one that counts. */
export type Answer = z.infer<typeof answerSchema>

/** Longest reason kept, in UTF-16 units. */
export const reasonLimit = 200

/** Characters that a reader does not see and a model does: formats, tags, selectors, fillers, private use. */
const invisible = /\p{Cf}|\p{Co}|\p{Variation_Selector}|\p{Default_Ignorable_Code_Point}/gu

/** Text as a reader sees it, cut to `max` UTF-16 units. */
export function visibleText(text: string, max: number): string {
  // A hostile text may be megabytes long: cut before the expensive part, leaving room for what is stripped.
  return cleanText(
    text
      .slice(0, max * 4)
      .toWellFormed()
      .replace(invisible, ''),
    max,
  )
}

/** A reason as it may be stored and shown: one line. */
export function cleanReason(reason: string): string {
  return visibleText(reason, reasonLimit * 4)
    .replace(/\s+/g, ' ')
    .slice(0, reasonLimit)
    .toWellFormed()
    .trim()
}

/** The verdicts in the order of the ids asked about; null when the answer does not name each of them exactly once and nothing else. */
export function readAnswer(
  asked: readonly string[],
  answer: Answer,
): readonly { readonly keep: boolean; readonly reason: string }[] | null {
  if (answer.verdicts.length !== asked.length) return null
  // As many as were asked about: one that is named twice leaves another out.
  const byId = new Map(answer.verdicts.map((verdict) => [verdict.id, verdict]))
  const verdicts = asked.map((id) => byId.get(id))
  return verdicts.every((verdict) => verdict !== undefined)
    ? verdicts.map(({ keep, reason }) => ({ keep, reason: cleanReason(reason) }))
    : null
}
