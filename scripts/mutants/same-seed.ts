/** Properties draw the same examples in every run: a change that is noticed today is noticed tomorrow. */
import fc from 'fast-check'

fc.configureGlobal({ seed: 20_260_101 })
