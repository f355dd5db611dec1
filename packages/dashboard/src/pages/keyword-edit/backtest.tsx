import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { hasCode, useSessionMutation, type SessionResult } from '../../api/index.ts'
import { Card, EmptyState, Notice, RoleButton, Stat, Switch, Tabs, count, credits } from '../../ui/index.ts'
import { AiFilter } from './ai-filter.tsx'
import type { Change, Draft } from './draft.ts'
import { LooksFor } from './looks-for.tsx'
import { Verdicts, differenceOf, mostPeople, type Verdict } from './verdicts.tsx'

/** A term as an expression: all its words, in any order; what stands in quotes stays a phrase. */
const termAsExpression = (term: string): string =>
  (term.match(/"[^"]*"|[^\s"]+/g) ?? [])
    .map((part) => (part.startsWith('"') || !/^(?:AND|OR|NOT)$/.test(part) ? part : `"${part}"`))
    .join(' AND ')

/** What a draft looks for as an expression: of terms, any. */
const expressionOf = (draft: Draft): string =>
  draft.kind === 'expression' ? draft.expression : draft.terms.map(termAsExpression).join(' OR ')

/** A change of words as a difference: posts it gains and loses, those it misses by one part, and what that costs at most. */
function Result({
  answer: { considered, kept, posts },
}: {
  readonly answer: SessionResult<'backtestKeyword'>
}): ReactNode {
  const { gained, lost, near } = differenceOf(posts)
  const [open, setOpen] = useState<'gained' | 'lost' | 'near' | 'all'>('all')
  const [more, less] = [mostPeople(gained), mostPeople(lost)]
  const tab = (value: 'gained' | 'lost' | 'near' | 'all', word: string, shown: readonly Verdict[], none: string) => ({
    value,
    label: `${word} (${count(shown.length)})`,
    content: shown.length === 0 ? <p className="p-4 text-sm text-muted">{none}</p> : <Verdicts posts={shown} />,
  })
  return (
    <>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-4" role="status">
        <Stat label="Posts judged" value={count(considered)} />
        <Stat label="Would be kept" value={count(kept)} />
        <Stat label="Gained" value={count(gained.length)} hint="that the search discarded" />
        <Stat label="Lost" value={count(lost.length)} hint="that the search kept" />
      </div>
      <p className="text-sm text-muted">
        {gained.length + lost.length === 0 ? (
          'Nothing is judged otherwise than the search judged it: it costs what it costs now.'
        ) : (
          <>
            Each person who engaged costs a credit once: at most {credits(more)} for those gained, and up to{' '}
            {credits(less)} less for those lost.
          </>
        )}
      </p>
      <Card flush title="Posts">
        <Tabs
          label="What would change"
          value={open}
          onValue={setOpen}
          tabs={[
            tab('all', 'All', posts, 'No posts.'),
            tab('gained', 'Gained', gained, 'No post that was discarded would be kept.'),
            tab('lost', 'Lost', lost, 'No post that was kept would be discarded.'),
            tab('near', 'Near misses', near, 'A near miss meets all parts but one, of several that are joined by AND.'),
          ]}
        />
      </Card>
    </>
  )
}

/** Tries an expression or an AI instruction out on posts that are stored already. */
export function Backtest({
  start,
  sourceId,
}: {
  readonly start: Draft
  readonly sourceId: string | undefined
}): ReactNode {
  const [draft, setDraft] = useState<Draft>({ ...start, kind: 'expression', expression: expressionOf(start) })
  const [onlyOwn, setOnlyOwn] = useState(sourceId !== undefined)
  const test = useSessionMutation('backtestKeyword', { quiet: true })
  const change: Change = (part) => setDraft({ ...draft, ...part })
  const expression = expressionOf(draft).trim()
  const hasAi = draft.aiProvider !== '' && draft.aiPrompt.trim() !== ''
  const run = () =>
    test.mutate({
      ...(expression === '' ? {} : { expression }),
      ...(hasAi
        ? { ai: { provider: draft.aiProvider, model: draft.aiModel.trim() || null, prompt: draft.aiPrompt } }
        : {}),
      ...(onlyOwn && sourceId !== undefined ? { sourceId } : {}),
      posts: hasAi ? 30 : 200,
    })
  const { data, error } = test
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm text-muted">
        Change the words or the instruction and see how posts you already have would be judged. Nothing is saved, no
        credit is used; an AI is asked with your own key.
      </p>
      <LooksFor draft={draft} onChange={change} bare />
      <AiFilter draft={draft} onChange={change} />
      <div className="flex flex-wrap items-center gap-4">
        <RoleButton
          needs="member"
          variant="primary"
          busy={test.isPending}
          reason={expression === '' && !hasAi && 'Name words or an instruction to try first.'}
          onClick={run}
        >
          Try it on stored posts
        </RoleButton>
        {sourceId !== undefined && (
          <Switch checked={onlyOwn} onChecked={setOnlyOwn} label="Only posts this search has seen" />
        )}
      </div>
      {error && (
        <Notice
          tone="bad"
          action={
            hasCode(error, 'credential_missing') || hasCode(error, 'credential_rejected') ? (
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
