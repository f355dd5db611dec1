import { count, share } from './format.ts'

type Step = { readonly key: string; readonly label: string; readonly text: string; readonly value: number }

type FunnelProps = { steps: readonly Step[]; whole: { readonly value: number; readonly after: string } }

/** What is left after each step, as bars with figures; steps after `whole.after` also show their share of `whole.value`. */
export function Funnel({ steps, whole }: FunnelProps) {
  const most = Math.max(1, ...steps.map(({ value }) => value))
  const from = steps.findIndex(({ key }) => key === whole.after)
  return (
    <ol className="flex flex-col gap-2.5">
      {steps.map(({ key, label, text, value }, at) => (
        <li
          key={key}
          className="grid grid-cols-[7rem_1fr_6.5rem] items-center gap-3 text-sm sm:grid-cols-[19rem_1fr_7rem]"
        >
          <span className="min-w-0">
            <span className="font-medium">{label}</span>{' '}
            <span className="text-[0.8125rem] text-muted max-sm:hidden">{text}</span>
          </span>
          <span aria-hidden="true" className="h-5 overflow-hidden rounded bg-sunken">
            <span className="block h-full rounded bg-accent" style={{ width: `${(value / most) * 100}%` }} />
          </span>
          <span className="text-end tabular-nums">
            {count(value)}{' '}
            <span className="text-[0.8125rem] text-muted">{at > from ? share(value, whole.value) : ''}</span>
          </span>
        </li>
      ))}
    </ol>
  )
}
