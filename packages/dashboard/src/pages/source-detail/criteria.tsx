import { useState, type ReactNode } from 'react'
import { useSessionMutation, useTeam, useV1Mutation, useV1Query, type V1Result } from '../../api/index.ts'
import {
  Button,
  Card,
  countOf,
  CriteriaRows,
  leadColumns,
  leadRows,
  Loaded,
  Meter,
  Notice,
  RoleButton,
  rowFaults,
  toast,
  useEdited,
  type EditedRow,
} from '../../ui/index.ts'
import { Compared, type Tried } from './compared.tsx'
import type { Health } from './source.ts'

type Criteria = V1Result<'getSourceIcp'>

/** Saves criteria and says how many leads are judged again. */
function useSaved() {
  return useV1Mutation('updateSourceIcp', {
    refreshes: ['sources', 'leads'],
    onSuccess: (answer) =>
      'rescored' in answer &&
      toast.good(
        'Saved',
        answer.rescoring
          ? `${countOf(answer.rescoring.leads, 'lead')} are being judged again; lists go by the new criteria already.`
          : `${answer.rescored} leads were judged again.`,
      ),
  })
}

/** Why the criteria cannot be saved here. */
function OnlyToTry({ isActive }: { readonly isActive: boolean }): ReactNode {
  return (
    <Notice>
      {isActive
        ? 'Try any criteria on the stored leads; only members may save them.'
        : 'This source is stopped: track it again to change its criteria.'}
    </Notice>
  )
}

/** The criteria as they are edited, what trying them has come to, and what saves them. */
function useEditor(source: Health, stored: Criteria) {
  const form = useEdited<{ readonly rows: readonly EditedRow[]; readonly matchMode: Criteria['matchMode'] }>({
    rows: stored.rules,
    matchMode: stored.matchMode,
  })
  // What was tried is compared with what was stored then.
  const against = JSON.stringify([stored.rules, stored.matchMode])
  const [tried, setTried] = useState<(Tried & { readonly against: string }) | null>(null)
  const trial = useSessionMutation('compareCriteria')
  const save = useSaved()
  const body = { id: source.id, rules: leadRows(form.value.rows), matchMode: form.value.matchMode }
  return {
    ...form.value,
    isEdited: form.isEdited,
    isBusy: { trying: trial.isPending, saving: save.isPending },
    change: (rows: readonly EditedRow[], matchMode: Criteria['matchMode']) => {
      form.change({ rows, matchMode })
      setTried(null)
    },
    tried: tried?.against === against ? tried : null,
    tryOut: () => trial.mutate(body, { onSuccess: (answer) => setTried({ answer, rows: body.rules, against }) }),
    save: () => save.mutate(body, { onSuccess: form.saved }),
  }
}

function Editor({ source, stored }: { readonly source: Health; readonly stored: Criteria }): ReactNode {
  const { can } = useTeam()
  const [isShown, setShown] = useState(false)
  const { rows, matchMode, isEdited, isBusy, change, tried, tryOut, save } = useEditor(source, stored)
  const faults = rowFaults(leadColumns, rows)
  const isActive = source.status === 'active'
  const stopped = !isActive && 'Track the source again first'
  const attempt = (run: () => void) => (Object.keys(faults).length === 0 ? run() : setShown(true))
  return (
    <div className="flex flex-col gap-4">
      {!(can('member') && isActive) && <OnlyToTry isActive={isActive} />}
      <CriteriaRows {...{ rows, matchMode }} onChange={change} errors={isShown ? faults : {}} reason={stopped} />
      <div className="flex flex-wrap gap-2">
        <Button
          reason={stopped || (rows.length === 0 && 'Add a criterion to try')}
          busy={isBusy.trying}
          onClick={() => attempt(tryOut)}
        >
          Try on stored leads
        </Button>
        <RoleButton
          needs="member"
          variant="primary"
          reason={stopped || (!isEdited && 'Nothing has been changed')}
          busy={isBusy.saving}
          onClick={() => attempt(save)}
        >
          Save criteria
        </RoleButton>
      </div>
      {tried && <Compared tried={tried} />}
    </div>
  )
}

/** Who counts as a fit among the leads of a source; tried on stored leads before it is saved. */
export function CriteriaEditor({ source }: { readonly source: Health }): ReactNode {
  const [isRescoring, setRescoring] = useState(false)
  const query = useV1Query(
    'getSourceIcp',
    { id: source.id },
    { topic: 'sources', staleTime: isRescoring ? 0 : 60_000, refetchInterval: isRescoring ? 2_000 : false },
  )
  const progress = query.data?.rescoring
  if (isRescoring !== (progress !== undefined)) setRescoring(progress !== undefined)
  return (
    <Card
      title="Who fits"
      text="Your ideal customer. Every lead of this source is judged by these rows; trying them out saves and costs nothing."
    >
      {progress && (
        <Meter label="Judging stored leads again" value={progress.judged} max={progress.leads} tone="good" />
      )}
      <Loaded query={query}>{(stored) => <Editor key={source.id} source={source} stored={stored} />}</Loaded>
    </Card>
  )
}
