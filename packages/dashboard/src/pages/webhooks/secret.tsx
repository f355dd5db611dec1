import { Eye, EyeOff } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { Button, CopyField } from '../../ui/index.ts'

/** The team's signing secret, hidden until it is asked for. */
export function Secret({ secret }: { readonly secret: string }): ReactNode {
  const [isShown, setShown] = useState(false)
  return (
    <div className="flex max-w-xl flex-col items-start gap-2">
      {isShown ? (
        <div className="w-full">
          <CopyField
            label="Signing secret"
            value={secret}
            hint="One secret for all addresses of the team. Keep it on your server only; an owner can rotate it under Settings."
          />
        </div>
      ) : (
        <p className="text-sm">
          <span className="font-medium">Signing secret</span>{' '}
          <span aria-hidden="true" className="ml-2 font-mono">
            whsec_••••••••••••
          </span>
        </p>
      )}
      <Button
        size="sm"
        onClick={() => setShown(!isShown)}
        icon={isShown ? <EyeOff aria-hidden="true" size={14} /> : <Eye aria-hidden="true" size={14} />}
      >
        {isShown ? 'Hide secret' : 'Show secret'}
      </Button>
    </div>
  )
}
