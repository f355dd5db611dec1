import type { VendorAccount } from '../accounts.ts'
import type { NetworkProvider } from '../ports.ts'

/** A vendor of network data with the account that its calls are paid from. */
export type NetworkVendor = NetworkProvider & { readonly account: VendorAccount }
