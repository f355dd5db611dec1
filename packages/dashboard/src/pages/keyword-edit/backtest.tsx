import { Link } from '@tanstack/react-router'
import { useState, type ReactNode } from 'react'
import { hasCode, useSessionMutation, type SessionResult } from '../../api/index.ts'
import { Card, EmptyState, Notice, RoleButton, Stat, Switch, count } from '../../ui/index.ts'
import { AiFilter } from './ai-filter.tsx'
import { Difference } from './difference.tsx'
import { changed, type Change, type Draft } from './draft.ts'
import { LooksFor } from './looks-for.tsx'
import { Verdicts } from './verdicts.tsx'

/** A term as an expression: all its words, in any order; what stands in quotes stays a phrase. */
const termAsExpression = (term: string): string =>
  (term.match(/"[^"]*"|[^\s"]+/g) ?? [])
    .map((part) => (part.startsWith('"') || !/^(?:AND|OR|NOT)$/.test(part) ? part : `"${part}"`))
    .join(' AND ')

/** What a draft looks for as an expression: of terms, any. */
const expressionOf = (draft: Draft): string =>
  draft.kind === 'expression' ? draft.expression : draft.terms.map(termAsExpression).join(' OR ')

/** What came of a trial: a difference where it is of a search, else the posts as they would be judged. */
function Result({
  answer: { considered, kept, posts, difference },
}: {
  readonly answer: SessionResult<'backtestKeyword'>
}): ReactNode {
  if (difference !== null) return <Difference difference={difference} posts={posts} />
  return (
    <>
      <div className="grid grid-cols-2 gap-3" role="status">
        <Stat label="Posts judged" value={count(considered)} />
        <Stat label="Would be kept" value={count(kept)} />
      </div>
      <Card flush title="Posts">
        <Verdicts posts={posts} />
      </Card>
    </>
  )
}

/** A trial as the service takes it; an AI reads fewer posts, as each costs the team's own key. */
function requestOf(draft: Draft, compared: { readonly sourceId: string | undefined; readonly onlyOwn: boolean }) {
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

/** Why a trial failed, with the way to the keys where a key is what is missing. */
function Failure({ error }: { readonly error: Error }): ReactNode {
  const isKey = hasCode(error, 'credential_missing') || hasCode(error, 'credential_rejected')
  return (
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
  const change: Change = (part) => setDraft((now) => changed(now, part))
  const request = requestOf(draft, { sourceId, onlyOwn })
  const { data, error } = test
  return (
    <div className="flex flex-col gap-5">
      <p className="text-sm text-muted">
        Change the words or the instruction and see which posts and people that gains and loses. Nothing is saved, no
        credit is used; an AI is asked with your own key.
      </p>
      <LooksFor draft={draft} onChange={change} bare />
      <AiFilter draft={draft} onChange={change} />
      <div className="flex flex-wrap items-center gap-4">
        <RoleButton
          needs="member"
          variant="primary"
          busy={test.isPending}
          reason={!request.expression && !request.ai && 'Name words or an instruction to try first.'}
          onClick={() => test.mutate(request)}
        >
          Try it on stored posts
        </RoleButton>
        {sourceId !== undefined && (
          <Switch checked={onlyOwn} onChecked={setOnlyOwn} label="Only posts this search has seen" />
        )}
      </div>
      {error && <Failure error={error} />}
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
