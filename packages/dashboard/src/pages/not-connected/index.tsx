import { DeadEnd } from '../../shell/auth.tsx'

/**
 * Shown when an app's request cannot be answered to the app: it is unknown, or names an address that is not its own. Nothing else
 * of the address is shown, since anybody can write it.
 */
export const Page = () => (
  <DeadEnd title="The app was not connected">
    It is no longer known here, or its request is not supported. Remove the connection in the app and connect it again;
    if that does not help, ask the maker of the app.
  </DeadEnd>
)
