/**
 * Properties draw the same examples in every run of `npm test`, so that a change is refused for what it does and never for its luck
 * (decision 0025); `npm run test:long` draws new ones, and fast-check prints the seed of what fails.
 */
import fc from 'fast-check'
import { long } from './amount.ts'

if (!long) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_260_101 })
