import { DeadEnd } from '../../shell/auth.tsx'

/**
 * An app sent the browser here in a way that is not answered to the app: it is not known, or names an address that is not its own. What
 * else stands in the address is not shown, since anybody can write it.
 */
export const Page = () => (
  <DeadEnd title="The app was not connected">
    It is not known here any more, or it asked in a way that is not served. Remove the connection in the app and connect
    it again; if that does not help, ask who makes the app.
  </DeadEnd>
)
