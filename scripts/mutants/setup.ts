/**
 * What makes the tests say the same under mutation testing in every run: properties draw the same examples, and what measures time says
 * nothing, since code that counts every one of its lines is many times slower than it will ever be. So the clock that tests measure
 * themselves with stands still, and inputs of a megabyte and comparisons of cost are left to the ordinary run. A property with a number
 * of examples of its own takes that of `fc.readConfigureGlobal` where there is one: each changed line pays for all of them.
 */
import fc from 'fast-check'
import { beforeEach } from 'vitest'

fc.configureGlobal({ seed: 20_260_101, numRuns: 50 })
performance.now = () => 0
beforeEach(({ task, skip }) => {
  if (/\b1 MB\b|costs no more than/.test(task.name)) skip()
})
