import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { hasCode, useWrite, type ResultOf } from '../../api/index.ts'
import { RoleButton } from '../../ui/button.tsx'
import { Switch } from '../../ui/field.tsx'
import { count, countOf } from '../../ui/format.ts'
import { Tabs } from '../../ui/page.tsx'
import { RecordList } from '../../ui/record-list.tsx'
import { Badge, Card, EmptyState, Notice, Stats } from '../../ui/show.tsx'
import { TimeAgo } from '../../ui/text.tsx'
import { comparedColumns } from '../source-detail/compared.tsx'
import { PostItem } from '../sources/post-item.tsx'
import { changed, type Change, type Draft } from './draft.ts'
import { AiFilter, LooksFor } from './fields.tsx'

type Verdict = ResultOf<'backtestKeyword'>['posts'][number]
type Kind = 'gained' | 'lost' | 'near'

/** True when the search as it is judges the post otherwise: by its present words, where those are compared with. */
const differs = (post: Verdict): boolean => post.now !== null && post.now !== post.kept

/** Which posts are gained and lost against the words the search has, and which miss by one part alone. */
const postDifference = (posts: readonly Verdict[]): Readonly<Record<Kind, readonly Verdict[]>> => ({
  gained: posts.filter((post) => post.kept && post.now === false),
  lost: posts.filter((post) => !post.kept && post.now === true),
  near: posts.filter((post) => !post.kept && post.missesBy !== null),
})

function Verdicts({ posts }: { posts: readonly Verdict[] }) {
  return (
    <ul className="flex flex-col divide-y divide-line">
      {posts.map((post) => (
        <PostItem
          key={post.urn}
          isMarked={differs(post)}
          tags={
            <>
              <Badge tone={post.kept ? 'good' : 'neutral'}>{post.kept ? 'would be kept' : 'would be discarded'}</Badge>
              {differs(post) && <Badge tone="info">now {post.now ? 'kept' : 'discarded'}</Badge>}
            </>
          }
          author={post.author}
          when={<TimeAgo at={post.postedAt} none="time unknown" />}
          text={post.text}
          reason={[post.missesBy !== null && `All but ${post.missesBy} · `, post.reason && `${post.reason} · `]}
          url={post.url}
        />
      ))}
    </ul>
  )
}

type WordDifference = NonNullable<ResultOf<'backtestKeyword'>['difference']>

/** What the present words keep and those tried would, in one sentence. */
function changeWords({ posts: { gained, lost } }: WordDifference): string {
  if (gained + lost === 0) return 'The same posts would be kept as now, at the same cost.'
  const parts = [
    gained > 0 && `${countOf(gained, 'post')} would be kept that ${gained === 1 ? 'is' : 'are'} discarded now`,
    lost > 0 && `${countOf(lost, 'post')} discarded that ${lost === 1 ? 'is' : 'are'} kept now`,
  ].filter((part) => part !== false)
  return gained === 0
    ? `${parts.join('').replace('discarded that', 'would be discarded that')}.`
    : `${parts.join(', ')}.`
}

const range = (from: number, to: number): string =>
  from === to ? countOf(to, 'credit') : `${count(from)} to ${countOf(to, 'credit')}`

/** What that is expected to cost; a run never spends more than its cap. */
function costWords({ posts: { gained, lost }, credits: { from, to, lost: paid }, creditCap }: WordDifference): string {
  const more =
    gained > 0 &&
    `Gained posts are expected to cost ${range(from, to)}, each person once, at most ${count(creditCap)} a run.`
  const less = lost > 0 && `Lost posts have cost ${countOf(paid, 'credit')}.`
  return [more, less].filter((part) => part !== false).join(' ')
}

/** Why people are compared that far and no further. */
const peopleHint = (isExpression: boolean): string =>
  isExpression
    ? 'Counts only people your sources have captured on these posts; more may have engaged.'
    : 'The search takes what the network finds for its terms; an expression takes only posts that contain its words. Counts only people your sources have captured on these posts.'

function People({ kind, difference }: { kind: Kind; difference: WordDifference }) {
  const shown = difference[`${kind}People`]
  const total = difference.people[kind]
  if (total === 0) return null
  return (
    <div className="flex flex-col gap-1 border-b border-line p-4">
      <p className="text-sm font-medium">
        {countOf(total, 'person', 'people')} known
        {total > shown.length && `, the newest ${shown.length} shown`}
      </p>
      <RecordList
        label={`People ${kind === 'near' ? 'on near misses' : kind}`}
        columns={comparedColumns}
        rows={shown}
        rowId={({ leadId }) => leadId}
      />
    </div>
  )
}

