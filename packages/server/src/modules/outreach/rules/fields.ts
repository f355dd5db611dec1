/** The custom fields that ride along with a lead (OUT-11). */

/** What is known about a lead beyond the person. */
type LeadContext = {
  readonly icpPercent: number | null
  readonly signal: string | null
  readonly postUrl: string | null
  readonly commentText: string | null
  readonly sourceName: string | null
}

/** The fields, as text; what is not known is left out rather than sent empty. */
export function customFieldsOf(context: LeadContext): Record<string, string> {
  const fields: readonly (readonly [string, string | null])[] = [
    ['icp_percent', context.icpPercent === null ? null : String(context.icpPercent)],
    ['signal', context.signal],
    ['engaged_post_url', context.postUrl],
    ['comment_text', context.commentText],
    ['source_name', context.sourceName],
  ]
  return Object.fromEntries(
    fields.flatMap(([name, value]) => (value === null || value.trim() === '' ? [] : [[name, value] as const])),
  )
}
