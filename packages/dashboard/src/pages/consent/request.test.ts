import { describe, expect, it } from 'vitest'
import { destinationOf, readRequest, cleanName } from './request.ts'

describe('the request of an app', () => {
  it.each([
    ['http://127.0.0.1:7777/callback', { text: 'an app on this computer', isHere: true }],
    ['https://tools.example.com/back', { text: 'tools.example.com', isHere: false }],
    ['com.example.app:/back', { text: 'an app on this computer (com.example.app)', isHere: true }],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['nonsense', null],
  ])('%s is told to the person as %j [MCP-03]', (address, told) => expect(destinationOf(address)).toEqual(told))

  it('is nothing without a client or an address to go back to [MCP-03]', () => {
    expect(readRequest(undefined)).toBeNull()
    expect(readRequest('client_id=a')).toBeNull()
    expect(readRequest('client_id=a&redirect_uri=https%3A%2F%2Fx.example%2F&scope=leads%20email')).toEqual({
      clientId: 'a',
      destination: { text: 'x.example', isHere: false },
      wantsName: true,
    })
  })

  it('names hide nothing and stay on their line [MCP-03]', () => {
    expect(cleanName('Safe\u202eevil\u0000\n app')).toBe('Safeevil app')
    expect(cleanName('x'.repeat(500))).toHaveLength(60)
    expect([cleanName(''), cleanName(null), cleanName('\u200b')]).toEqual(Array(3).fill('An app without a name'))
  })
})
