import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { api, hasCode, isUnread, keyOf, type SessionInput } from '../../../api/index.ts'
import {
  Button,
  Checkbox,
  count,
  countOf,
  Dialog,
  ErrorState,
  Notice,
  Skeleton,
  toast,
  type Reason,
} from '../../../ui/index.ts'
import { dailyWords, keptWords, parts as allParts, type Part, type Preview } from './words.ts'

/** Which sources. */
export type Chosen = SessionInput<'previewDefaults'>['sources']

/** What writing the defaults to sources would change. */
export const previewQuery = (sources: Chosen, parts: readonly Part[]) => ({
  queryKey: keyOf('sources', 'previewDefaults', sources, parts),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    api.session('previewDefaults', { sources, parts: [...parts] }, { signal }),
  retry: false,
})

function Shown({ preview }: { readonly preview: Preview }): ReactNode {
  const ofPart = (part: Part) =>
    preview.rows.filter(({ changes }) => changes.some((change) => change.part === part)).length
  const isWhole = preview.rows.length < 500
  return (
    <section aria-label="What will change" className="flex flex-col gap-3 text-sm">
      {preview.changes === 0 ? (
        <Notice>None of these {countOf(preview.sources, 'source')} would change.</Notice>
      ) : (
        <ul className="flex flex-col gap-1">
          {allParts.map(({ part, label }) =>
            ofPart(part) === 0 ? null : (
              <li key={part} className="flex gap-3">
                <span className="min-w-10 text-right font-medium tabular-nums">
                  {count(ofPart(part))}
                  {isWhole ? '' : '+'}
                </span>
                <span>
                  {label}:{' '}
                  {[
                    ...new Set(
                      preview.rows.flatMap(({ changes }) =>
                        changes.flatMap((each) => (each.part === part ? [each.to] : [])),
                      ),
                    ),
                  ].join(' or ')}
                </span>
              </li>
            ),
          )}
          {preview.kept.map(({ reason, count: number }) => (
            <li key={reason} className="flex gap-3 text-muted">
              <span className="min-w-10 text-right font-medium tabular-nums">{count(number)}</span>
              <span>left alone: {keptWords[reason]}</span>
            </li>
          ))}
        </ul>
      )}
      {preview.changes > 0 && <p>{dailyWords(preview.daily)}</p>}
      {preview.leadsJudged > 0 && (
        <p className="text-muted">
          {countOf(preview.leadsJudged, 'stored lead')} will be judged again by the new criteria, at no cost. Nothing
          that was captured before is sent.
        </p>
      )}
    </section>
  )
}

/** What the chosen parts would change, and the act that writes them; an outdated preview is read again. */
function useApply(sources: Chosen, chosen: readonly Part[], onClose: () => void) {
  const client = useQueryClient()
  const preview = useQuery({ ...previewQuery(sources, chosen), enabled: chosen.length > 0, gcTime: 0 })
  const apply = useMutation({
    mutationFn: (agreed: string) => api.session('applyDefaults', { sources, parts: [...chosen], agreed }),
    onSuccess: async ({ changed }) => {
      toast.good(`${countOf(changed, 'source')} changed`)
      for (const topic of ['sources', 'deliveries', 'outreach', 'leads'] as const)
        void client.invalidateQueries({ queryKey: keyOf(topic) })
      onClose()
    },
    onError: (error) => {
      if (hasCode(error, 'changes_outdated')) void preview.refetch()
    },
  })
  return { preview, apply, data: chosen.length === 0 ? undefined : preview.data }
}

function PartsField({
  chosen,
  onChosen,
}: {
  readonly chosen: readonly Part[]
  readonly onChosen: (parts: readonly Part[]) => void
}): ReactNode {
  const withOrWithout = (part: Part, on: boolean) =>
    allParts.map((each) => each.part).filter((each) => (each === part ? on : chosen.includes(each)))
  return (
    <fieldset className="flex flex-wrap gap-x-5 gap-y-2">
      <legend className="mb-2 text-sm font-medium">What to apply</legend>
      {allParts.map(({ part, label }) => (
        <Checkbox
          key={part}
          label={label}
          checked={chosen.includes(part)}
          onChecked={(on) => onChosen(withOrWithout(part, on))}
        />
      ))}
    </fieldset>
  )
}

/** Why nothing can be applied now. */
function refusalOf(chosen: readonly Part[], data: Preview | undefined): Reason {
  if (chosen.length === 0) return 'Choose what to apply'
  if (data === undefined) return 'What would change is not known yet'
  return data.changes === 0 && 'Nothing would change'
}

/** Writes the defaults to sources on a yes, after showing what that changes and costs; all of it or nothing. */
export function ApplyDefaults({
  sources,
  onClose,
}: {
  readonly sources: Chosen
  readonly onClose: () => void
}): ReactNode {
  const [chosen, setChosen] = useState<readonly Part[]>(allParts.map(({ part }) => part))
  const { preview, apply, data } = useApply(sources, chosen, onClose)
  const isBeingRead = isUnread(preview, apply.error, 'changes_outdated')
  return (
    <Dialog
      open
      onOpen={(open) => !open && onClose()}
      title="Apply the team defaults"
      text="Each source changes as if you edited it by hand: all of them, or none if something fails."
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            variant="primary"
            busy={apply.isPending || (chosen.length > 0 && isBeingRead)}
            reason={refusalOf(chosen, data)}
            onClick={() => data && apply.mutate(data.agreed)}
          >
            {data === undefined ? 'Apply' : `Change ${countOf(data.changes, 'source')}`}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {apply.error && (
          <Notice tone="warn" title="Nothing was changed">
            {apply.error.message}
          </Notice>
        )}
        <PartsField chosen={chosen} onChosen={setChosen} />
        {chosen.length > 0 && preview.isPending && <Skeleton lines={4} />}
        {chosen.length > 0 && preview.error && (
          <ErrorState error={preview.error} retry={() => void preview.refetch()} />
        )}
        {data && <Shown preview={data} />}
      </div>
    </Dialog>
  )
}
