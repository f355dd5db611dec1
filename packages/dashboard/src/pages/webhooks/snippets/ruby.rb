require 'base64'
require 'openssl'

# body: request.body.read, before any JSON parser has seen it
def genuine?(headers, body, secret)
  timestamp = headers['X-Service-Timestamp'].to_s
  return false unless timestamp.match?(/\A\d+\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300

  key = Base64.decode64(secret.delete_prefix('whsec_'))
  expected = 'v1=' + OpenSSL::HMAC.hexdigest('SHA256', key, timestamp + '.' + body)
  headers['X-Service-Signature'].to_s.split(',').any? do |part|
    given = part.strip
    given.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(given, expected)
  end
end
