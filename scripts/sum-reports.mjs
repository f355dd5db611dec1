/**
 * Sums vitest's JSON reports in one last line, `N passed, N failed`; exits with 1 on failures or when nothing ran.
 *   node scripts/sum-reports.mjs [--step NAME=EXIT_CODE]... [--report FILE=EXIT_CODE]...
 * A step or run that failed without a failed test (types, a crash, an unreadable report) counts as one failure.
 */
import { readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { parseArgs, stripVTControlCharacters } from 'node:util'

const { values } = parseArgs({
  options: {
    step: { type: 'string', multiple: true, default: [] },
    report: { type: 'string', multiple: true, default: [] },
  },
})
const total = { passed: 0, failed: 0, skipped: 0 }
/** Failed tests, repeated at the end where they are easy to find. */
const failures = []

for (const step of values.step) {
  const { name, code } = split(step)
  if (code === 0) continue
  total.failed++
  console.log(`failed: ${name}`)
}
for (const report of values.report) {
  const { name, code } = split(report)
  const counts = count(name)
  if (code !== 0 && counts.failed === 0) {
    counts.failed = 1
    console.log(`failed: the run of ${name} ended with ${code}`)
  }
  console.log(`${name}: ${describe(counts)}`)
  for (const key of Object.keys(total)) total[key] += counts[key]
}
for (const { file, title, messages } of failures)
  console.log(`FAILED ${title}\n  in ${relative(process.cwd(), file)}\n${indented(messages)}`)
if (total.passed + total.failed === 0) console.log('failed: nothing ran')
if (total.failed > 0 || total.passed === 0) process.exitCode = 1
if (total.skipped > 0) console.log(`${total.skipped} skipped, each with its reason in its title or output`)
console.log(`${total.passed} passed, ${total.failed} failed`)

/** The first lines of failure messages, without colours. */
function indented(messages) {
  const lines = stripVTControlCharacters(messages.join('\n')).split('\n').slice(0, 25)
  return lines.map((line) => `    ${line.slice(0, 400)}`).join('\n')
}

function split(text) {
  const at = text.lastIndexOf('=')
  const code = Number(text.slice(at + 1))
  if (at < 1 || !Number.isInteger(code)) throw new Error(`expected NAME=EXIT_CODE, got ${text}`)
  return { name: text.slice(0, at), code }
}

function count(file) {
  let report
  try {
    report = JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    console.log(`failed: ${file}: ${error.message}`)
    return { passed: 0, failed: 1, skipped: 0 }
  }
  const counts = { passed: 0, failed: 0, skipped: 0 }
  for (const { assertionResults, status, name, message } of report.testResults) {
    let failed = 0
    for (const test of assertionResults) {
      if (test.status === 'passed') counts.passed++
      else if (test.status === 'failed') {
        failed++
        failures.push({ file: name, title: test.fullName, messages: test.failureMessages ?? [] })
      } else counts.skipped++
    }
    // A file that does not load, or whose setup fails, has no failed test.
    if (status === 'failed' && failed === 0) {
      failed = 1
      console.log(`failed: ${name}: ${String(message).split('\n')[0]}`)
    }
    counts.failed += failed
  }
  return counts
}

function describe({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
