/** What an edit of a tracked person or company comes to (specification «Tracked person and company sources»; TRK-13..TRK-20; C2, C10). */
import type { SettingOf, SourceSettings } from '@les/contract'
import { mustConfirm, quote, type Quote } from '../../credits/rules/spend-gate.ts'
import { dailyMax } from './settings.ts'
import { applyRequested } from './track.ts'

/** The settings an edit may name. */
export type RequestedEdit = { readonly [K in SettingOf<'edit'>]?: SourceSettings[K] | undefined }

/** What a refusal quotes. */
export type EditQuote = Quote & {
  readonly previous: Pick<SourceSettings, 'mode' | 'postsPerSync'>
  readonly mode: SourceSettings['mode']
  /** When more posts a sync were asked for. */
  readonly postsPerSync?: number
  readonly creditCapPerSync: number | null
}

/** What is to be done; nothing is written on a refusal. */
export type EditDecision =
  | { readonly kind: 'refused'; readonly figures: EditQuote }
  | { readonly kind: 'edit'; readonly settings: SourceSettings }

/** True when an edit creates or raises a recurring charge: leaving posts_only, or more posts a sync; never a cap. */
function raises(present: SourceSettings, next: SourceSettings): boolean {
  if (present.mode !== 'posts_only') return false
  return next.mode === 'engagers' || (next.postsPerSync ?? 0) > (present.postsPerSync ?? Number.POSITIVE_INFINITY)
}

/** Decides what an edit comes to; values are valid. */
export function decideEdit(
  present: SourceSettings,
  request: { readonly named: RequestedEdit; readonly confirmSpend: boolean | undefined; readonly balance: number },
): EditDecision {
  const next = applyRequested(present, request.named)
  if (!mustConfirm({ raises: raises(present, next), confirmSpend: request.confirmSpend }))
    return { kind: 'edit', settings: next }
  return {
    kind: 'refused',
    figures: {
      previous: { mode: present.mode, postsPerSync: present.postsPerSync },
      mode: next.mode,
      ...(next.postsPerSync === null ? {} : { postsPerSync: next.postsPerSync }),
      creditCapPerSync: next.creditCapPerSync,
      ...quote({ per: 'day', credits: dailyMax(next) }, request.balance),
    },
  }
}
