# Receives deliveries of the Lead Engagement Service. Ruby 2.7 or newer, no gems.
#   LES_SIGNING_SECRET=whsec_… PORT=4400 ruby receiver.rb
require 'json'
require 'openssl'
require 'socket'

# The key is the bytes that the base64 after whsec_ stands for, not the text.
KEY = ENV.fetch('LES_SIGNING_SECRET').delete_prefix('whsec_').unpack1('m0')
# In a real receiver this is a table with a unique id: the same event may come again, also after a restart.
SEEN = {}

def ours?(headers, body)
  timestamp = headers['x-service-timestamp'].to_s
  return false unless timestamp.match?(/\A\d+\z/) && (Time.now.to_i - timestamp.to_i).abs <= 300

  wanted = OpenSSL::HMAC.hexdigest('SHA256', KEY, "#{timestamp}.".b + body)
  # Two signatures for a day after the secret was changed: one of them must fit.
  headers['x-service-signature'].to_s.split(',').any? do |part|
    given = part.strip.delete_prefix('v1=')
    given.bytesize == wanted.bytesize && OpenSSL.fixed_length_secure_compare(given, wanted)
  end
end

# A real application has its framework's server; this is as little HTTP as a delivery needs.
server = TCPServer.new('127.0.0.1', Integer(ENV.fetch('PORT', '4400')))
loop do
  socket = server.accept
  socket.gets
  headers = {}
  while (line = socket.gets) && line != "\r\n"
    name, value = line.chomp.split(': ', 2)
    headers[name.downcase] = value
  end
  # The bytes as they came: parsed and written again they would have another signature.
  body = socket.read(headers['content-length'].to_i).b
  if ours?(headers, body)
    id = JSON.parse(body)['id']
    puts "#{headers['x-service-event']} #{id}" unless SEEN[id]
    $stdout.flush
    SEEN[id] = true
    # At once; what takes longer than 15 seconds counts as failed and comes again.
    socket.write("HTTP/1.1 204 No Content\r\nconnection: close\r\n\r\n")
  else
    socket.write("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\nconnection: close\r\n\r\n")
  end
  socket.close
end
