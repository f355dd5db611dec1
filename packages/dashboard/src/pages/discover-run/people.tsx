import { creditAPersonSaid, normalizeHandle, readNetworkAddress } from '@les/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { LayoutGrid, Radar, Send, Table } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { bounds } from 'virtual:values'
import { useWrite, type InputOf, type ResultOf } from '../../api/index.ts'
import { Button, RoleButton } from '../../ui/button.tsx'
import { actsColumn, column, countColumn, type Column } from '../../ui/columns.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { count, countOf, decimal } from '../../ui/format.ts'
import { PrimaryLink } from '../../ui/link.tsx'
import { ListCard } from '../../ui/list-card.tsx'
import { EmptyState } from '../../ui/show.tsx'
import { QuotedDialog } from '../../ui/spend.tsx'
import { Avatar, SafeLink } from '../../ui/text.tsx'
import { toast } from '../../ui/toast.tsx'
import { CampaignSendDialog } from '../../sends/index.ts'

type Person = ResultOf<'getDiscoverRun'>['influencers'][number]

const nameOf = (person: Pick<Person, 'name'>): string => person.name ?? 'Name unknown'

function handleIn(address: string): string | null {
  const read = readNetworkAddress(address)
  return read?.kind === 'person' ? normalizeHandle(read.name) : null
}

type Recipient = NonNullable<InputOf<'sendLeads'>['people']>[number]

const recipientOf = ({ linkedinUrl, name, jobTitle, company, country }: Person): Recipient => ({
  profileUrl: linkedinUrl,
  name,
  jobTitle,
  company,
  country,
})

function TrackButton({ person }: { person: Person }) {
  const track = useWrite('enrichProfile', { quiet: true })
  const [quoting, setQuoting] = useState(false)
  const handle = handleIn(person.linkedinUrl)
  if (handle === null) return null
  const run = async () => {
    const { syncNotQueuedReason } = await track.mutateAsync({
      username: handle,
      saveTrackedProfile: true,
      creditCapPerSync: bounds.creditCap.default,
    })
    toast.good(
      `${nameOf(person)} is tracked now`,
      syncNotQueuedReason ?? 'People who engage with their posts are captured each day.',
    )
  }
  return (
    <>
      <RoleButton
        size="sm"
        busy={track.isPending}
        reason={track.isSuccess && `${nameOf(person)} is tracked already.`}
        icon={Radar}
        aria-label={track.isSuccess ? `Tracked: ${nameOf(person)}` : `Track ${nameOf(person)}`}
        onClick={() => setQuoting(true)}
      >
        {track.isSuccess ? 'Tracked' : 'Track'}
      </RoleButton>
      {quoting && (
        <QuotedDialog
          act={{ kind: 'track', sources: 1, mode: 'engagers', creditCapPerSync: bounds.creditCap.default }}
          title={`Track ${nameOf(person)}?`}
          text={`People who engage with their posts are captured about once a day. ${creditAPersonSaid}.`}
          confirm="Track"
          onConfirm={run}
          onClose={() => setQuoting(false)}
        />
      )}
    </>
  )
}

const workOf = ({ jobTitle, company }: Person): string =>
  [jobTitle, company].filter(Boolean).join(' at ') || 'Details are being looked up'

const columns: readonly Column<Person>[] = [
  column('Person', { sortBy: (row) => nameOf(row) }, (row) => (
    <div className="flex min-w-44 items-center gap-2.5">
      <Avatar src={row.avatarUrl} name={nameOf(row)} size={28} />
      <div className="min-w-0">
        <SafeLink href={row.linkedinUrl} icon={false} className="font-medium">
          {nameOf(row)}
        </SafeLink>
        <p className="text-[0.8125rem] break-words text-muted">{workOf(row)}</p>
      </div>
    </div>
  )),
  column(
    'Country',
    { sortBy: (row) => row.country },
    (row) => row.country ?? <span className="text-muted">unknown</span>,
  ),
  column('Engagements a post', { align: 'end', sortBy: (row) => row.averageEngagement }, (row) =>
    decimal(row.averageEngagement),
  ),
  column('Best post', { align: 'end', sortBy: (row) => row.highestEngagement }, (row) => (
    <SafeLink href={row.topPostUrl}>{count(row.highestEngagement)}</SafeLink>
  )),
  countColumn('Posts', (row) => row.postCount),
  actsColumn('Track', (row) => <TrackButton person={row} />),
]

const views = [
  { view: 'cards', label: 'Cards', icon: LayoutGrid, search: {} },
  { view: 'table', label: 'Table', icon: Table, search: { view: 'table' } },
] as const

