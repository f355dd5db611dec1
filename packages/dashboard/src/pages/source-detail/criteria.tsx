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

function Editor({ source, stored }: { readonly source: Health; readonly stored: Criteria }): ReactNode {
  const { can } = useTeam()
  const [rows, setRows] = useState<readonly EditedRow[]>(stored.rules)
  const [matchMode, setMatchMode] = useState(stored.matchMode)
  const [isShown, setShown] = useState(false)
  const [tried, setTried] = useState<Tried | null>(null)
  const trial = useSessionMutation('compareCriteria')
  const save = useSaved()
  const faults = rowFaults(leadColumns, rows)
  const isGood = Object.keys(faults).length === 0
  const isChanged = JSON.stringify([rows, matchMode]) !== JSON.stringify([stored.rules, stored.matchMode])
  const isActive = source.status === 'active'
  const stopped = !isActive && 'Track the source again first'
  const body = { id: source.id, rules: leadRows(rows), matchMode }
  const change = (next: readonly EditedRow[], mode: typeof matchMode) => {
    setRows(next)
    setMatchMode(mode)
    setTried(null)
  }
  const attempt = (run: () => void) => (isGood ? run() : setShown(true))
  const tryOut = () => trial.mutate(body, { onSuccess: (answer) => setTried({ answer, rows: body.rules }) })
  return (
    <div className="flex flex-col gap-4">
      {!(can('member') && isActive) && <OnlyToTry isActive={isActive} />}
      <CriteriaRows {...{ rows, matchMode }} onChange={change} errors={isShown ? faults : {}} reason={stopped} />
      <div className="flex flex-wrap gap-2">
        <Button
          reason={stopped || (rows.length === 0 && 'Add a criterion to try')}
          busy={trial.isPending}
          onClick={() => attempt(tryOut)}
        >
          Try on stored leads
        </Button>
        <RoleButton
          needs="member"
          variant="primary"
          reason={stopped || (!isChanged && 'Nothing has been changed')}
          busy={save.isPending}
          onClick={() => attempt(() => save.mutate(body))}
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
      <Loaded query={query}>
        {(stored) => <Editor key={JSON.stringify([stored.rules, stored.matchMode])} source={source} stored={stored} />}
      </Loaded>
    </Card>
  )
}
