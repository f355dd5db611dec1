<?php
// $body: file_get_contents('php://input'), before json_decode
function is_genuine(array $headers, string $body, string $secret): bool {
    $headers = array_change_key_case($headers, CASE_LOWER);
    $timestamp = $headers['x-service-timestamp'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) return false;
    $key = base64_decode(preg_replace('/^whsec_/', '', $secret));
    $expected = 'v1=' . hash_hmac('sha256', $timestamp . '.' . $body, $key);
    foreach (explode(',', $headers['x-service-signature'] ?? '') as $part) {
        if (hash_equals($expected, trim($part))) return true;
    }
    return false;
}
