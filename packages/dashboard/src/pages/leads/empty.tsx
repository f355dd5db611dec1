import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { Button, buttonClass, EmptyState } from '../../ui/index.ts'
import type { Address } from './address.ts'
import type { Sources } from './sources.ts'

const trackLink = (
  <Link to="/sources" search={{ track: true }} className={buttonClass('primary')}>
    Track a source
  </Link>
)

/** In place of no rows: why, and what to do next. */
export function NoRows({
  address,
  sources,
  what,
}: {
  readonly address: Address
  readonly sources: Sources
  readonly what: 'lead' | 'person' | 'raw lead'
}): ReactNode {
  if (Object.keys(address.filters).length > 0)
    return (
      <EmptyState
        title={`No ${what} matches`}
        text="All filters must hold at once. Take one away, or begin again without any."
        action={
          <Button variant="primary" onClick={address.clear}>
            Clear the filters
          </Button>
        }
      />
    )
  if (what === 'raw lead')
    return (
      <EmptyState
        title="No raw leads"
        text="A source collects raw leads when its settings say that details are not to be looked up. None of yours has found any."
        action={
          <Link to="/sources" className={buttonClass('secondary')}>
            See the sources
          </Link>
        }
      />
    )
  if (sources.isLoaded && sources.tracked === 0)
    return (
      <EmptyState
        title="Nobody is watched yet"
        text={
          'Leads are the people who react to or comment on posts. Track a person, ' +
          'a company page, a post or a topic, and they appear here by themselves.'
        }
        action={trackLink}
      />
    )
  return (
    <EmptyState
      title="No leads yet"
      text={
        'Your sources are read about once a day, and for the first time right ' +
        'after you track them. Leads appear here by themselves; no need to reload.'
      }
      action={
        <>
          <Link to="/sources" className={buttonClass('secondary')}>
            See how the sources are doing
          </Link>
          {trackLink}
        </>
      }
    />
  )
}
