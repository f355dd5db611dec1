import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMe } from '../api/me.ts'
import { cx } from '../ui/button.tsx'
import { openSampleTeam, switchTeam } from './leave.ts'

const link = 'font-medium underline underline-offset-2 pointer-coarse:min-h-11'

type SampleButtonProps = { className: string; words?: string }

export function SampleButton({ className, words = 'Look around in a sample team' }: SampleButtonProps) {
  const open = useMutation({ mutationFn: openSampleTeam })
  const isOpening = open.isPending || open.isSuccess
  return (
    <>
      <button type="button" className={className} onClick={() => !isOpening && open.mutate()}>
        {isOpening ? 'Opening…' : words}
      </button>
      {open.isError && <span role="alert">It did not open: try again.</span>}
    </>
  )
}

/** Says on every page that this is the sample team, with a way back; in the top bar where there is room. */
export function SampleNote({ inBar }: { inBar: boolean }) {
  const { teams } = useMe()
  const own = teams[0]
  return (
    <p
      role="note"
      className={cx(
        'flex items-center gap-x-3 text-sm text-info-text',
        inBar ? 'min-w-0' : 'flex-wrap gap-y-1 bg-info-soft px-3 py-2 sm:px-6',
      )}
    >
      <span className={inBar ? 'shrink-0' : undefined}>
        <strong className="font-semibold">Sample team.</strong> Everything here is made up: nothing is captured, sent,
        charged or changed.
      </span>
      {own ? (
        <button type="button" className={cx(link, 'truncate')} onClick={() => switchTeam(own.id)}>
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
