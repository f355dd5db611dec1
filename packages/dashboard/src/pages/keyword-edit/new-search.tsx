import { Link, useNavigate } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { useV1Mutation } from '../../api/index.ts'
import { Notice, PageFrame, RoleButton, toast } from '../../ui/index.ts'
import { changed, emptyDraft, looksForSomething, waitsFor, type Change, type Draft } from './draft.ts'
import { Form } from './form.tsx'
import { useGates } from './gates.tsx'
import { LooksFor } from './looks-for.tsx'
import { trackOf } from './requests.ts'

/** Builds a new search. */
export function NewSearch({ start = emptyDraft }: { readonly start?: Draft }): ReactNode {
  const navigate = useNavigate()
  const [draft, setDraft] = useState(start)
  const track = useGates(
    useV1Mutation('trackKeyword', { quiet: true, refreshes: ['keywords', 'sources', 'syncs', 'credits'] }),
  )
  const change: Change = (part) => setDraft((now) => changed(now, part))
  const save = () =>
    track.run(trackOf(draft), (result) => {
      toast.good(
        result.resumed ? 'The search goes on' : 'The search was made',
        result.syncNotQueuedReason ?? 'Its first run starts now.',
      )
      void navigate({ to: '/sources/$id', params: { id: result.id } })
    })
  const foot = (
    <div className="flex flex-col gap-3">
      {track.error && (
        <Notice tone="bad" title="It was not saved">
          {track.error.message}
        </Notice>
      )}
      <div>
        <RoleButton
          needs="member"
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
      back={
        <Link to="/keyword" className="text-sm text-muted underline-offset-2 hover:underline">
          Keyword searches
        </Link>
      }
    >
      <Form draft={draft} onChange={change} isNew head={<LooksFor draft={draft} onChange={change} />} foot={foot} />
      {track.dialogs}
    </PageFrame>
  )
}
