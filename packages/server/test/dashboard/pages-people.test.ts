/** Discover from topic to people, the agent from website to ranked leads, each after confirming its figures. */
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { agentOf, running, seedTopicPost, topicsOf } from '../scenarios/agent-stage.ts'
import { seedWriters, topicOf } from '../scenarios/discover-stage.ts'
import { expectNoComplaints, unexplained, useWorldWithPages } from './browser.ts'

const { world, pages } = useWorldWithPages()

async function enter(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name }).fill(text)
  await page.keyboard.press('Enter')
}

describe('Discover', () => {
  it('starts a run after a yes to its cost, and shows the people as they are found, without a reload', async () => {
    const team = await world.team()
    const topic = topicOf(world)
    seedWriters(world, topic, [{ engagements: [90, 30] }, { engagements: [33] }])
    const { page, complaints } = await pages.signedIn(team, '/discover', 'member')
    await page.getByRole('button', { name: 'New run' }).first().click()
    await enter(page, 'Topics', topic)
    await page.getByRole('textbox', { name: 'People at most' }).fill('20')
    await page.getByRole('button', { name: 'Show the cost and start' }).click()
    await page.getByText(/^At most 20 credits, once/).waitFor()
    await page.getByRole('button', { name: 'Spend and go ahead' }).click()
    await page.waitForURL(/\/discover\/[0-9a-f-]{36}$/)
    await world.drain()
    await page.getByText('2 people met the criteria.').waitFor()
    await expect.poll(() => page.getByRole('list', { name: 'People' }).getByRole('listitem').count()).toBe(2)
    expectNoComplaints({ complaints })
  })
})

describe('the agent', () => {
  it('is set up from a website in five steps, says why later ones wait, shows how the limit is split, and starts after a yes', async () => {
    const team = await world.team({ credits: 3_000 })
    const [topic] = topicsOf(world, 1)
    seedTopicPost(world, `Notes on ${topic}`, [{ title: 'Head of Growth', comment: 'We need this' }])
    const { page, complaints } = await pages.signedIn(team, '/agent', 'member')
    await page.getByRole('button', { name: 'Set up an agent' }).click()
    const later = page.getByRole('list', { name: 'Steps' }).locator('button[aria-disabled=true]')
    await expect.poll(() => later.count()).toBe(4)
    expect(await unexplained(page)).toEqual([])
    await page.getByRole('textbox', { name: 'Website' }).fill('https://www.acme.example/home')
    const next = page.getByRole('button', { name: 'Save and go on' })
    await next.click()
    await enter(page, 'Job titles', 'Head of Growth')
    await next.click()
    await enter(page, 'Topics', topic!)
    await next.click()
    await page.getByRole('textbox', { name: 'Credits a day at most' }).fill('200')
    await page.getByText('200', { exact: true }).waitFor()
    await next.click()
    expect((await agentOf(team)).status).toBe('draft')
    await page.getByRole('button', { name: 'Start the agent' }).click()
    await page.getByText(/^At most 200 credits a day/).waitFor()
    await page.getByRole('button', { name: 'Spend and go ahead' }).click()
    await page.getByText('1 daily search made.').waitFor()
    await page.getByRole('button', { name: 'Go to the leads' }).click()
    await world.drain()
    await page.getByText('Head of Growth at').waitFor()
    expect([(await agentOf(team)).status, (await agentOf(team)).website]).toEqual(['active', 'acme.example'])
    expectNoComplaints({ complaints })
  })

  it('ranks its leads, says why, narrows them by the address, and is stopped', async () => {
    const team = await world.team({ credits: 3_000 })
    const topics = topicsOf(world, 1)
    const hostile = '<img src=x onerror=alert(1)>'
    seedTopicPost(world, `Notes on ${topics[0]}`, [
      { title: 'CMO', comment: hostile, country: 'DE' },
      { title: 'CMO', country: 'US' },
    ])
    await running(world, team, { topics, titles: ['CMO'], countries: ['Germany'] })
    const { page, complaints } = await pages.signedIn(team, '/agent', 'member')
    const rows = page.getByRole('grid', { name: 'Leads of the agent' }).locator('[role=row][data-index]')
    await rows.nth(1).waitFor()
    await rows.first().click()
    const detail = page.getByRole('dialog')
    await detail.getByText('matches').first().waitFor()
    await detail.getByText(hostile).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Fit of 60% or more' }).click()
    await page.waitForURL(/filters=/)
    await rows.nth(1).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Stop', exact: true }).click()
    await page.getByRole('button', { name: 'Stop the agent' }).click()
    await page.getByText(/The agent was stopped/).waitFor()
    expect((await agentOf(team)).status).toBe('draft')
    expectNoComplaints({ complaints })
  })
})
