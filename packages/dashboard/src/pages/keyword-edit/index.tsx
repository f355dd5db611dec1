import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useRead, useTeam, useWrite } from '../../api/index.ts'
import { RoleButton } from '../../ui/button.tsx'
import { BackLink, PrimaryLink } from '../../ui/link.tsx'
import { PageFrame } from '../../ui/page.tsx'
import { EmptyState, Failure, Loaded } from '../../ui/show.tsx'
import { toast } from '../../ui/toast.tsx'
import { changed, draftOf, emptyDraft, looksForSomething, trackOf, waitsFor, type Change, type Draft } from './draft.ts'
import { LooksFor } from './fields.tsx'
import { Form, useGates } from './form.tsx'

function NewSearch({ start = emptyDraft }: { start?: Draft }) {
  const navigate = useNavigate()
  const [draft, setDraft] = useState(start)
  const track = useGates(useWrite('trackKeyword', { quiet: true }))
  const change: Change = (part) => setDraft((now) => changed(now, part))
  const save = () =>
    track.run(trackOf(draft), (result) => {
      toast.good(
        result.resumed ? 'The search continues' : 'The search was made',
        result.syncNotQueuedReason ?? 'Its first run starts now.',
      )
      void navigate({ to: '/sources/$id', params: { id: result.id } })
    })
  const foot = (
    <div className="flex flex-col gap-3">
      <Failure error={track.error} title="It was not saved" />
      <div>
        <RoleButton
          variant="primary"
          size="lg"
          busy={track.pending}
          reason={!looksForSomething(draft) ? 'Name at least one term or an expression first.' : waitsFor(draft)}
          onClick={save}
        >
          Start the search
        </RoleButton>
      </div>
    </div>
  )
  return (
    <PageFrame
      title="New keyword search"
      text="It runs once a day. Nothing is charged before you agree to the figures."
      back={<BackLink to="/keyword">Keyword searches</BackLink>}
    >
      <Form draft={draft} onChange={change} isNew head={<LooksFor draft={draft} onChange={change} />} foot={foot} />
      {track.dialog}
    </PageFrame>
  )
}

/** A new search copied from another, found in the list, since the service has no read of a single one. */
function Copied({ id }: { id: string }) {
  const query = useRead('listSources', { type: 'keyword', includeInactive: true }, { topic: 'keywords' })
  const row = query.data?.sources.find((each) => each.id === id)
  if (row !== undefined) return <NewSearch start={{ ...draftOf(row), name: '' }} />
  return (
    <PageFrame title="Keyword search">
      <Loaded query={query} lines={6}>
        {() => (
          <EmptyState
            title="There is no such search"
            text="It may belong to another team, or was deleted."
            action={<PrimaryLink to="/keyword">All keyword searches</PrimaryLink>}
          />
        )}
      </Loaded>
    </PageFrame>
  )
}

export function Page() {
  const { from, terms } = useSearch({ from: '/signed-in/team/keyword/new' })
  const { status } = useTeam()
  if (status === 'expired')
    return (
      <PageFrame title="Keyword search" served>
        {null}
      </PageFrame>
    )
  return from === undefined ? (
    <NewSearch key={terms} {...(terms === undefined ? {} : { start: { ...emptyDraft, terms: [terms] } })} />
  ) : (
    <Copied key={from} id={from} />
  )
}
