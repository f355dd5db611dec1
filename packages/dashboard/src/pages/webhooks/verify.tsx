import { useState, type ReactNode } from 'react'
import { Card, CodeBlock, Tabs } from '../../ui/index.ts'
import { Debugger } from './debugger.tsx'
import { snippets } from './snippets.ts'

/** How receivers check that a delivery is ours, and what is wrong when a check fails. */
export function Verify(): ReactNode {
  const [language, setLanguage] = useState('node')
  return (
    <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-2">
      <Card
        title="Check a delivery in your code"
        text={
          'Each delivery is signed with the team’s secret, which the Webhook ' +
          'tab of any source shows to members. Check it before you trust a byte.'
        }
      >
        <Tabs
          label="Language"
          value={language}
          onValue={setLanguage}
          tabs={snippets.map(({ id, name, code }) => ({
            value: id,
            label: name,
            content: <CodeBlock label={name} code={code} maxHeight={520} />,
          }))}
        />
        <p className="mt-4 text-sm text-muted">
          The headers <code className="font-mono text-xs">webhook-id</code>,{' '}
          <code className="font-mono text-xs">webhook-timestamp</code> and{' '}
          <code className="font-mono text-xs">webhook-signature</code> are sent too: any Standard Webhooks library
          checks them with the same secret.
        </p>
      </Card>
      <Debugger />
    </div>
  )
}
