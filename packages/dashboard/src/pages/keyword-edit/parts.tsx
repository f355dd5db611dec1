import { contractVersions } from '@les/contract'
import { useNavigate } from '@tanstack/react-router'
import { Copy, Play } from 'lucide-react'
import { useState } from 'react'
import { useReadAt, useWrite } from '../../api/index.ts'
import { Button, RoleButton } from '../../ui/button.tsx'
import { Select } from '../../ui/field.tsx'
import { choicesOf, FormFields } from '../../ui/form.tsx'
import { countOf } from '../../ui/format.ts'
import { Badge, Bullets, Card, Failure, Notice } from '../../ui/show.tsx'
import { TimeAgo } from '../../ui/text.tsx'
import { toast } from '../../ui/toast.tsx'
import { useAddress } from '../../app/address.ts'
import { runWords, type SearchRow } from '../keyword/words.ts'
import { PostList } from '../sources/post-item.tsx'
import { Backtest } from './backtest.tsx'
import { changed, draftOf, editOf, waitsFor, type Change } from './draft.ts'
import { nameField } from './fields.tsx'
import { Form, useGates } from './form.tsx'

function EditForm({ row }: { row: SearchRow }) {
  const [before, setBefore] = useState(() => draftOf(row))
  const [draft, setDraft] = useState(before)
  const edit = useGates(useWrite('editKeyword', { quiet: true }))
  const change: Change = (part) => setDraft((now) => changed(now, part))
  const request = editOf(row.id, before, draft)
  const cannot = waitsFor(draft) || (request === null && 'Nothing has been changed.')
  const save = () =>
    request !== null &&
    edit.run(request, () => {
      setBefore(draft)
      toast.good('Saved', 'It applies from the next run.')
    })
  const foot = (
    <div className="flex flex-col gap-3">
      <Failure error={edit.error} title="It was not saved" />
      {row.status === 'inactive' && <Notice tone="info">The search is stopped: start it again to edit it.</Notice>}
      <div className="flex gap-2">
        <RoleButton
          variant="primary"
          busy={edit.pending}
          reason={row.status === 'inactive' ? 'Start the search again to edit it.' : cannot}
          onClick={save}
        >
          Save changes
        </RoleButton>
        <Button reason={cannot} onClick={() => setDraft(before)}>
          Discard changes
        </Button>
      </div>
    </div>
  )
  return (
    <>
      <Form
        draft={draft}
        onChange={change}
        isNew={false}
        head={
          <Card
            title="What it looks for"
            text="What a search looks for cannot be edited: make another search instead."
            stack
          >
            {row.expression ? (
              <code className="font-mono text-sm break-words">{row.expression}</code>
            ) : (
              <Bullets className="text-sm" lines={row.keywords ?? []} />
            )}
            <FormFields fields={[nameField]} form={draft} onChange={change} />
          </Card>
        }
        foot={foot}
      />
      {edit.dialog}
    </>
  )
}

function LastRun({ row }: { row: SearchRow }) {
  if (row.lastRun === undefined) return null
  const { maxRuns, runsCompleted = 0 } = row.schedule ?? {}
  const made = maxRuns == null ? [] : [`${countOf(runsCompleted, 'run')} of ${maxRuns} made.`]
  return (
    <Card title="What the last run did">
      <Bullets className="text-sm" lines={[...runWords({ ...row, lastRun: row.lastRun }), ...made]} />
    </Card>
  )
}

function SearchActions({ row }: { row: SearchRow }) {
  const navigate = useNavigate()
  const track = useGates(useWrite('trackKeyword', { quiet: true }))
  const edit = useGates(useWrite('editKeyword', { quiet: true }))
  const isStopped = row.status === 'inactive'
  const again = isStopped ? track : edit
  const { creditCap, captureMode, datePosted, expression, keywords } = row
  /** Restarts a search stopped by hand, with its settings and an immediate run. */
  const resume = () =>
    track.run(
      {
        ...(expression ? { expression } : { keywords: keywords ?? [] }),
        ...{ creditCap, captureMode, datePosted, contractVersion: contractVersions.spend },
      },
      (result) => toast.good('The search continues', result.syncNotQueuedReason ?? 'A run starts now.'),
    )
  /** Restarts a search whose schedule has ended, daily without end. */
  const lift = () =>
    edit.run({ id: row.id, runOnce: false, maxRuns: null, endAt: null }, (result) =>
      toast.good('The search runs daily again', result.syncNotQueuedReason),
    )
  return (
    <>
      <Button icon={Copy} onClick={() => void navigate({ to: '/keyword/new', search: { from: row.id } })}>
        Make another like this
      </Button>
      {(isStopped || row.schedule?.stoppedAt) && (
        <RoleButton variant="primary" busy={again.pending} icon={Play} onClick={isStopped ? resume : lift}>
          {isStopped ? 'Start again' : 'Run daily again'}
        </RoleButton>
      )}
      <Failure error={again.error} className="w-full" />
      {again.dialog}
    </>
  )
}

function Posts({ id }: { id: string }) {
  const { search, change, ...address } = useAddress('/signed-in/team/sources/$id')
  const { posts: only } = search
  const pages = address.pages(25)
  const query = useReadAt('listKeptPosts', pages, { id, include: only === 'kept' ? undefined : 'swept' })
  return (
    <PostList
      query={query}
      pages={pages}
      text="Newest decision first."
      empty={{
        title: 'No posts yet',
        text: 'They appear here while the search runs, each with the reason it was kept or left out.',
      }}
      actions={
        <Select
          aria-label="Which posts"
          value={only ?? 'all'}
          onValue={(value) => change({ posts: value === 'all' ? undefined : value })}
          choices={choicesOf({ all: 'Kept and discarded', kept: 'Kept only' })}
        />
      }
      item={(post) => ({
        key: `${post.postUrn} ${post.decidedAt}`,
        tags: <Badge tone={post.outcome === 'kept' ? 'good' : 'neutral'}>{post.outcome}</Badge>,
        author: post.author?.name,
        headline: post.author?.headline,
        when: (
          <>
            posted <TimeAgo at={post.postedAt} none="at a time unknown" /> ·{' '}
            {countOf(post.totalReactionCount ?? 0, 'reaction')}, {countOf(post.commentsCount ?? 0, 'comment')}
          </>
        ),
        text: post.text,
        reason: (
          <>
            {post.reason && `${post.reason} · `}judged <TimeAgo at={post.decidedAt} /> ·{' '}
          </>
        ),
        url: post.url,
      })}
    />
  )
}

export type SearchPart = 'actions' | 'settings' | 'last-run' | 'posts' | 'try'

export function Part({ part, row }: { part: SearchPart; row: SearchRow }) {
  switch (part) {
    case 'actions':
      return <SearchActions row={row} />
    case 'settings':
      return <EditForm key={row.id} row={row} />
    case 'last-run':
      return <LastRun row={row} />
    case 'posts':
      return <Posts id={row.id} />
    case 'try':
      return <Backtest key={row.id} start={draftOf(row)} sourceId={row.id} />
  }
}
