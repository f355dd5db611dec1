import { useWrite } from '../../api/index.ts'
import { ConfirmButton, CopyField, TextLink } from '../../ui/index.ts'

/** Where the platform posts what came of people; it holds a secret. */
export function ResultsAddress({ address }: { address: string }) {
  const rotate = useWrite('rotateResultsSecret', { quiet: true, done: 'A new address: paste it into HeyReach' })
  return (
    <div className="mt-4 flex flex-col gap-3 border-t border-line pt-4">
      <CopyField
        label="Address for results"
        value={address}
        hint={
          <>
            HeyReach: Integrations, Webhooks, Create webhook; paste it for every event. Replies then count at once under{' '}
            <TextLink to="/results">Results</TextLink>; without it they are looked up from time to time.
          </>
        }
      />
      <div>
        <ConfirmButton
          needs="member"
          size="sm"
          title="Make a new address?"
          text="The present one stops at once. Results are looked up from time to time until the new one is pasted."
          confirm="Make a new address"
          onConfirm={() => rotate.mutateAsync({})}
        >
          Replace the address
        </ConfirmButton>
      </div>
    </div>
  )
}
