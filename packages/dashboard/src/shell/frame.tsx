import { markClass } from './mark.ts'
import type { Frame } from './frames.ts'
import { places } from './navigation.ts'

const rowClass =
  'flex w-full items-center gap-2.5 rounded-md px-2.5 py-2 text-sm no-underline hover:bg-sunken text-left'
const bar = 'rounded bg-sunken'

function Bars({ lines }: { lines: number }) {
  return [...Array(lines).keys()].map((line) => (
    <div key={line} className={`${bar} h-4 ${line % 3 === 2 ? 'w-2/3' : ''}`} />
  ))
}

function Navigation({ here }: { here: string | undefined }) {
  return (
    <aside className="hidden h-dvh w-60 shrink-0 flex-col gap-3 border-r border-line bg-surface p-3 md:flex">
      <div className="flex h-13 items-center gap-2.5 px-2.5">
        <span className={markClass} />
        <span className={`${bar} h-4 flex-1`} />
      </div>
      <nav aria-label="Pages of the dashboard">
        <ul className="flex flex-col gap-0.5">
          {places.map(({ to, label, icon: Icon }) => (
            <li key={to}>
              <a
                href={to}
                aria-current={to === here ? 'page' : undefined}
                className={`${rowClass} ${to === here ? 'bg-accent-soft font-semibold text-accent-text' : 'text-ink'}`}
              >
                <Icon aria-hidden="true" size={18} className="shrink-0" />
                {label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </aside>
  )
}

/** Of a page of a team: the navigation with real links, the heading and its sentence, and bars where the page will be. */
function TeamFrame({ frame: { place, title } }: { frame: Frame }) {
  return (
    <div className="flex min-h-dvh">
      <Navigation here={place?.to} />
      <div className="flex min-w-0 flex-1 flex-col">
        <div className="flex h-12 shrink-0 items-center border-b border-line bg-surface px-3 sm:px-6">
          <span className="pl-11 text-sm font-medium md:hidden">{place?.label}</span>
        </div>
        <div className="mx-auto flex w-full max-w-7xl flex-col gap-5 px-4 py-5 sm:px-6">
          <div className={place?.to === '/leads' ? 'flex flex-wrap items-baseline gap-x-3' : undefined}>
            {title ? (
              <p className="text-xl font-semibold tracking-tight">{title}</p>
            ) : (
              <div data-first="title" className={`${bar} my-1 h-5 w-56`} />
            )}
            {title && place?.text && <p className="mt-0.5 max-w-2xl text-sm text-muted">{place.text}</p>}
          </div>
          <div data-first="body" className="flex flex-col gap-2.5">
            <Bars lines={6} />
          </div>
        </div>
      </div>
    </div>
  )
}

/** A frame; `ui/page.tsx` takes it away as soon as a page is there. */
export function StillFrame({ frame }: { frame: Frame }) {
  return (
    <div id="frame" aria-busy="true">
      {frame.kind === 'team' ? (
        <TeamFrame frame={frame} />
      ) : (
        <div className="flex min-h-dvh flex-col items-center justify-center gap-5 px-4 py-10">
          <p className="flex items-center gap-2.5 text-sm font-semibold">
            <img src="/icon.svg" alt="" width={28} height={28} />
            Lead Engagement Service
          </p>
          <div className="w-full max-w-sm rounded-xl border border-line bg-surface p-6">
            <p className="text-lg font-semibold tracking-tight">{frame.title ?? ''}</p>
            <div className="mt-5 flex flex-col gap-4">
              <Bars lines={5} />
            </div>
          </div>
        </div>
      )}
    </div>
  )
}
