/**
 * Fixes the seed of property tests in `npm test`, so that a change never fails by bad luck (decision 0025). `npm run test:long`
 * draws new examples; fast-check prints the seed of a failure.
 */
import fc from 'fast-check'
import { long } from './amount.ts'

if (!long) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: 20_260_101 })
