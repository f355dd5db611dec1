import { CSPProvider } from '@base-ui/react/csp-provider'
import { Outlet } from '@tanstack/react-router'
import { Tips } from '../ui/tips.tsx'
import { Toasts } from '../ui/toast.tsx'

export function Root() {
  return (
    <CSPProvider disableStyleElements>
      <Toasts>
        <Outlet />
      </Toasts>
      <Tips />
    </CSPProvider>
  )
}
