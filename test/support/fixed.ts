// Constants of all tests.
export const frozenNow = Date.parse('2026-01-15T12:00:00.000Z');
export const testKey = '0123456789abcdef0123456789abcdef';
export const baseUrl = 'http://sandbox.localhost';