function PersonCard({ person, box }: { person: Person; box: ReactNode }) {
  const figures = [
    ['engagements a post', decimal(person.averageEngagement)],
    ['on the best post', count(person.highestEngagement)],
    [person.postCount === 1 ? 'post found' : 'posts found', count(person.postCount)],
  ] as const
  return (
    <li className="flex min-w-0 flex-col gap-3 rounded-xl border border-line bg-surface p-4 text-sm">
      <div className="flex items-start gap-3">
        <Avatar src={person.avatarUrl} name={nameOf(person)} size={44} />
        <div className="min-w-0 flex-1">
          <p className="font-medium break-words">
            <SafeLink href={person.linkedinUrl} icon={false}>
              {nameOf(person)}
            </SafeLink>
          </p>
          <p className="break-words text-muted">{workOf(person)}</p>
          {person.country && <p className="text-[0.8125rem] text-muted">{person.country}</p>}
        </div>
        {box}
      </div>
      <dl className="grid grid-cols-3 gap-2 text-center">
        {figures.map(([label, value]) => (
          <div key={label} className="flex flex-col-reverse rounded-lg bg-sunken py-1.5">
            <dt className="text-xs text-muted">{label}</dt>
            <dd className="font-semibold tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
      {person.topPostText && <p className="line-clamp-4 break-words text-[0.8125rem]">{person.topPostText}</p>}
      <div className="mt-auto flex flex-wrap items-center justify-between gap-2 text-[0.8125rem]">
        <SafeLink href={person.topPostUrl}>Best post</SafeLink>
        <TrackButton person={person} />
      </div>
    </li>
  )
}

export function People({ people, isRunning }: { people: readonly Person[]; isRunning: boolean }) {
  const { view = 'cards' } = useSearch({ from: '/signed-in/team/discover/$id' })
  const navigate = useNavigate({ from: '/discover/$id' })
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const [isSending, setSending] = useState(false)
  const picked = people.filter((person) => chosen.has(person.linkedinUrl))
  if (people.length === 0)
    return (
      <EmptyState
        title={isRunning ? 'Nobody yet' : 'Nobody was found'}
        text={
          isRunning
            ? 'People appear here as they are added; no need to reload.'
            : 'Try a broader topic, more countries, or less engagement.'
        }
        action={
          !isRunning && (
            <PrimaryLink to="/discover" search={{ new: true }}>
              Search again
            </PrimaryLink>
          )
        }
      />
    )
  const box = (person: Person) => (
    <Checkbox
      label={`Choose ${nameOf(person)}`}
      hideLabel
      value={chosen.has(person.linkedinUrl)}
      onValue={(on) =>
        setChosen((before) => {
          const others = [...before].filter((each) => each !== person.linkedinUrl)
          return new Set(on ? [...others, person.linkedinUrl] : others)
        })
      }
    />
  )
  return (
    <section className="flex flex-col gap-4" aria-label="People of this run">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <Checkbox
            label={
              picked.length > 0
                ? `${count(picked.length)} chosen`
                : `Choose all ${countOf(people.length, 'person', 'people')}`
            }
            value={picked.length === people.length}
            indeterminate={picked.length > 0 && picked.length < people.length}
            onValue={(on) => setChosen(new Set(on ? people.map((person) => person.linkedinUrl) : []))}
          />
          <RoleButton
            size="sm"
            reason={picked.length === 0 && 'Choose people first.'}
            icon={Send}
            onClick={() => setSending(true)}
          >
            Send to campaign
          </RoleButton>
        </div>
        <fieldset className="flex gap-1">
          <legend className="sr-only">Show as</legend>
          {views.map((each) => (
            <Button
              key={each.view}
              size="sm"
              variant={each.view === view ? 'secondary' : 'ghost'}
              aria-pressed={each.view === view}
              icon={each.icon}
              onClick={() => void navigate({ search: each.search })}
            >
              {each.label}
            </Button>
          ))}
        </fieldset>
      </div>
      {view === 'cards' ? (
        <ul aria-label="People" className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
          {people.map((person) => (
            <PersonCard key={person.linkedinUrl} person={person} box={box(person)} />
          ))}
        </ul>
      ) : (
        <ListCard
          label="People"
          columns={[column('Choose', { hideHeader: true }, box), ...columns]}
          rows={people}
          rowId={(row) => row.linkedinUrl}
        />
      )}
      {isSending && (
        <CampaignSendDialog
          wantedFor={(campaignId) => ({ kind: 'people', campaignId, people: picked.map(recipientOf) })}
          onClose={() => setSending(false)}
        />
      )}
    </section>
  )
}
