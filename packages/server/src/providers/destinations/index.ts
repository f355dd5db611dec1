import type { DestinationAdapter } from './port.ts'
export const destinationAdapters: readonly DestinationAdapter[] = []
