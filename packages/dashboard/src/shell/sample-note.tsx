import { useState, type ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { useMe } from '../api/me.ts'
import { openSampleTeam, switchTeam } from './leave.ts'

const link = 'font-medium underline underline-offset-2 pointer-coarse:min-h-11'

/** Opens the sample team; says it when that fails. */
export function SampleButton({
  className,
  words = 'Look around in a sample team',
}: {
  readonly className: string
  readonly words?: string
}): ReactNode {
  const [state, setState] = useState<'idle' | 'opening' | 'failed'>('idle')
  const open = () => {
    if (state === 'opening') return
    setState('opening')
    openSampleTeam().catch(() => setState('failed'))
  }
  return (
    <>
      <button type="button" className={className} onClick={open}>
        {state === 'opening' ? 'Opening…' : words}
      </button>
      {state === 'failed' && <span role="alert">It did not open: try again.</span>}
    </>
  )
}

/** Says on every page that the team is the sample team, and leads back. */
export function SampleNote(): ReactNode {
  const { teams } = useMe()
  const own = teams[0]
  return (
    <p
      role="note"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 bg-info-soft px-3 py-2 text-sm text-info-text sm:px-6"
    >
      <span>
        <strong className="font-semibold">Sample team.</strong> Everybody and everything here is made up. Look around:
        nothing is captured, sent or charged, and nothing can be changed.
      </span>
      {own ? (
        <button type="button" className={link} onClick={() => switchTeam(own.id)}>
          Back to {own.name}
        </button>
      ) : (
        <Link to="/new-team" className={link}>
          Create a team of your own
        </Link>
      )}
    </p>
  )
}
