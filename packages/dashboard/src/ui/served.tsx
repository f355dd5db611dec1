import { Link } from '@tanstack/react-router'
import { Lock } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTeam } from '../api/me.ts'
import { buttonClass } from './button.tsx'
import { EmptyState } from './states.tsx'

/** What needs a trial or plan that has not ended; without one, why nothing is shown, and what becomes of what there is. */
export function Served({ children }: { readonly children: ReactNode }): ReactNode {
  const { status } = useTeam()
  if (status !== 'expired') return children
  return (
    <EmptyState
      icon={<Lock size={28} />}
      title="The free trial or plan of this team has ended"
      text="Nothing is captured, shown or sent until the team subscribes. What was captured is kept."
      action={
        <Link to="/settings" className={buttonClass('primary')}>
          See the plan
        </Link>
      }
    />
  )
}