function Difference({ difference, posts }: { difference: WordDifference; posts: readonly Verdict[] }) {
  const of = postDifference(posts)
  const { people } = difference
  const [open, setOpen] = useState<Kind | 'all'>(of.gained.length > 0 ? 'gained' : of.lost.length > 0 ? 'lost' : 'all')
  const tab = (value: Kind, word: string, none: string) => ({
    value,
    label: `${word} (${count(of[value].length)})`,
    content:
      of[value].length === 0 ? (
        <p className="p-4 text-sm text-muted">{none}</p>
      ) : (
        <>
          <People kind={value} difference={difference} />
          <Verdicts posts={of[value]} />
        </>
      ),
  })
  return (
    <>
      <Stats
        live
        stats={[
          ['Posts kept now', count(posts.filter((post) => post.now).length), difference.words],
          ['Would be kept', count(posts.filter((post) => post.kept).length), `of ${count(posts.length)}`],
          ['People gained', count(people.gained), countOf(of.gained.length, 'post')],
          ['People lost', count(people.lost), countOf(of.lost.length, 'post')],
        ]}
      />
      <div className="flex flex-col gap-0.5 text-sm">
        <p className="font-medium">{changeWords(difference)}</p>
        <p>{costWords(difference)}</p>
        <p className="text-[0.8125rem] text-muted">{peopleHint(difference.isExpression)}</p>
      </div>
      {!difference.isWhole && <Notice>Only the newest 50,000 leads on these posts were looked at.</Notice>}
      <Card flush title="What would change">
        <Tabs
          label="What would change"
          value={open}
          onValue={setOpen}
          tabs={[
            tab('gained', 'Gained', 'No post that is discarded now would be kept.'),
            tab('lost', 'Lost', 'No post that is kept now would be discarded.'),
            tab('near', 'Near misses', 'A near miss meets all but one of the parts joined by AND.'),
            { value: 'all', label: `All (${count(posts.length)})`, content: <Verdicts posts={posts} /> },
          ]}
        />
      </Card>
    </>
  )
}

/** A term as an expression: all its words, in any order; what stands in quotes stays a phrase. */
const termAsExpression = (term: string): string =>
  (term.match(/"[^"]*"|[^\s"]+/g) ?? [])
    .map((part) => (part.startsWith('"') || !/^(?:AND|OR|NOT)$/.test(part) ? part : `"${part}"`))
    .join(' AND ')

/** What a draft looks for as an expression: of terms, any. */
const expressionOf = (draft: Draft): string =>
  draft.kind === 'expression' ? draft.expression : draft.terms.map(termAsExpression).join(' OR ')

/** What came of a trial: a difference where it is of a search, else the posts as they would be judged. */
function Result({ answer: { considered, kept, posts, difference } }: { answer: ResultOf<'backtestKeyword'> }) {
  if (difference !== null) return <Difference difference={difference} posts={posts} />
  return (
    <>
      <Stats
        live
        stats={[
          ['Posts judged', count(considered)],
          ['Would be kept', count(kept)],
        ]}
      />
      <Card flush title="Posts">
        <Verdicts posts={posts} />
      </Card>
    </>
  )
}

/** A trial as the service takes it; an AI reads fewer posts, as each costs the team's own key. */
function requestOf(draft: Draft, compared: { sourceId: string | undefined; onlyOwn: boolean }) {
  const { sourceId, onlyOwn } = compared
  const expression = expressionOf(draft).trim()
  const hasAi = draft.aiProvider !== '' && draft.aiPrompt.trim() !== ''
  return {
    ...(expression === '' ? {} : { expression }),
    ...(hasAi
      ? { ai: { provider: draft.aiProvider, model: draft.aiModel.trim() || null, prompt: draft.aiPrompt } }
      : {}),
    ...(sourceId === undefined ? {} : onlyOwn ? { sourceId } : { compareWith: sourceId }),
    posts: hasAi ? 30 : 200,
  }
}

export function Backtest({ start, sourceId }: { start: Draft; sourceId: string | undefined }) {
  const [draft, setDraft] = useState<Draft>({ ...start, kind: 'expression', expression: expressionOf(start) })
  const [onlyOwn, setOnlyOwn] = useState(sourceId !== undefined)
  const test = useWrite('backtestKeyword', { quiet: true })
  const change: Change = (part) => setDraft((now) => changed(now, part))
  const request = requestOf(draft, { sourceId, onlyOwn })
  const { data, error } = test
  const isKey = hasCode(error, 'credential_missing') || hasCode(error, 'credential_rejected')
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm text-muted">
        Change the words or the instruction and see which posts and people you would gain and lose. Nothing is saved and
        no credits are used; an AI is called with your own key.
      </p>
      <LooksFor draft={draft} onChange={change} bare />
      <AiFilter draft={draft} onChange={change} />
      <div className="flex flex-wrap items-center gap-4">
        <RoleButton
          variant="primary"
          busy={test.isPending}
          reason={!request.expression && !request.ai && 'Name words or an instruction to try first.'}
          onClick={() => test.mutate(request)}
        >
          Try it on stored posts
        </RoleButton>
        {sourceId !== undefined && (
          <Switch value={onlyOwn} onValue={setOnlyOwn} label="Only posts this search has seen" />
        )}
      </div>
      {error && (
        <Notice
          tone="bad"
          action={
            isKey ? (
              <Link to="/settings" search={{ tab: 'credentials' }} className="font-medium underline">
                Keys under Settings
              </Link>
            ) : undefined
          }
        >
          {error.message}
        </Notice>
      )}
      {data && data.considered === 0 && (
        <EmptyState
          title="No stored posts to try it on"
          text="Posts are stored once a source has been synced or a search has run."
        />
      )}
      {data && data.considered > 0 && <Result answer={data} />}
    </div>
  )
}
