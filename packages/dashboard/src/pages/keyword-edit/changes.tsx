import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { absoluteTime } from '../../ui/index.ts'
import { settingName, valueWords } from './words.ts'

/** A setting that differs. */
export type SettingChange = { readonly field: string; readonly from?: unknown; readonly to?: unknown }

const shown = (field: string, value: unknown): string =>
  field === 'endAt' && typeof value === 'string' ? absoluteTime(value) : valueWords(value)

/** Settings as they were and as they would be. */
export function Changes({ changes }: { readonly changes: readonly SettingChange[] }): ReactNode {
  return (
    <dl className="flex flex-col gap-2 text-sm">
      {changes.map(({ field, from, to }) => (
        <div key={field} className="rounded-lg border border-line px-3 py-2">
          <dt className="text-[0.8125rem] text-muted">{settingName(field)}</dt>
          <dd className="flex flex-wrap items-center gap-2 break-words">
            <span className="line-through decoration-line-strong">{shown(field, from)}</span>
            <ArrowRight aria-label="becomes" size={14} />
            <span className="font-medium">{shown(field, to)}</span>
          </dd>
        </div>
      ))}
    </dl>
  )
}
