import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { LayoutGrid, Send, Table } from 'lucide-react'
import { useCallback, useState, type ReactNode } from 'react'
import { Button, buttonClass, Checkbox, EmptyState, RoleButton, count, countOf } from '../../ui/index.ts'
import { CampaignSendDialog } from '../../sends/index.ts'
import { Cards } from './cards.tsx'
import { PeopleTable } from './people-table.tsx'
import { recipientOf, type Person } from './person.ts'

function Nobody({ isRunning }: { readonly isRunning: boolean }): ReactNode {
  return (
    <EmptyState
      title={isRunning ? 'Nobody yet' : 'Nobody was found'}
      text={
        isRunning
          ? 'People appear here as they are added; nothing to reload.'
          : 'Try a broader topic, more countries, or less engagement.'
      }
      action={
        !isRunning && (
          <Link to="/discover" search={{ new: true }} className={buttonClass('primary')}>
            Search again
          </Link>
        )
      }
    />
  )
}

/** Cards or a table; the choice stands in the address. */
function ViewChoice(): ReactNode {
  const { view = 'cards' } = useSearch({ from: '/signed-in/team/discover/$id' })
  const navigate = useNavigate({ from: '/discover/$id' })
  return (
    <fieldset className="flex gap-1">
      <legend className="sr-only">Show as</legend>
      <Button
        size="sm"
        variant={view === 'cards' ? 'secondary' : 'ghost'}
        aria-pressed={view === 'cards'}
        icon={<LayoutGrid aria-hidden="true" size={14} />}
        onClick={() => void navigate({ search: {} })}
      >
        Cards
      </Button>
      <Button
        size="sm"
        variant={view === 'table' ? 'secondary' : 'ghost'}
        aria-pressed={view === 'table'}
        icon={<Table aria-hidden="true" size={14} />}
        onClick={() => void navigate({ search: { view: 'table' } })}
      >
        Table
      </Button>
    </fieldset>
  )
}

/** Which people are chosen, by their addresses. */
function useChosen() {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const toggle = useCallback(
    (url: string, next: boolean) =>
      setChosen((before) => new Set(next ? [...before, url] : [...before].filter((each) => each !== url))),
    [],
  )
  return { chosen, setChosen, toggle }
}

/** Chooses everybody or nobody, and says how many are chosen. */
function ChooseAll({
  people,
  picked,
  onChosen,
}: {
  readonly people: readonly Person[]
  readonly picked: number
  readonly onChosen: (chosen: ReadonlySet<string>) => void
}): ReactNode {
  return (
    <Checkbox
      label={picked > 0 ? `${count(picked)} chosen` : `Choose all ${countOf(people.length, 'person', 'people')}`}
      checked={picked === people.length}
      indeterminate={picked > 0 && picked < people.length}
      onChecked={(next) => onChosen(new Set(next ? people.map((person) => person.linkedinUrl) : []))}
    />
  )
}

/** The people of a run, to choose from, track and send. */
export function People({
  people,
  isRunning,
}: {
  readonly people: readonly Person[]
  readonly isRunning: boolean
}): ReactNode {
  const { view = 'cards' } = useSearch({ from: '/signed-in/team/discover/$id' })
  const { chosen, setChosen, toggle } = useChosen()
  const [sending, setSending] = useState(false)
  const picked = people.filter((person) => chosen.has(person.linkedinUrl))
  if (people.length === 0) return <Nobody isRunning={isRunning} />
  return (
    <section className="flex flex-col gap-4" aria-label="People of this run">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <ChooseAll people={people} picked={picked.length} onChosen={setChosen} />
          <RoleButton
            needs="member"
            size="sm"
            reason={picked.length === 0 && 'Choose people first.'}
            icon={<Send aria-hidden="true" size={14} />}
            onClick={() => setSending(true)}
          >
            Send to campaign
          </RoleButton>
        </div>
        <ViewChoice />
      </div>
      {view === 'cards' ? (
        <Cards people={people} chosen={chosen} onToggle={toggle} />
      ) : (
        <PeopleTable people={people} chosen={chosen} onToggle={toggle} />
      )}
      {sending && (
        <CampaignSendDialog
          wantedFor={(campaignId) => ({ kind: 'people', campaignId, people: picked.map(recipientOf) })}
          onClose={() => setSending(false)}
        />
      )}
    </section>
  )
}
