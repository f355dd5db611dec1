/** The parts of a source's page that only a keyword search has; fetched when a search is shown. */
import type { ReactNode } from 'react'
import type { SearchRow } from '../keyword/words.ts'
import { Backtest } from './backtest.tsx'
import { draftOf } from './draft.ts'
import { EditForm } from './edit-form.tsx'
import { LastRun } from './last-run.tsx'
import { SearchActions } from './one-actions.tsx'
import { Posts } from './posts.tsx'

/** Which part. */
export type SearchPart = 'actions' | 'settings' | 'last-run' | 'posts' | 'try'

/** One of them. */
export function Part({ part, row }: { readonly part: SearchPart; readonly row: SearchRow }): ReactNode {
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
