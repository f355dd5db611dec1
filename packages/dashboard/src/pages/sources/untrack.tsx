import { useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, asksToSpend, keyOf, type V1Result } from '../../api/index.ts'
import { ConfirmDialog, toast } from '../../ui/index.ts'
import { spendWords } from '../../ui/spend-words.ts'
import type { SourceKind } from './kinds.tsx'

/** What names a source to its kind's own routes. */
export type Named = {
  readonly id: string
  readonly type: SourceKind
  readonly username: string
  readonly label: string
}

/** Stops tracking by the route of its kind. */
export function untrack(source: Named): Promise<unknown> {
  if (source.type === 'person') return api.v1('untrackProfile', { username: source.username })
  if (source.type === 'company') return api.v1('untrackCompany', { username: source.username })
  if (source.type === 'post') return api.v1('untrackPost', { urn: source.username })
  return api.v1('untrackKeyword', { id: source.id })
}

/**
 * Tracks again what was stopped: the same id, settings, leads and memory of what was charged. A watch of posts charges daily, so it
 * asks for a yes first; a keyword search is resumed on its own page, since that asks for more than a yes.
 */
export function trackAgain(
  source: Named,
  confirmSpend = false,
): Promise<V1Result<'enrichProfile'> | V1Result<'enrichCompany'> | V1Result<'trackPost'>> {
  const fields = { username: source.username, saveTrackedProfile: true, ...(confirmSpend ? { confirmSpend } : {}) }
  if (source.type === 'person') return api.v1('enrichProfile', fields)
  if (source.type === 'company') return api.v1('enrichCompany', fields)
  return api.v1('trackPost', { postUrl: source.username })
}

/** Refreshes what tracking changes. */
export function useRefresh(): () => void {
  const client = useQueryClient()
  return () => {
    for (const topic of ['sources', 'syncs', 'keywords', 'leads'] as const)
      void client.invalidateQueries({ queryKey: keyOf(topic) })
  }
}

/**
 * Tracks a stopped source again and says so; where that costs, the figures come first, in a toast: the row it was asked
 * from may be gone by then.
 */
export function useTrackAgain(): (source: Named, confirmed?: boolean) => Promise<void> {
  const refresh = useRefresh()
  const attempt = async (source: Named, confirmSpend: boolean): Promise<void> => {
    try {
      const answer = await trackAgain(source, confirmSpend)
      toast.good(
        `Tracking ${source.label} again`,
        answer.syncNotQueuedReason ?? 'It goes on with its settings, its leads and its history. A sync has begun.',
      )
      refresh()
    } catch (error) {
      if (asksToSpend(error))
        toast.info(`Tracking ${source.label} again uses credits`, spendWords(error.body).join('. '), {
          label: 'Spend and go ahead',
          onClick: () => void attempt(source, true),
        })
      else toast.bad(error instanceof Error ? error.message : String(error))
    }
  }
  return (source, confirmed = false) => attempt(source, confirmed)
}

/** Asks before tracking stops, says what happens with the leads, and offers to take it back. */
export function UntrackDialog({
  source,
  open,
  onOpen,
}: {
  readonly source: Named
  readonly open: boolean
  readonly onOpen: (open: boolean) => void
}): ReactNode {
  const refresh = useRefresh()
  const again = useTrackAgain()
  const stop = async () => {
    await untrack(source)
    refresh()
    const undo = source.type === 'keyword' ? undefined : { label: 'Undo', onClick: () => void again(source) }
    toast.good(
      `Stopped tracking ${source.label}`,
      source.type === 'keyword' ? 'Start it again on its page.' : 'Its leads are kept, under “Stopped”.',
      undo,
    )
  }
  return (
    <ConfirmDialog
      open={open}
      onOpen={onOpen}
      title={`Stop tracking ${source.label}?`}
      danger
      confirm="Stop tracking"
      onConfirm={stop}
      text={
        <ul className="flex list-disc flex-col gap-1 pl-5">
          <li>
            Its leads stay, and you can still read, export and send them: choose “also of stopped sources” in the list
            of leads.
          </li>
          <li>A sync under way ends at its next step, and people waiting for enrichment are skipped.</li>
          <li>Credits that were spent are not given back, and nobody is charged twice if you track it again.</li>
          <li>Nothing more is sent to its webhook or campaign.</li>
        </ul>
      }
    />
  )
}
