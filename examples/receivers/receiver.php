<?php
// Receives deliveries of the Lead Engagement Service. PHP 8.1 or newer, no packages.
//   LES_SIGNING_SECRET=whsec_… php -S 127.0.0.1:4400 receiver.php

// The key is the bytes that the base64 after whsec_ stands for, not the text.
$key = base64_decode(preg_replace('/^whsec_/', '', getenv('LES_SIGNING_SECRET') ?: ''), true);
if ($key === false || $key === '') {
    throw new RuntimeException('set LES_SIGNING_SECRET to the whsec_… of your team');
}

// The bytes as they came: parsed and written again they would have another signature.
$body = file_get_contents('php://input');
$timestamp = $_SERVER['HTTP_X_SERVICE_TIMESTAMP'] ?? '';

function isOurs(string $key, string $timestamp, string $body): bool
{
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return false;
    }
    $wanted = hash_hmac('sha256', "$timestamp.$body", $key);
    // Two signatures for a day after the secret was changed: one of them must fit.
    foreach (explode(',', $_SERVER['HTTP_X_SERVICE_SIGNATURE'] ?? '') as $part) {
        if (hash_equals($wanted, preg_replace('/^v1=/', '', trim($part)))) {
            return true;
        }
    }
    return false;
}

if (!isOurs($key, $timestamp, $body)) {
    http_response_code(401);
    return;
}
$event = json_decode($body, true);
// A file for each event here; in a real receiver a table with a unique id: the same event may come again.
$folder = getenv('LES_SEEN_FOLDER') ?: sys_get_temp_dir() . '/les-seen';
@mkdir($folder, 0700, true);
$mark = @fopen($folder . '/' . preg_replace('/[^\w-]/', '', $event['id']), 'x');
if ($mark !== false) {
    file_put_contents('php://stdout', $_SERVER['HTTP_X_SERVICE_EVENT'] . ' ' . $event['id'] . "\n");
}
// At once; what takes longer than 15 seconds counts as failed and comes again.
http_response_code(204);
