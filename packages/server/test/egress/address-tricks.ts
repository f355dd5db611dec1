/** Spellings that have been used to make a service call into its own network; `PORT` is the canary's. */
export const ADDRESS_TRICKS: readonly string[] = [
  // loopback, in every spelling of IPv4
  'http://127.0.0.1/', 'http://127.0.0.1:PORT/', 'http://127.1/', 'http://127.1:PORT/', 'http://127.0.1/', 'http://2130706433/', 'http://0x7f000001/', 'http://0x7f.1/',
  'http://0x7f.0x0.0x0.0x1/', 'http://017700000001/', 'http://0177.0.0.1/', 'http://0177.0.0.01/', 'http://127.0.0.1./', 'http://127.255.255.254/', 'http://127.0.0.2/',
  'http://①②⑦.⓪.⓪.①/', 'http://127。0。0。1/', 'http://１２７.0.0.1/', 'http://%31%32%37.0.0.1/', 'http://127.0.0.1%2f@example.com/',
  // "this" network, broadcast, carrier, test, benchmarking, multicast, class E
  'http://0/', 'http://0.0.0.0/', 'http://0.0.0.0:PORT/', 'http://0.1.2.3/', 'http://255.255.255.255/', 'http://100.64.0.1/', 'http://100.100.100.200/', 'http://192.0.2.1/',
  'http://198.51.100.1/', 'http://203.0.113.1/', 'http://198.18.0.1/', 'http://192.0.0.192/', 'http://192.88.99.1/', 'http://224.0.0.1/', 'http://240.0.0.1/',
  // private and link-local, cloud machine credentials
  'http://10.0.0.1/', 'http://172.16.0.1/', 'http://172.31.255.255/', 'http://192.168.1.1/', 'http://169.254.169.254/latest/meta-data/', 'http://169.254.170.2/', 'http://168.63.129.16/',
  'http://0xa9fea9fe/', 'http://2852039166/', 'http://0251.0376.0251.0376/',
  // IPv6 and the IPv4 addresses it can carry
  'http://[::1]/', 'http://[::1]:PORT/', 'http://[0:0:0:0:0:0:0:1]/', 'http://[::]/', 'http://[::]:PORT/', 'http://[::ffff:127.0.0.1]/', 'http://[::ffff:127.0.0.1]:PORT/', 'http://[::ffff:7f00:1]/',
  'http://[::127.0.0.1]/', 'http://[::7f00:1]/', 'http://[::ffff:0:127.0.0.1]/', 'http://[64:ff9b::7f00:1]/', 'http://[64:ff9b:1::7f00:1]/', 'http://[2002:7f00:1::]/', 'http://[2001:0:7f00:1::]/',
  'http://[fe80::1]/', 'http://[fec0::1]/', 'http://[fc00::1]/', 'http://[fd00:ec2::254]/', 'http://[ff02::1]/', 'http://[100::1]/', 'http://[2001:db8::1]/', 'http://[3fff::1]/', 'http://[5f00::1]/',
  'http://[4000::1]/', 'http://[8000::1]/',
  // names of the inside
  'http://localhost/', 'http://localhost:PORT/', 'http://LOCALHOST/', 'http://localhost./', 'http://foo.localhost/', 'http://router.local/', 'http://metadata.google.internal/', 'http://db.internal/',
  'http://printer.home.arpa/', 'http://intranet/', 'http://kubernetes/', 'http://host.lan/', 'http://abc.onion/', 'http://example.com./', 'http://localhost.localdomain/',
  // credentials, ports, schemes, parser repairs
  'http://example.com@127.0.0.1/', 'http://127.0.0.1@example.com/', 'http://user:pass@example.com/', 'http://example.com:22/', 'http://example.com:PORT/', 'https://example.com:8443/',
  'ftp://example.com/', 'file:///etc/passwd', 'gopher://127.0.0.1:25/', 'javascript:alert(1)', 'data:text/plain,x', 'http:127.0.0.1/', 'http:/127.0.0.1/', 'http:\\\\127.0.0.1\\', '//127.0.0.1/',
  'http://\t127.0.0.1/', 'http://127.0.0.1\n/', ' http://127.0.0.1/', 'http://', 'http:///', 'http://.../', 'http://a..b/', 'http://[::1', 'http://[v1.x]/', 'http://exa mple.com/', '',
]
