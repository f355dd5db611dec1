import { Link, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTeam, useV1Query } from '../../api/index.ts'
import { EmptyState, ErrorState, PageFrame, Served, Skeleton, buttonClass } from '../../ui/index.ts'
import { draftOf, emptyDraft } from './draft.ts'
import { NewSearch } from './new-search.tsx'

/** A new search that begins as a copy of another, once all are loaded: the service lists searches and reads none by itself. */
function Copied({ id }: { readonly id: string }): ReactNode {
  const query = useV1Query('listSources', { type: 'keyword', includeInactive: true }, { topic: 'keywords' })
  const row = query.data?.sources.find((each) => each.id === id)
  if (row !== undefined) return <NewSearch start={{ ...draftOf(row), name: '' }} />
  return (
    <PageFrame title="Keyword search">
      {query.isPending && <Skeleton lines={6} />}
      {query.error && <ErrorState error={query.error} retry={() => void query.refetch()} />}
      {query.data && (
        <EmptyState
          title="There is no such search"
          text="It may belong to another team, or was deleted."
          action={
            <Link to="/keyword" className={buttonClass('primary')}>
              All keyword searches
            </Link>
          }
        />
      )}
    </PageFrame>
  )
}

/** The page that makes a keyword search. */
export function Page(): ReactNode {
  const { from, terms } = useSearch({ from: '/signed-in/team/keyword/new' })
  const { status } = useTeam()
  if (status === 'expired')
    return (
      <PageFrame title="Keyword search">
        <Served>{null}</Served>
      </PageFrame>
    )
  return from === undefined ? (
    <NewSearch key={terms} {...(terms === undefined ? {} : { start: { ...emptyDraft, terms: [terms] } })} />
  ) : (
    <Copied key={from} id={from} />
  )
}
