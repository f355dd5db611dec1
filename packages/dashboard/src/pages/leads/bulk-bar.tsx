import { Ban, X } from 'lucide-react'
import { useTeam } from '../../api/me.ts'
import { asTexts } from '../../sends/index.ts'
import { Button, RoleButton } from '../../ui/button.tsx'
import { countOf } from '../../ui/format.ts'
import { focusListNextTo } from '../../ui/list-keys.ts'
import { useExclude } from '../exclusions/exclude.tsx'
import { leadInput, type Filters } from './filters.ts'
import type { Picked } from './lists.tsx'
import { SendActs, type Chosen } from './send-acts.tsx'

/** Actions for chosen rows, or for all matching; `push` for leads, since only they have a source each. */
export function BulkBar<T extends { readonly id: string; readonly linkedinUrl: string }>({
  picked: { rows, all, matching, chooseAll, clear },
  filters,
  push,
}: {
  picked: Picked<T>
  filters: Filters
  push: boolean
}) {
  const team = useTeam()
  const { add } = useExclude()
  const exclude = (chosen: readonly T[]) => {
    const people = [...new Set(chosen.map(({ linkedinUrl }) => linkedinUrl))]
    return add(
      people.map((value) => ({ kind: 'person', value })),
      countOf(people.length, 'person', 'people'),
    )
  }
  if (rows.length === 0 && !all) return null
  const leads: Chosen = all
    ? { by: 'filters', filters: asTexts(leadInput(filters)) }
    : { by: 'ids', ids: rows.map(({ id }) => id) }
  return (
    <section
      aria-label="Chosen rows"
      className="flex flex-wrap items-center gap-2 rounded-lg bg-accent-soft px-3 py-2 text-sm text-accent-text"
    >
      <span className="font-medium tabular-nums" role="status">
        {all
          ? `All ${matching === null ? '' : `${matching} `}${push ? 'leads' : 'people'} that match are chosen`
          : `${countOf(rows.length, push ? 'lead' : 'person', push ? 'leads' : 'people')} chosen`}
      </span>
      {!all && (
        <Button size="sm" variant="ghost" onClick={chooseAll}>
          Choose all that match
        </Button>
      )}
      <span className="ml-auto flex flex-wrap items-center gap-2">
        {!team.can('member') && <span>Only members may send leads; you are a viewer.</span>}
        <SendActs leads={leads} push={push} size="sm" />
        {!all && (
          <RoleButton size="sm" icon={Ban} onClick={() => void exclude(rows)}>
            Exclude
          </RoleButton>
        )}
        <Button
          size="sm"
          variant="ghost"
          icon={X}
          onClick={(event) => {
            // The bar disappears with its button, so the focus moves to the list.
            focusListNextTo(event.currentTarget.closest('section'))
            clear()
          }}
        >
          Clear selection
        </Button>
      </span>
    </section>
  )
}
