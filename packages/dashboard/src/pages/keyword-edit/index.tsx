import { Link, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTeam, useV1Query } from '../../api/index.ts'
import { EmptyState, ErrorState, PageFrame, Served, Skeleton, buttonClass } from '../../ui/index.ts'
import { draftOf } from './draft.ts'
import { NewSearch } from './new-search.tsx'
import { OneSearch } from './one-search.tsx'

/** A search by its id, once all are loaded: the service lists searches and reads none by itself. */
function Stored({ id, copy }: { readonly id: string; readonly copy: boolean }): ReactNode {
  const query = useV1Query('listSources', { type: 'keyword', includeInactive: true }, { topic: 'keywords' })
  const row = query.data?.sources.find((each) => each.id === id)
  if (row !== undefined) return copy ? <NewSearch start={{ ...draftOf(row), name: '' }} /> : <OneSearch row={row} />
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

/** A new keyword search, or a stored one. */
export function Page(): ReactNode {
  const { id } = useParams({ strict: false })
  const { from } = useSearch({ strict: false })
  const { status } = useTeam()
  if (status === 'expired')
    return (
      <PageFrame title="Keyword search">
        <Served>{null}</Served>
      </PageFrame>
    )
  if (id !== undefined) return <Stored key={id} id={id} copy={false} />
  return from === undefined ? <NewSearch /> : <Stored key={from} id={from} copy />
}
