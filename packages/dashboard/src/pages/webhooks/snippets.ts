/// <reference path="../../virtual.d.ts" />
/** Signature checks for receivers in six languages: HMAC-SHA256, hex, of `{timestamp}.{body}`; any listed signature may match. */
import go from './snippets/go.go?raw'
import node from './snippets/node.js?raw'
import php from './snippets/php.php?raw'
import python from './snippets/python.py?raw'
import ruby from './snippets/ruby.rb?raw'
import shell from './snippets/shell.sh?raw'

type Snippet = { readonly id: string; readonly name: string; readonly code: string }

export const snippets: readonly Snippet[] = [
  { id: 'node', name: 'Node', code: node },
  { id: 'python', name: 'Python', code: python },
  { id: 'php', name: 'PHP', code: php },
  { id: 'ruby', name: 'Ruby', code: ruby },
  { id: 'go', name: 'Go', code: go },
  { id: 'shell', name: 'curl and openssl', code: shell },
]
