import { useRead, type ResultOf } from '../../api/index.ts'
import { SelectField } from '../../ui/field.tsx'
import { count, day, planName } from '../../ui/format.ts'
import { PageFrame, Tabs } from '../../ui/page.tsx'
import { Loaded, Meter, Notice, Stats } from '../../ui/show.tsx'
import { useNow } from '../../ui/text.tsx'
import { useAddress } from '../../app/address.ts'
import { creditSpans as spans } from '../../app/searches.ts'
import { forecastWords } from './forecast.ts'
import { Ledger } from './ledger.tsx'
import { BurnChart, Yield } from './spend.tsx'
import { Statement } from './statement.tsx'
import { Sums } from './sums.tsx'

function Balance({ burn: { credits, forecast } }: { burn: ResultOf<'getBurn'> }) {
  const now = useNow()
  const said = forecastWords(forecast, credits.balance, now)
  const topUps = credits.balance - credits.remaining
  const isShort = credits.limit > 0 && credits.used / credits.limit >= 0.8
  return (
    <div className="flex flex-col gap-3">
      <Stats
        stats={[
          ['Credits left', count(credits.balance), topUps > 0 ? `${count(topUps)} of them topped up` : 'to spend now'],
          ['Used in this period', count(credits.used), `of ${count(credits.limit)} the plan gives`],
          ['Plan', planName(credits.plan), `${count(credits.limit)} credits a period`],
          ['New credits', day(credits.nextReset), 'unused plan credits lapse'],
        ]}
      />
      <Meter
        label="Allowance used"
        value={credits.used}
        max={credits.limit}
        tone={credits.used >= credits.limit ? 'bad' : isShort ? 'warn' : 'good'}
      />
      <Notice tone={said.tone} title={said.title}>
        {said.text}
      </Notice>
    </div>
  )
}

const usualSpan = 30
const spanChoices = spans.map((span) => ({ value: String(span), label: `Last ${span} days` }))

export function Page() {
  const address = useAddress('/signed-in/team/credits')
  const { search, change } = address
  const days = search.days ?? usualSpan
  const burn = useRead('getBurn', { days }, { keepPrevious: true })
  const span = (
    <SelectField
      label="Time span"
      hideLabel
      className="w-40"
      value={String(days)}
      onValue={(value) => change({ days: spans.find((span) => span !== usualSpan && String(span) === value) })}
      choices={spanChoices}
    />
  )
  return (
    <PageFrame of="/credits" actions={search.tab === 'ledger' || search.tab === 'statement' ? undefined : span}>
      <div className="print:hidden">
        <Loaded query={burn} lines={5}>
          {(data) => <Balance burn={data} />}
        </Loaded>
      </div>
      <Tabs
        label="Views of the credits"
        {...address.tabs('burn', { keeps: true })}
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
          { value: 'sums', label: 'Charged and free', content: <Sums address={address} days={days} /> },
          { value: 'ledger', label: 'Ledger', content: <Ledger address={address} /> },
          { value: 'statement', label: 'Statement', content: <Statement address={address} /> },
        ]}
      />
    </PageFrame>
  )
}
