import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PageFrame, Tabs, buttonClass } from '../../ui/index.ts'
import { nameOf, type SearchRow } from '../keyword/words.ts'
import { Backtest } from './backtest.tsx'
import { draftOf } from './draft.ts'
import { EditForm } from './edit-form.tsx'
import { Actions } from './one-actions.tsx'
import { Posts } from './posts.tsx'
import { Status } from './status.tsx'

const linkClass = 'text-sm text-muted underline-offset-2 hover:underline'

/** A stored search: how it is doing, its settings, its posts, and trying changes out. */
export function OneSearch({ row }: { readonly row: SearchRow }): ReactNode {
  const { tab = 'settings' } = useSearch({ from: '/signed-in/team/keyword/$id' })
  const navigate = useNavigate({ from: '/keyword/$id' })
  return (
    <PageFrame
      title={nameOf(row)}
      text="A keyword search: what it finds, whom it captures and what it may spend."
      back={
        <Link to="/keyword" className={linkClass}>
          Keyword searches
        </Link>
      }
      actions={<Actions row={row} />}
    >
      <Status row={row} />
      <nav aria-label="More about this search" className="flex flex-wrap gap-2">
        <Link to="/leads" search={{ profileId: row.id }} className={buttonClass('secondary', 'sm')}>
          Its leads
        </Link>
        <Link to="/sources/$id" params={{ id: row.id }} className={buttonClass('secondary', 'sm')}>
          Fit criteria, webhook and outreach
        </Link>
      </nav>
      <Tabs
        label="Parts of the search"
        value={tab}
        onValue={(next) => void navigate({ search: next === 'settings' ? {} : { tab: next } })}
        tabs={[
          { value: 'settings', label: 'Settings', content: <EditForm key={row.id} row={row} /> },
          { value: 'posts', label: 'Posts', content: <Posts id={row.id} /> },
          {
            value: 'try',
            label: 'Try changes',
            content: <Backtest key={row.id} start={draftOf(row)} sourceId={row.id} />,
          },
        ]}
      />
    </PageFrame>
  )
}
