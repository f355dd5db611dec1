import { textOf } from '../../shell/navigation.ts'
import type { ReactNode } from 'react'
import { useSessionQuery } from '../../api/hooks.ts'
import { Field, Loaded, PageFrame, Select, Tabs } from '../../ui/index.ts'
import { useAddress } from './address.ts'
import { Balance } from './balance.tsx'
import { BurnChart } from './burn.tsx'
import { Ledger } from './ledger.tsx'
import { spans, type tabs } from './search.ts'
import { Yield } from './yield.tsx'

const usualSpan = 30
type TabName = (typeof tabs)[number]
const spanChoices = spans.map((span) => ({ value: String(span), label: `Last ${span} days` }))

/** The page "Credits": what is left and how long it lasts, what spends it, and what that yields. */
export function Page(): ReactNode {
  const address = useAddress()
  const { search, change } = address
  const days = search.days ?? usualSpan
  const burn = useSessionQuery('getBurn', { days }, { topic: 'credits', keepPrevious: true })
  const span = (
    <Field label="Time span" hideLabel className="w-40">
      <Select
        value={String(days)}
        onValue={(value) => change({ days: spans.find((span) => span !== usualSpan && String(span) === value) })}
        choices={spanChoices}
      />
    </Field>
  )
  return (
    <PageFrame title="Credits" text={textOf('/credits')} actions={search.tab === 'ledger' ? undefined : span}>
      <Loaded query={burn} lines={5}>
        {(data) => <Balance burn={data} />}
      </Loaded>
      <Tabs<TabName>
        label="Views of the credits"
        value={search.tab ?? 'burn'}
        onValue={(tab) => change({ tab: tab === 'burn' ? undefined : tab })}
        tabs={[
          {
            value: 'burn',
            label: 'By day',
            content: (
              <Loaded query={burn} lines={8}>
                {(data) => <BurnChart burn={data} />}
              </Loaded>
            ),
          },
          { value: 'yield', label: 'What it yields', content: <Yield days={days} /> },
          { value: 'ledger', label: 'Ledger', content: <Ledger address={address} /> },
        ]}
      />
    </PageFrame>
  )
}
